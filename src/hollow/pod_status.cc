// Converts a pod's lifecycle to its status, and back after a restart.
#include <algorithm>

#include <fmt/format.h>

#include "hollow/pod_lifecycle.h"
#include "hollow/repeatable_random.h"
#include "model/api/requests.h"
#include "schema/core/json.h"

namespace ebb::hollow {
namespace {

using boost::json::array;
using boost::json::object;
using schema::array_at;
using schema::integer_at;
using schema::object_at;
using schema::text_at;

std::string container_id(std::string_view uid, std::string_view container, std::uint32_t start) {
  const std::uint64_t random = random_of(start, uid);
  return fmt::format("ebb://{:016x}{:016x}", random_of(random, container), scramble(random));
}

object running(Timestamp since) { return {{"running", {{"startedAt", model::time_text(since)}}}}; }

object waiting(std::string_view reason, std::string_view message = {}) {
  object state{{"reason", reason}};
  if (!message.empty()) state["message"] = message;
  return {{"waiting", std::move(state)}};
}

object terminated(int exit_code, Timestamp started, Timestamp finished, const std::string& id) {
  return {{"terminated",
           {{"exitCode", exit_code},
            {"reason", exit_code == 0 ? "Completed" : "Error"},
            {"startedAt", model::time_text(started)},
            {"finishedAt", model::time_text(finished)},
            {"containerID", id}}}};
}

object container_status(const PodPlan::Container& container, object state, bool started,
                        bool ready) {
  return {{"name", container.name},
          {"image", container.image},
          {"imageID", started || ready ? container.image : std::string()},
          {"started", started},
          {"ready", ready},
          {"restartCount", 0},
          {"state", std::move(state)},
          {"lastState", object()}};
}

array init_statuses(const PodLifecycle& life, const PodPlan& plan, std::string_view uid) {
  array statuses;
  for (std::uint32_t i = 0; i < plan.inits.size(); ++i) {
    const PodPlan::Container& init = plan.inits[i];
    const std::string id = container_id(uid, init.name, 0);
    const bool done = i < life.inits_done;
    if (done && init.sidecar && !life.is_over()) {
      statuses.push_back(container_status(init, running(life.accepted), true, true));
    } else if (done) {
      const Timestamp finished = life.initialized.is_zero() ? life.since : life.initialized;
      object state = terminated(0, life.accepted, finished, id);
      statuses.push_back(container_status(init, std::move(state), false, !init.sidecar));
    } else if (i == life.inits_done) {
      statuses.push_back(container_status(init, running(life.since), true, false));
    } else {
      statuses.push_back(container_status(init, waiting("PodInitializing"), false, false));
    }
  }
  return statuses;
}

object main_state(const PodLifecycle& life, const PodPlan& plan, const std::string& id) {
  switch (life.stage) {
    case Stage::kCreating:
      return waiting(plan.inits.empty() ? "ContainerCreating" : "PodInitializing");
    case Stage::kRunning:
    case Stage::kReady:
      return running(life.started);
    case Stage::kBackOff:
      return waiting("CrashLoopBackOff", "back-off restarting failed container");
    case Stage::kSucceeded:
    case Stage::kFailed:
      return terminated(life.stage == Stage::kSucceeded ? 0 : 1, life.started, life.died, id);
  }
  return {};
}

array main_statuses(const PodLifecycle& life, const PodPlan& plan, std::string_view uid) {
  array statuses;
  for (std::size_t i = 0; i < plan.containers.size(); ++i) {
    const PodPlan::Container& container = plan.containers[i];
    const std::string id = container_id(uid, container.name, life.restarts);
    object status = container_status(container, main_state(life, plan, id),
                                     life.has_running_containers(), life.stage == Stage::kReady);
    status["restartCount"] = life.restarts;
    if (life.stage != Stage::kCreating) status["containerID"] = id;
    if (!life.died.is_zero() && !life.is_over()) {
      const bool restarted = life.stage != Stage::kBackOff && life.restarts > 0;
      const std::uint32_t start = life.restarts - (restarted ? 1U : 0U);
      status["lastState"] =
          terminated(1, life.lived_since, life.died, container_id(uid, container.name, start));
    }
    statuses.push_back(std::move(status));
  }
  return statuses;
}

object condition(std::string_view type, bool holds, Timestamp since, std::string_view reason = {},
                 std::string_view message = {}) {
  object result{{"type", type},
                {"status", holds ? "True" : "False"},
                {"lastTransitionTime", model::time_text(since)}};
  // The patch must contain null; otherwise the reason and message of an earlier state would stay.
  result["reason"] = reason.empty() ? boost::json::value() : boost::json::value(reason);
  result["message"] = message.empty() ? boost::json::value() : boost::json::value(message);
  return result;
}

array conditions(const PodLifecycle& life, const PodPlan& plan) {
  std::string names;
  for (const PodPlan::Container& container : plan.containers) {
    names += fmt::format("{}{}", names.empty() ? "" : " ", container.name);
  }
  const bool ready = life.stage == Stage::kReady;
  std::string_view reason = "ContainersNotReady";
  std::string message = fmt::format("containers with unready status: [{}]", names);
  if (life.stage == Stage::kSucceeded) reason = "PodCompleted";
  if (life.stage == Stage::kFailed) reason = "PodFailed";
  if (ready) reason = {};
  if (ready || life.is_over()) message.clear();
  const bool initialized = !life.initialized.is_zero();
  const bool created = initialized && life.stage != Stage::kCreating;
  return {condition("PodReadyToStartContainers", created && !life.is_over(),
                    life.is_over() ? life.died : (created ? life.started : life.accepted)),
          condition("Initialized", initialized, initialized ? life.initialized : life.accepted,
                    initialized ? "" : "ContainersNotInitialized"),
          condition("Ready", ready, life.readiness, reason, message),
          condition("ContainersReady", ready, life.readiness, reason, message),
          condition("PodScheduled", true, life.accepted)};
}

std::string_view phase(const PodLifecycle& life) {
  switch (life.stage) {
    case Stage::kCreating:
      return "Pending";
    case Stage::kSucceeded:
      return "Succeeded";
    case Stage::kFailed:
      return "Failed";
    default:
      return "Running";
  }
}

// Calls `read` with each object of a list in the status.
template <class Read>
void for_each_of(const object& pod, std::string_view field, const Read& read) {
  const array* all = array_at(pod, {"status", field});
  if (all == nullptr) return;
  for (const boost::json::value& entry : *all) {
    if (entry.is_object()) read(entry.get_object());
  }
}

void resume_condition(PodLifecycle& life, const object& found) {
  const std::string_view type = text_at(found, {"type"});
  const bool holds = text_at(found, {"status"}) == "True";
  const Timestamp since = model::time_at(found, {"lastTransitionTime"});
  if (type == "Ready") {
    life.readiness = since.is_zero() ? life.accepted : since;
    life.stage = holds ? Stage::kReady : Stage::kRunning;
  }
  if (type == "Initialized") life.initialized = holds ? since : Timestamp{};
}

void resume_container(PodLifecycle& life, const object& status) {
  life.restarts = static_cast<std::uint32_t>(
      std::clamp<std::int64_t>(integer_at(status, {"restartCount"}).value_or(0), 0, 1 << 30));
  const Timestamp started = model::time_at(status, {"state", "running", "startedAt"});
  if (!started.is_zero()) life.started = started;
  const Timestamp died = model::time_at(status, {"lastState", "terminated", "finishedAt"});
  if (!died.is_zero()) {
    life.died = died;
    life.lived_since = model::time_at(status, {"lastState", "terminated", "startedAt"});
  }
  if (text_at(status, {"state", "waiting", "reason"}) == "CrashLoopBackOff") {
    life.stage = Stage::kBackOff;
    life.since = life.died.is_zero() ? life.accepted : life.died;
  }
}

}  // namespace

object status_of(const PodLifecycle& life, const PodPlan& plan, const PodPlace& place,
                 std::string_view uid) {
  object status{{"phase", phase(life)},
                {"startTime", model::time_text(life.accepted)},
                {"conditions", conditions(life, plan)},
                {"containerStatuses", main_statuses(life, plan, uid)}};
  if (!plan.inits.empty()) status["initContainerStatuses"] = init_statuses(life, plan, uid);
  if (!place.host_ip.empty()) {
    status["hostIP"] = place.host_ip;
    status["hostIPs"] = array{object{{"ip", place.host_ip}}};
  }
  if (!place.pod_ip.empty()) {
    status["podIP"] = place.pod_ip;
    status["podIPs"] = array{object{{"ip", place.pod_ip}}};
  }
  return status;
}

std::optional<PodLifecycle> resume_pod(const object& pod) {
  PodLifecycle life;
  life.accepted = model::time_at(pod, {"status", "startTime"});
  if (life.accepted.is_zero()) return std::nullopt;
  life.since = life.initialized = life.started = life.readiness = life.accepted;
  const std::string_view phase_text = text_at(pod, {"status", "phase"});
  for_each_of(pod, "conditions", [&](const object& each) { resume_condition(life, each); });
  if (phase_text == "Pending") life.stage = Stage::kCreating;
  for_each_of(pod, "initContainerStatuses", [&](const object& each) {
    const bool through =
        object_at(each, {"state", "terminated"}) != nullptr || schema::is_true_at(each, {"ready"});
    if (through) ++life.inits_done;
  });
  for_each_of(pod, "containerStatuses", [&](const object& each) { resume_container(life, each); });
  if (phase_text == "Succeeded") life.stage = Stage::kSucceeded;
  if (phase_text == "Failed") life.stage = Stage::kFailed;
  if (life.is_over() && life.died.is_zero()) {
    life.died = life.readiness;
    life.lived_since = life.started;
  }
  return life;
}

}  // namespace ebb::hollow
