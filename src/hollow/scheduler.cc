#include "hollow/scheduler.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "hollow/event.h"
#include "hollow/placement.h"
#include "schema/core/json.h"

namespace ebb::hollow {
namespace {

using model::ObjectEvent;
using schema::text_at;

constexpr std::string_view kOwnName = "default-scheduler";
// Waiting pods are retried at most this often, however much changes.
constexpr Nanoseconds kRetryInterval = kNanosecondsPerSecond / 2;

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

// A hash of the reason in the status why the pod waits.
std::size_t reported_reason(const boost::json::object& pod) {
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
  for (const PodSerial serial : retries_.take_due(now)) {
    Pod* found = pods_.find(serial);
    if (found == nullptr) continue;
    Pod& pod = *found;
    if (pod.state == State::kAssumed && !pod.request_in_flight) send_binding(pod);
    if (pod.state == State::kWaiting) enqueue(pod);
  }
  pump(now);
}

Timestamp Scheduler::wake_at() const { return sooner(retries_.next(), next_attempt_); }

void Scheduler::observe_node(const ObjectEvent& event) {
  if (event.type != ObjectEvent::Type::kDeleted) {
    cluster_.set_node(*event.object);
    return;
  }
  const std::string gone(text_at(*event.object, {"metadata", "name"}));
  cluster_.remove_node(gone);
  for (auto& entry : pods_) {
    Pod& pod = entry.second;
    // If a binding succeeded but its response was lost, the watch will show the pod on its node.
    if (pod.state == State::kAssumed && !pod.request_in_flight && pod.failures > 0 &&
        cluster_.nodes()[pod.slot].name == gone) {
      unplace(pod);
      enqueue(pod);
    }
  }
}

Scheduler::Pod& Scheduler::pod_for(const boost::json::object& object) {
  if (Pod* known = pods_.find(object)) return *known;
  if (Pod* replaced = pods_.find(model::name_of(object))) forget(*replaced);
  Pod& pod = pods_.add(object);
  pod.created = model::time_at(object, {"metadata", "creationTimestamp"});
  pod.reported = reported_reason(object);
  return pod;
}

void Scheduler::forget(Pod& pod) {
  unplace(pod);
  queue_.erase(turn_of(pod));
  waiting_.erase(pod.serial);
  retries_.erase(pod.serial);
  if (pod.demand != nullptr) cluster_.release(*pod.demand);
  pods_.erase(pod);
}

// Takes the pod off its node, if it has one. The caller sets the new state.
void Scheduler::unplace(Pod& pod) {
  if (pod.state != State::kAssumed && pod.state != State::kBound) return;
  cluster_.displace(*pod.demand, pod.slot, pod.terminating);
  pod.state = State::kGated;
}

void Scheduler::observe_pod(const ObjectEvent& event) {
  const boost::json::object& object = *event.object;
  if (event.type == ObjectEvent::Type::kDeleted) {
    if (Pod* gone = pods_.find(object)) forget(*gone);
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
    // After a node was chosen, the observed state may be older than the binding.
    read_pending(pod, object, changed);
  }
}

bool Scheduler::read_demand_of(Pod& pod, const boost::json::object& object) {
  const bool placed = pod.state == State::kAssumed || pod.state == State::kBound;
  // For a bound pod only the labels matter, and most changes are to its status.
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
  if (!next_attempt_.is_zero() && next_attempt_ <= now) {
    last_attempt_ = now;
    next_attempt_ = {};
    waited_version_ = cluster_.version();
    const std::set<PodSerial> waiting = std::exchange(waiting_, {});
    for (const PodSerial serial : waiting) enqueue(pods_.at(serial));
  }
  while (!queue_.empty()) {
    Pod& pod = pods_.at(std::get<PodSerial>(*queue_.begin()));
    queue_.erase(queue_.begin());
    try_to_place(pod, now);
  }
  if (waiting_.empty()) {
    next_attempt_ = {};
  } else if (next_attempt_.is_zero() && waited_version_ != cluster_.version()) {
    next_attempt_ = last_attempt_.is_zero()
                        ? later_by(now, kRetryInterval)
                        : std::max(now, later_by(last_attempt_, kRetryInterval));
  }
}

void Scheduler::try_to_place(Pod& pod, Timestamp now) {
  DemandView& demand = *pod.demand;
  // While the cluster is unchanged, a failure holds for all pods with the same demand.
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
  report_unschedulable(pod, demand.failure, now);
}

void Scheduler::send_binding(Pod& pod) {
  const boost::json::object binding{
      {"apiVersion", "v1"},
      {"kind", "Binding"},
      {"metadata",
       {{"name", pod.name.name}, {"namespace", pod.name.namespace_name}, {"uid", pod.uid}}},
      {"target",
       {{"apiVersion", "v1"}, {"kind", "Node"}, {"name", cluster_.nodes()[pod.slot].name}}}};
  pod.request_in_flight = true;
  outbox_.send(
      model::create_request(model::object_path(*model::pod_kind(), pod.name, "binding"), binding),
      {.pod = pod.serial, .binding = true});
}

void Scheduler::report_unschedulable(Pod& pod, const std::string& message, Timestamp now) {
  const std::size_t hash = std::hash<std::string_view>{}(message);
  if (pod.reported == hash || pod.request_in_flight) return;
  boost::json::object condition{{"type", "PodScheduled"},
                                {"status", "False"},
                                {"reason", "Unschedulable"},
                                {"message", message}};
  if (pod.reported == 0) condition["lastTransitionTime"] = model::time_text(now);
  pod.reported = hash;
  pod.request_in_flight = true;
  const boost::json::object patch{
      {"metadata", {{"uid", pod.uid}}},
      {"status", {{"conditions", boost::json::array{std::move(condition)}}}}};
  outbox_.send(model::strategic_patch_request(
                   model::object_path(*model::pod_kind(), pod.name, "status"), patch),
               {.pod = pod.serial, .binding = false});
  record_event(pod, true, "FailedScheduling", message, now);
}

void Scheduler::answered(model::EffectId id, const model::ApiResponse& response, Timestamp now) {
  const std::optional<Purpose> purpose = outbox_.answered(id);
  if (!purpose.has_value()) return;
  Pod* found = pods_.find(purpose->pod);
  if (found == nullptr) return;
  Pod& pod = *found;
  pod.request_in_flight = false;
  if (model::succeeded(response)) {
    if (purpose->binding) {
      record_event(pod, false, "Scheduled",
                   fmt::format("Successfully assigned {}/{} to {}", pod.name.namespace_name,
                               pod.name.name, cluster_.nodes()[pod.slot].name),
                   now);
    } else if (pod.state == State::kWaiting && !pod.demand->failure.empty()) {
      // The reason may have changed.
      report_unschedulable(pod, pod.demand->failure, now);
    }
  } else if (!purpose->binding) {
    pod.reported = 0;
    if (pod.state == State::kWaiting) {
      retries_.set(pod.serial, later_by(now, retry_delay_ns(pod.failures++)));
    }
  } else if (pod.state == State::kAssumed) {
    // Refused, or the outcome is unknown. Retry the same node later; choose another only if this
    // one is certain to fail.
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

void Scheduler::record_event(const Pod& pod, bool warning, std::string_view reason,
                             std::string message, Timestamp now) {
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

}  // namespace ebb::hollow
