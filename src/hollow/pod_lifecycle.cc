#include "hollow/pod_lifecycle.h"

#include <algorithm>

#include "base/deadline_queue.h"
#include "model/api/requests.h"
#include "schema/core/json.h"

namespace ebb::hollow {
namespace {

using schema::array_at;
using schema::text_at;

// The purpose of a random delay, so that delays are independent of each other.
enum Purpose : std::uint64_t { kForStart = 1, kForReady = 2, kForInit = 3 };

std::vector<PodPlan::Container> read_containers(const boost::json::object& pod,
                                                std::string_view field) {
  std::vector<PodPlan::Container> containers;
  const boost::json::array* entries = array_at(pod, {"spec", field});
  if (entries == nullptr) return containers;
  for (const boost::json::value& entry : *entries) {
    const boost::json::object* container = entry.if_object();
    if (container == nullptr) continue;
    containers.push_back({.name = std::string(text_at(*container, {"name"})),
                          .image = std::string(text_at(*container, {"image"})),
                          .sidecar = text_at(*container, {"restartPolicy"}) == "Always"});
  }
  return containers;
}

// Each start of a container draws new delays.
std::uint64_t purpose(Purpose what, std::uint32_t round) {
  return what | (static_cast<std::uint64_t>(round) << 8U);
}

Timestamp running_step_at(const PodLifecycle& life, const PodPlan& plan, const Settings& settings,
                          std::uint64_t random) {
  Timestamp at;
  if (plan.script.crash_every_ns.has_value()) {
    at = later_by(life.started, *plan.script.crash_every_ns);
  }
  if (plan.script.complete_after_ns.has_value()) {
    at = sooner(at, later_by(life.started, *plan.script.complete_after_ns));
  }
  if (life.stage == Stage::kRunning && !plan.script.never_ready) {
    const Nanoseconds delay = plan.script.ready_delay_ns.value_or(
        draw(settings.ready_delay, random, purpose(kForReady, life.restarts)));
    at = sooner(at, later_by(life.started, delay));
  }
  return at;
}

void start_containers(PodLifecycle& life, Timestamp now) {
  life.stage = Stage::kRunning;
  life.started = now;
}

void stop_being_ready(PodLifecycle& life, Timestamp now) {
  if (life.stage == Stage::kReady) life.readiness = now;
  life.died = now;
  life.lived_since = life.started;
}

// Takes the next step that is due while the containers run.
void take_running_step(PodLifecycle& life, const PodPlan& plan, Timestamp now) {
  const PodScript& script = plan.script;
  if (script.complete_after_ns.has_value() &&
      later_by(life.started, *script.complete_after_ns) <= now) {
    stop_being_ready(life, now);
    life.stage = Stage::kSucceeded;
  } else if (script.crash_every_ns.has_value() &&
             later_by(life.started, *script.crash_every_ns) <= now) {
    stop_being_ready(life, now);
    life.stage = plan.restarts ? Stage::kBackOff : Stage::kFailed;
  } else {
    life.stage = Stage::kReady;
    life.readiness = now;
  }
}

}  // namespace

PodPlan read_plan(const boost::json::object& pod) {
  PodPlan plan;
  plan.inits = read_containers(pod, "initContainers");
  plan.containers = read_containers(pod, "containers");
  plan.restarts = text_at(pod, {"spec", "restartPolicy"}) != "Never";
  plan.on_host_network = schema::is_true_at(pod, {"spec", "hostNetwork"});
  plan.tolerations = read_tolerations(pod);
  plan.script = read_script(pod, plan.complaints);
  return plan;
}

PodLifecycle accept_pod(const PodPlan& plan, Timestamp now) {
  PodLifecycle life;
  life.accepted = life.since = life.readiness = now;
  if (plan.inits.empty()) life.initialized = now;
  return life;
}

Timestamp next_step_at(const PodLifecycle& life, const PodPlan& plan, const Settings& settings,
                       std::uint64_t random) {
  switch (life.stage) {
    case Stage::kCreating: {
      if (life.inits_done < plan.inits.size()) {
        const std::uint64_t round = purpose(kForInit, life.inits_done);
        return later_by(life.since, draw(settings.start_delay, random, round));
      }
      return later_by(life.since, plan.script.start_delay_ns.value_or(
                                      draw(settings.start_delay, random, purpose(kForStart, 0))));
    }
    case Stage::kRunning:
    case Stage::kReady:
      return running_step_at(life, plan, settings, random);
    case Stage::kBackOff:
      return later_by(life.since, settings.crash_backoff_ns);
    case Stage::kSucceeded:
    case Stage::kFailed:
      return {};
  }
  return {};
}

void take_step(PodLifecycle& life, const PodPlan& plan, const Settings& settings,
               std::uint64_t random, Timestamp now) {
  const Timestamp due = next_step_at(life, plan, settings, random);
  if (due.is_zero() || due > now) return;
  switch (life.stage) {
    case Stage::kCreating:
      if (life.inits_done < plan.inits.size()) {
        ++life.inits_done;
        if (life.inits_done == plan.inits.size()) life.initialized = now;
      } else {
        start_containers(life, now);
      }
      break;
    case Stage::kRunning:
    case Stage::kReady:
      take_running_step(life, plan, now);
      break;
    case Stage::kBackOff:
      ++life.restarts;
      start_containers(life, now);
      break;
    case Stage::kSucceeded:
    case Stage::kFailed:
      break;
  }
  life.since = now;
}

}  // namespace ebb::hollow
