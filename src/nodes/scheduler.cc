#include "nodes/scheduler.h"

#include <algorithm>
#include <functional>
#include <limits>

#include <fmt/format.h>

#include "nodes/note.h"
#include "nodes/placement.h"
#include "schema/json.h"

namespace ebb::nodes {
namespace {

using model::ObjectEvent;
using schema::text_at;

constexpr std::string_view kOwnName = "default-scheduler";
// Those who wait are looked at again at most this often, however much changes.
constexpr Nanoseconds kLookInterval = kNanosecondsPerSecond / 2;

bool is_over(const boost::json::object& pod) {
  const std::string_view phase = text_at(pod, {"status", "phase"});
  return phase == "Succeeded" || phase == "Failed";
}

bool is_ours(const boost::json::object& pod) {
  const std::string_view scheduler = text_at(pod, {"spec", "schedulerName"});
  return scheduler.empty() || scheduler == kOwnName;
}

bool is_gated(const boost::json::object& pod) {
  const boost::json::array* gates = schema::array_at(pod, {"spec", "schedulingGates"});
  return gates != nullptr && !gates->empty();
}

bool same_labels(const Labels& labels, const boost::json::object& pod) {
  const boost::json::object* own = schema::object_at(pod, {"metadata", "labels"});
  if (own == nullptr) return labels.empty();
  return own->size() == labels.size() &&
         std::all_of(labels.begin(), labels.end(), [&](const auto& label) {
           return text_at(*own, {label.first}) == label.second;
         });
}

// What the status says why the pod waits.
std::size_t told_by(const boost::json::object& pod) {
  const boost::json::array* conditions = schema::array_at(pod, {"status", "conditions"});
  if (conditions == nullptr) return 0;
  for (const boost::json::value& entry : *conditions) {
    if (!entry.is_object()) continue;
    const boost::json::object& each = entry.get_object();
    if (text_at(each, {"type"}) == "PodScheduled" && text_at(each, {"reason"}) == "Unschedulable") {
      return std::hash<std::string_view>{}(text_at(each, {"message"}));
    }
  }
  return 0;
}

}  // namespace

std::vector<const schema::Kind*> Scheduler::watched() const {
  return {model::node_kind(), model::pod_kind()};
}

void Scheduler::observe(const ObjectEvent& event, Timestamp now) {
  if (event.kind == model::pod_kind()) observe_pod(event);
  if (event.kind == model::node_kind()) observe_node(event);
  pump(now);
}

void Scheduler::synced(Timestamp now) {
  synced_ = true;
  pump(now);
}

void Scheduler::wake(Timestamp now) {
  for (const Serial serial : retries_.take_due(now, std::numeric_limits<std::size_t>::max())) {
    const auto found = pods_.find(serial);
    if (found == pods_.end()) continue;
    Pod& pod = found->second;
    if (pod.state == State::kAssumed && !pod.request_under_way) send_binding(pod);
    if (pod.state == State::kWaiting) enqueue(pod);
  }
  pump(now);
}

Timestamp Scheduler::wake_at() const { return sooner(retries_.next(), next_look_); }

void Scheduler::observe_node(const ObjectEvent& event) {
  if (event.type != ObjectEvent::Type::kDeleted) {
    cluster_.set_node(*event.object);
    return;
  }
  const std::string gone(text_at(*event.object, {"metadata", "name"}));
  cluster_.remove_node(gone);
  for (auto& entry : pods_) {
    Pod& pod = entry.second;
    // Should a binding have taken place whose answer was lost, the pod will be seen there.
    if (pod.state == State::kAssumed && !pod.request_under_way && pod.failures > 0 &&
        cluster_.nodes()[pod.slot].name == gone) {
      unplace(pod);
      enqueue(pod);
    }
  }
}

Scheduler::Pod& Scheduler::pod_for(const boost::json::object& object) {
  model::ObjectName name = model::name_of(object);
  const std::string_view uid = text_at(object, {"metadata", "uid"});
  const auto known = serials_.find(name);
  if (known != serials_.end()) {
    Pod& pod = pods_.at(known->second);
    if (pod.uid == uid) return pod;
    forget(known->second);
  }
  const Serial serial = next_serial_++;
  serials_.emplace(name, serial);
  Pod& pod = pods_[serial];
  pod.serial = serial;
  pod.name = std::move(name);
  pod.uid = uid;
  pod.created = model::time_at(object, {"metadata", "creationTimestamp"});
  pod.told = told_by(object);
  return pod;
}

void Scheduler::forget(Serial serial) {
  Pod& pod = pods_.at(serial);
  unplace(pod);
  queue_.erase(turn_of(pod));
  waiting_.erase(serial);
  retries_.erase(serial);
  if (pod.demand != nullptr) cluster_.release(*pod.demand);
  serials_.erase(pod.name);
  pods_.erase(serial);
}

// Takes the pod off its node, if it has one; what it becomes is up to the caller.
void Scheduler::unplace(Pod& pod) {
  if (pod.state != State::kAssumed && pod.state != State::kBound) return;
  cluster_.displace(*pod.demand, pod.slot, pod.terminating);
  pod.state = State::kGated;
}

void Scheduler::observe_pod(const ObjectEvent& event) {
  const boost::json::object& object = *event.object;
  if (event.type == ObjectEvent::Type::kDeleted) {
    const auto known = serials_.find(model::name_of(object));
    if (known == serials_.end()) return;
    if (pods_.at(known->second).uid == text_at(object, {"metadata", "uid"})) forget(known->second);
    return;
  }
  Pod& pod = pod_for(object);
  if (pod.state == State::kOver) return;
  const bool changed = read_demand_of(pod, object);
  const bool terminating = !text_at(object, {"metadata", "deletionTimestamp"}).empty();
  if (terminating && !pod.terminating) {
    if (pod.state == State::kAssumed || pod.state == State::kBound) {
      cluster_.set_terminating(*pod.demand, pod.slot);
    }
    pod.terminating = true;
  }
  const std::string_view node = text_at(object, {"spec", "nodeName"});
  if (is_over(object)) {
    unplace(pod);
    queue_.erase(turn_of(pod));
    waiting_.erase(pod.serial);
    pod.state = State::kOver;
  } else if (!node.empty()) {
    settle_on(pod, node);
  } else if (pod.state != State::kAssumed && pod.state != State::kBound) {
    // What is seen after a node was chosen may be older than the binding.
    read_pending(pod, object, changed);
  }
}

bool Scheduler::read_demand_of(Pod& pod, const boost::json::object& object) {
  const bool placed = pod.state == State::kAssumed || pod.state == State::kBound;
  // Of a pod on a node only the labels can change, and most changes are of its status.
  if (pod.demand != nullptr && placed && same_labels(pod.demand->what->labels, object)) {
    return false;
  }
  DemandView& demand = cluster_.acquire(read_demand(object));
  if (pod.demand != nullptr) {
    if (placed) {
      const std::string node = cluster_.nodes()[pod.slot].name;
      const Slot slot = cluster_.place(demand, node, pod.terminating);
      cluster_.displace(*pod.demand, pod.slot, pod.terminating);
      pod.slot = slot;
    }
    cluster_.release(*pod.demand);
  }
  return std::exchange(pod.demand, &demand) != &demand;
}

void Scheduler::settle_on(Pod& pod, std::string_view node) {
  const bool placed = pod.state == State::kAssumed || pod.state == State::kBound;
  if (!placed || cluster_.nodes()[pod.slot].name != node) {
    unplace(pod);
    pod.slot = cluster_.place(*pod.demand, node, pod.terminating);
  }
  pod.state = State::kBound;
  queue_.erase(turn_of(pod));
  waiting_.erase(pod.serial);
  retries_.erase(pod.serial);
}

void Scheduler::read_pending(Pod& pod, const boost::json::object& object, bool changed) {
  queue_.erase(turn_of(pod));
  pod.priority = schema::integer_at(object, {"spec", "priority"}).value_or(0);
  if (pod.terminating || !is_ours(object) || is_gated(object)) {
    waiting_.erase(pod.serial);
    pod.state = State::kGated;
  } else if (pod.state != State::kWaiting || changed) {
    enqueue(pod);
  }
}

Scheduler::Turn Scheduler::turn_of(const Pod& pod) {
  return {-pod.priority, pod.created, pod.name, pod.serial};
}

void Scheduler::enqueue(Pod& pod) {
  pod.state = State::kQueued;
  waiting_.erase(pod.serial);
  retries_.erase(pod.serial);
  queue_.insert(turn_of(pod));
}

void Scheduler::pump(Timestamp now) {
  if (!synced_) return;
  if (!next_look_.is_zero() && next_look_ <= now) {
    last_look_ = now;
    next_look_ = {};
    waited_version_ = cluster_.version();
    const std::set<Serial> waiting = std::exchange(waiting_, {});
    for (const Serial serial : waiting) enqueue(pods_.at(serial));
  }
  while (!queue_.empty()) {
    Pod& pod = pods_.at(std::get<Serial>(*queue_.begin()));
    queue_.erase(queue_.begin());
    try_to_place(pod, now);
  }
  if (waiting_.empty()) {
    next_look_ = {};
  } else if (next_look_.is_zero() && waited_version_ != cluster_.version()) {
    next_look_ = last_look_.is_zero() ? later_by(now, kLookInterval)
                                      : std::max(now, later_by(last_look_, kLookInterval));
  }
}

void Scheduler::try_to_place(Pod& pod, Timestamp now) {
  DemandView& demand = *pod.demand;
  // As long as nothing has changed, what held for one of its sort holds for all.
  if (demand.failed_version != cluster_.version()) {
    const std::optional<Slot> slot = choose_node(cluster_, demand);
    if (slot.has_value()) {
      const std::string node = cluster_.nodes()[*slot].name;
      pod.slot = cluster_.place(demand, node, pod.terminating);
      pod.state = State::kAssumed;
      pod.failures = 0;
      send_binding(pod);
      return;
    }
    demand.failed_version = cluster_.version();
    demand.failure = explain(cluster_, demand);
  }
  pod.state = State::kWaiting;
  waiting_.insert(pod.serial);
  tell_why(pod, demand.failure, now);
}

void Scheduler::send_binding(Pod& pod) {
  const boost::json::object binding{
      {"apiVersion", "v1"},
      {"kind", "Binding"},
      {"metadata",
       {{"name", pod.name.name}, {"namespace", pod.name.namespace_name}, {"uid", pod.uid}}},
      {"target",
       {{"apiVersion", "v1"}, {"kind", "Node"}, {"name", cluster_.nodes()[pod.slot].name}}}};
  pod.request_under_way = true;
  outbox_.send(
      model::create_request(model::object_path(*model::pod_kind(), pod.name, "binding"), binding),
      {.pod = pod.serial, .binding = true});
}

void Scheduler::tell_why(Pod& pod, const std::string& message, Timestamp now) {
  const std::size_t hash = std::hash<std::string_view>{}(message);
  if (pod.told == hash || pod.request_under_way) return;
  boost::json::object condition{{"type", "PodScheduled"},
                                {"status", "False"},
                                {"reason", "Unschedulable"},
                                {"message", message}};
  if (pod.told == 0) condition["lastTransitionTime"] = model::time_text(now);
  pod.told = hash;
  pod.request_under_way = true;
  const boost::json::object patch{
      {"metadata", {{"uid", pod.uid}}},
      {"status", {{"conditions", boost::json::array{std::move(condition)}}}}};
  outbox_.send(model::strategic_patch_request(
                   model::object_path(*model::pod_kind(), pod.name, "status"), patch),
               {.pod = pod.serial, .binding = false});
  tell(pod, true, "FailedScheduling", message, now);
}

void Scheduler::answered(model::EffectId id, const model::ApiResponse& response, Timestamp now) {
  const std::optional<Purpose> purpose = outbox_.answered(id);
  if (!purpose.has_value()) return;
  const auto found = pods_.find(purpose->pod);
  if (found == pods_.end()) return;
  Pod& pod = found->second;
  pod.request_under_way = false;
  if (model::succeeded(response)) {
    if (purpose->binding) {
      tell(pod, false, "Scheduled",
           fmt::format("Successfully assigned {}/{} to {}", pod.name.namespace_name, pod.name.name,
                       cluster_.nodes()[pod.slot].name),
           now);
    } else if (pod.state == State::kWaiting && !pod.demand->failure.empty()) {
      // There may be another reason by now.
      tell_why(pod, pod.demand->failure, now);
    }
  } else if (!purpose->binding) {
    pod.told = 0;
    if (pod.state == State::kWaiting) {
      retries_.set(pod.serial, later_by(now, retry_delay_ns(pod.failures++)));
    }
  } else if (pod.state == State::kAssumed) {
    // Refused, or nobody knows. The same again later: another node only after it is sure
    // that this one will not do.
    const bool refused = response.code == 400 || response.code == 403 || response.code == 422;
    if (refused || !cluster_.nodes()[pod.slot].exists) {
      unplace(pod);
      pod.state = State::kWaiting;
      waiting_.insert(pod.serial);
      retries_.set(pod.serial, later_by(now, retry_delay_ns(pod.failures++)));
    } else {
      retries_.set(pod.serial, later_by(now, retry_delay_ns(pod.failures++)));
    }
  }
  pump(now);
}

void Scheduler::tell(const Pod& pod, bool warning, std::string_view reason, std::string message,
                     Timestamp now) {
  if (!settings_.events) return;
  outbox_.send_and_forget(event_request({.kind = model::pod_kind(),
                                         .about = pod.name,
                                         .uid = pod.uid,
                                         .warning = warning,
                                         .reason = reason,
                                         .message = std::move(message),
                                         .component = kOwnName},
                                        now, ++notes_));
}

}  // namespace ebb::nodes
