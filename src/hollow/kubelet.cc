#include "hollow/kubelet.h"

#include <algorithm>

#include <fmt/format.h>

#include "hollow/event.h"
#include "hollow/node_object.h"
#include "schema/core/json.h"

namespace ebb::hollow {
namespace {

using model::ObjectEvent;
using schema::text_at;

// 10.240.0.0/12, without its first address.
constexpr Address kFirstPodAddress = (10U << 24U) | (240U << 16U) | 1U;
constexpr std::uint32_t kPodAddresses = (1U << 20U) - 2;

constexpr std::uint64_t kForTermination = 4;  // purposes in pod_lifecycle.cc are smaller

}  // namespace

Kubelet::Kubelet(const Settings& settings)
    : settings_(settings), addresses_(kFirstPodAddress, kPodAddresses) {}

std::vector<const schema::Kind*> Kubelet::watched() const {
  return {model::node_kind(), model::pod_kind()};
}

void Kubelet::observe(const ObjectEvent& event, Timestamp now) {
  if (event.kind == model::pod_kind()) observe_pod(event, now);
  if (event.kind == model::node_kind()) observe_node(event, now);
}

void Kubelet::synced(Timestamp now) {
  synced_ = true;
  for (auto& entry : pods_) reconcile(entry.second, now);
}

void Kubelet::wake(Timestamp now) {
  for (const PodSerial serial : deadlines_.take_due(now)) {
    if (Pod* pod = pods_.find(serial)) reconcile(*pod, now);
  }
}

Kubelet::Pod& Kubelet::pod_for(const boost::json::object& object) {
  if (Pod* known = pods_.find(object)) return *known;
  // A pod of the same name was replaced, and its deletion was not observed.
  if (Pod* replaced = pods_.find(model::name_of(object))) forget(*replaced);
  Pod& pod = pods_.add(object);
  pod.random = random_of(settings_.seed, pod.uid);
  return pod;
}

void Kubelet::forget(Pod& pod) {
  if (pod.address.has_value()) addresses_.release(*pod.address);
  if (!pod.node.empty()) {
    const auto node = nodes_.find(pod.node);
    node->second.pods.erase(pod.serial);
    if (node->second.pods.empty() && !node->second.exists) nodes_.erase(node);
  }
  plans_.release(std::move(pod.plan));
  deadlines_.erase(pod.serial);
  pods_.erase(pod);
}

void Kubelet::observe_pod(const ObjectEvent& event, Timestamp now) {
  const boost::json::object& object = *event.object;
  if (event.type == ObjectEvent::Type::kDeleted) {
    if (Pod* gone = pods_.find(object)) forget(*gone);
    return;
  }
  if (text_at(object, {"spec", "nodeName"}).empty()) return;
  Pod& pod = pod_for(object);
  if (pod.node.empty()) bind(pod, object, now);
  note_deletion(pod, object, now);
  reconcile(pod, now);
}

void Kubelet::bind(Pod& pod, const boost::json::object& object, Timestamp now) {
  pod.node = text_at(object, {"spec", "nodeName"});
  pod.plan = plans_.share(read_plan(object));
  pod.life = resume_pod(object);
  pod.bound = pod.life.has_value() ? pod.life->accepted : now;
  // A finished pod's address may have been allocated to another pod since.
  const bool over = pod.life.has_value() && pod.life->is_over();
  if (!pod.plan->on_host_network && !over) {
    pod.address = parse_address(text_at(object, {"status", "podIP"}));
    if (pod.address.has_value()) addresses_.mark(*pod.address);
  }
  Node& node = nodes_[pod.node];
  node.pods.insert(pod.serial);
  pod.lost_at = node.exists ? Timestamp{} : later_by(now, settings_.lost_node_ns);
  pod.evict_at = eviction_time(node.taints, pod.plan->tolerations, pod.bound);
}

void Kubelet::note_deletion(Pod& pod, const boost::json::object& object, Timestamp now) {
  if (text_at(object, {"metadata", "deletionTimestamp"}).empty()) return;
  const std::int64_t grace = std::max<std::int64_t>(
      schema::integer_at(object, {"metadata", "deletionGracePeriodSeconds"}).value_or(0), 0);
  const bool first = pod.grace_seconds < 0;
  if (!first && grace >= pod.grace_seconds) return;
  pod.grace_seconds = grace;
  Nanoseconds wait = draw(settings_.termination, pod.random, kForTermination);
  if (grace < wait / kNanosecondsPerSecond + 1) {
    wait = std::min(wait, grace * kNanosecondsPerSecond);
  }
  pod.remove_at = later_by(now, wait);
  // A delete without grace period was already accepted; only finalizers keep the pod.
  pod.removed = grace == 0;
  if (pod.life.has_value() && pod.life->has_running_containers() && first && !pod.removed) {
    for (const PodPlan::Container& container : pod.plan->containers) {
      record_event(pod, false, "Killing", fmt::format("Stopping container {}", container.name),
                   now);
    }
  }
}

void Kubelet::observe_node(const ObjectEvent& event, Timestamp now) {
  const boost::json::object& object = *event.object;
  const std::string name(text_at(object, {"metadata", "name"}));
  Node& node = nodes_[name];
  const bool existed = std::exchange(node.exists, event.type != ObjectEvent::Type::kDeleted);
  node.address = internal_address(object);
  std::vector<Taint> taints = node.exists ? read_taints(object) : std::vector<Taint>{};
  std::erase_if(taints, [](const Taint& taint) { return taint.effect != "NoExecute"; });
  for (Taint& taint : taints) {
    // A taint that stays keeps its time when other taints change.
    const auto same = std::find_if(node.taints.begin(), node.taints.end(), [&](const Taint& old) {
      return old.key == taint.key && old.value == taint.value;
    });
    if (taint.added.is_zero()) taint.added = same == node.taints.end() ? now : same->added;
  }
  if (existed == node.exists && node.taints == taints) return;
  node.taints = std::move(taints);
  for (const PodSerial serial : node.pods) {
    Pod& pod = pods_.at(serial);
    pod.lost_at = node.exists ? Timestamp{} : later_by(now, settings_.lost_node_ns);
    pod.evict_at = eviction_time(node.taints, pod.plan->tolerations, pod.bound);
    reconcile(pod, now);
  }
  if (!node.exists && node.pods.empty()) nodes_.erase(name);
}

void Kubelet::reconcile(Pod& pod, Timestamp now) {
  if (!synced_) return;
  const Node& node = nodes_.at(pod.node);
  const auto due = [&](Timestamp time) { return !time.is_zero() && time <= now; };
  const bool may_send = !pod.request_in_flight && (pod.retry_at.is_zero() || pod.retry_at <= now);
  const std::string path = model::object_path(*model::pod_kind(), pod.name);

  if (!pod.remove_at.is_zero() || !pod.lost_at.is_zero()) {
    // The hollow kubelet alone removes pods, also in place of the pod garbage collector if their
    // node is gone.
    if ((due(pod.remove_at) || due(pod.lost_at)) && !pod.removed && may_send) {
      send(pod, Task::kRemove, model::delete_request(path, {.uid = pod.uid, .grace_seconds = 0}));
    }
  } else {
    if (node.exists) live(pod, now);
    if (due(pod.evict_at) && may_send) {
      record_event(
          pod, false, "TaintManagerEviction",
          fmt::format("Marking for deletion Pod {}/{}", pod.name.namespace_name, pod.name.name),
          now, "taint-eviction-controller");
      send(pod, Task::kEvict, model::delete_request(path, {.uid = pod.uid}));
    } else if (pod.status_owed && may_send) {
      send_status(pod, node);
    }
  }
  deadlines_.set(pod.serial, deadline(pod));
}

void Kubelet::live(Pod& pod, Timestamp now) {
  if (!pod.life.has_value()) {
    pod.life = accept_pod(*pod.plan, now);
    pod.status_owed = true;
    for (const std::string& complaint : pod.plan->complaints) {
      record_event(pod, true, "InvalidAnnotation", complaint, now);
    }
  }
  for (;;) {
    const Timestamp next = next_step_at(*pod.life, *pod.plan, settings_, pod.random);
    if (next.is_zero() || next > now) break;
    const Stage before = pod.life->stage;
    take_step(*pod.life, *pod.plan, settings_, pod.random, now);
    pod.status_owed = true;
    record_step_events(pod, before, now);
  }
  const bool started = pod.life->stage != Stage::kCreating;
  if (started && !pod.address.has_value() && !pod.plan->on_host_network && !pod.life->is_over()) {
    pod.address = addresses_.take();
  }
  // A finished pod releases its address, but its status keeps it.
  if (pod.life->is_over() && !pod.status_owed && pod.address.has_value()) {
    addresses_.release(*pod.address);
    pod.address.reset();
  }
}

void Kubelet::record_step_events(const Pod& pod, Stage before, Timestamp now) {
  const Stage after = pod.life->stage;
  for (const PodPlan::Container& container : pod.plan->containers) {
    if (after == Stage::kRunning && before != Stage::kReady) {
      record_event(pod, false, "Created", fmt::format("Container created: {}", container.name),
                   now);
      record_event(pod, false, "Started", fmt::format("Container started: {}", container.name),
                   now);
    }
    if (after == Stage::kBackOff) {
      record_event(pod, true, "BackOff",
                   fmt::format("Back-off restarting failed container {} in pod {}_{}({})",
                               container.name, pod.name.name, pod.name.namespace_name, pod.uid),
                   now);
    }
  }
}

void Kubelet::send(Pod& pod, Task task, model::ApiRequest request) {
  pod.request_in_flight = true;
  pod.retry_at = {};
  outbox_.send(std::move(request), {.pod = pod.serial, .task = task});
}

void Kubelet::send_status(Pod& pod, const Node& node) {
  const std::string address = pod.address.has_value()
                                  ? address_text(*pod.address)
                                  : (pod.plan->on_host_network ? node.address : std::string());
  const boost::json::object patch{
      // The uid prevents the status of one pod from being written to its successor.
      {"metadata", {{"uid", pod.uid}}},
      {"status",
       status_of(*pod.life, *pod.plan, {.host_ip = node.address, .pod_ip = address}, pod.uid)}};
  pod.status_owed = false;
  send(pod, Task::kStatus,
       model::strategic_patch_request(model::object_path(*model::pod_kind(), pod.name, "status"),
                                      patch));
}

void Kubelet::answered(model::EffectId id, const model::ApiResponse& response, Timestamp now) {
  const std::optional<Purpose> purpose = outbox_.answered(id);
  if (!purpose.has_value()) return;
  Pod* found = pods_.find(purpose->pod);
  if (found == nullptr) return;
  Pod& pod = *found;
  pod.request_in_flight = false;
  if (model::succeeded(response)) {
    pod.failures = 0;
    if (purpose->task == Task::kRemove) pod.removed = true;
    // The pod is terminating now; its deletionTimestamp determines when it goes.
    if (purpose->task == Task::kEvict) pod.evict_at = {};
  } else {
    // After any failure the pod is synced again. A pod that is gone is forgotten when the watch
    // reports it.
    if (purpose->task == Task::kStatus) pod.status_owed = true;
    pod.retry_at = later_by(now, retry_delay_ns(pod.failures++));
  }
  reconcile(pod, now);
}

Timestamp Kubelet::deadline(const Pod& pod) const {
  // The response triggers the next sync.
  if (pod.request_in_flight) return {};
  Timestamp next;
  if (!pod.remove_at.is_zero() || !pod.lost_at.is_zero()) {
    if (!pod.removed) next = sooner(pod.remove_at, pod.lost_at);
  } else {
    next = pod.evict_at;
    if (pod.life.has_value()) {
      next = sooner(next, next_step_at(*pod.life, *pod.plan, settings_, pod.random));
    }
    if (pod.status_owed) next = sooner(next, pod.retry_at);
  }
  // Nothing is sent before a retry is due.
  if (!next.is_zero() && !pod.retry_at.is_zero()) next = std::max(next, pod.retry_at);
  return next;
}

void Kubelet::record_event(const Pod& pod, bool warning, std::string_view reason,
                           std::string message, Timestamp now, std::string_view component) {
  if (!settings_.events) return;
  outbox_.send_and_forget(event_request(
      {.kind = model::pod_kind(),
       .about = pod.name,
       .uid = pod.uid,
       .warning = warning,
       .reason = reason,
       .message = std::move(message),
       .component = component,
       .host = component == "kubelet" ? std::string_view(pod.node) : std::string_view()},
      now, ++notes_));
}

}  // namespace ebb::hollow
