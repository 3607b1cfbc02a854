// The columns of pods. READY, STATUS and RESTARTS come from one walk over the containers' states:
// init containers in order up to the first that is not done; then, if none blocks the pod, the
// others from last to first, so that the state of the first one is shown.
#include <fmt/format.h>

#include "schema/columns/cells.h"
#include "schema/columns/printer_columns.h"
#include "schema/core/time.h"

namespace ebb::schema {
namespace {

struct Summary {
  std::int64_t containers = 0;
  std::int64_t ready = 0;
  std::int64_t restarts = 0;
  Timestamp last_restart;
  std::string status;
};

// The entries of a list that are objects.
template <class Visit>
void each_object(const json::array* list, Visit visit) {
  if (list == nullptr) return;
  for (const json::value& one : *list) {
    if (const json::object* object = one.if_object()) visit(*object);
  }
}

std::size_t size_of(const json::array* list) { return list == nullptr ? 0 : list->size(); }

// A sidecar is an init container that keeps running.
bool is_sidecar(const json::object& container) {
  return text_at(container, {"restartPolicy"}) == "Always";
}

bool is_sidecar(const json::object& pod, std::string_view name) {
  bool found = false;
  each_object(array_at(pod, {"spec", "initContainers"}), [&](const json::object& container) {
    found = found || (text_at(container, {"name"}) == name && is_sidecar(container));
  });
  return found;
}

struct Restarts {
  std::int64_t count = 0;
  Timestamp last;

  void add(const json::object& status) {
    count += integer_at(status, {"restartCount"}).value_or(0);
    const auto finished = parse_time(text_at(status, {"lastState", "terminated", "finishedAt"}));
    if (finished && last < *finished) last = *finished;
  }
};

// OOMKilled, Signal:9, ExitCode:1
std::string termination_reason(const json::object& terminated) {
  const std::string_view reason = text_at(terminated, {"reason"});
  if (!reason.empty()) return std::string(reason);
  if (const auto signal = integer_at(terminated, {"signal"}).value_or(0); signal != 0) {
    return fmt::format("Signal:{}", signal);
  }
  return fmt::format("ExitCode:{}", integer_at(terminated, {"exitCode"}).value_or(0));
}

bool succeeded(const json::object& status) {
  const json::object* terminated = object_at(status, {"state", "terminated"});
  return terminated != nullptr && integer_at(*terminated, {"exitCode"}).value_or(0) == 0;
}

// The status of an init container that is not done: Init:1/3, Init:CrashLoopBackOff. Empty if it is
// done, or is a sidecar that has started.
std::string holding_up(const json::object& status, bool sidecar, std::size_t index,
                       std::size_t count) {
  if (succeeded(status) || (sidecar && is_true_at(status, {"started"}))) return {};
  if (const json::object* terminated = object_at(status, {"state", "terminated"})) {
    return "Init:" + termination_reason(*terminated);
  }
  const std::string_view waiting = text_at(status, {"state", "waiting", "reason"});
  if (!waiting.empty() && waiting != "PodInitializing") return fmt::format("Init:{}", waiting);
  return fmt::format("Init:{}/{}", index, count);
}

// Returns true if the pod is still being initialized.
bool walk_init_containers(const json::object& pod, Summary& summary, Restarts& all,
                          Restarts& sidecars) {
  const std::size_t count = size_of(array_at(pod, {"spec", "initContainers"}));
  const json::array* statuses = array_at(pod, {"status", "initContainerStatuses"});
  for (std::size_t i = 0; i < size_of(statuses); ++i) {
    const json::object* status = (*statuses)[i].if_object();
    if (status == nullptr) continue;
    const bool sidecar = is_sidecar(pod, text_at(*status, {"name"}));
    all.add(*status);
    if (sidecar) sidecars.add(*status);
    std::string reason = holding_up(*status, sidecar, i, count);
    if (!reason.empty()) {
      summary.status = std::move(reason);
      return true;
    }
    if (sidecar && !succeeded(*status) && is_true_at(*status, {"ready"})) ++summary.ready;
  }
  return false;
}

void walk_containers(const json::object& pod, Summary& summary, Restarts& restarts) {
  bool running = false;
  std::string failure;
  const json::array* statuses = array_at(pod, {"status", "containerStatuses"});
  for (std::size_t i = size_of(statuses); i-- > 0;) {
    const json::object* status = (*statuses)[i].if_object();
    if (status == nullptr) continue;
    restarts.add(*status);
    const std::string_view waiting = text_at(*status, {"state", "waiting", "reason"});
    if (!waiting.empty()) {
      summary.status = waiting;
    } else if (const json::object* terminated = object_at(*status, {"state", "terminated"})) {
      summary.status = termination_reason(*terminated);
      if (integer_at(*terminated, {"exitCode"}).value_or(0) != 0) failure = summary.status;
    } else if (is_true_at(*status, {"ready"}) && lookup(*status, {"state", "running"})) {
      running = true;
      ++summary.ready;
    }
  }
  // Some containers have completed, but not the whole pod.
  if (summary.status != "Completed") return;
  if (running && condition_status(pod, "Ready") == "True") {
    summary.status = "Running";
  } else if (!failure.empty()) {
    summary.status = failure;
  } else if (running) {
    summary.status = "NotReady";
  }
}

std::string status_of_pod(const json::object& pod) {
  std::string status(
      or_else(text_at(pod, {"status", "reason"}), text_at(pod, {"status", "phase"})));
  each_object(array_at(pod, {"status", "conditions"}), [&](const json::object& condition) {
    if (text_at(condition, {"type"}) == "PodScheduled" &&
        text_at(condition, {"reason"}) == "SchedulingGated") {
      status = "SchedulingGated";
    }
  });
  return status;
}

Summary summarize(const json::object& pod) {
  Summary summary;
  summary.status = status_of_pod(pod);
  summary.containers = static_cast<std::int64_t>(size_of(array_at(pod, {"spec", "containers"})));
  each_object(array_at(pod, {"spec", "initContainers"}), [&](const json::object& container) {
    if (is_sidecar(container)) ++summary.containers;
  });

  Restarts restarts;
  Restarts of_sidecars;
  const bool initializing = walk_init_containers(pod, summary, restarts, of_sidecars);
  if (!initializing || condition_status(pod, "Initialized") == "True") {
    restarts = of_sidecars;
    walk_containers(pod, summary, restarts);
  }
  summary.restarts = restarts.count;
  summary.last_restart = restarts.last;

  if (lookup(pod, {"metadata", "deletionTimestamp"}) != nullptr) {
    const std::string_view phase = text_at(pod, {"status", "phase"});
    if (text_at(pod, {"status", "reason"}) == "NodeLost") {
      summary.status = "Unknown";
    } else if (phase != "Succeeded" && phase != "Failed") {
      summary.status = "Terminating";
    }
  }
  return summary;
}

json::value pod_ready_cell(const json::object& pod, Timestamp /*now*/) {
  const Summary summary = summarize(pod);
  return json::value(fmt::format("{}/{}", summary.ready, summary.containers));
}

json::value pod_status_cell(const json::object& pod, Timestamp /*now*/) {
  return json::value(summarize(pod).status);
}

json::value restarts_cell(const json::object& pod, Timestamp now) {
  const Summary summary = summarize(pod);
  if (summary.restarts == 0 || summary.last_restart.is_zero()) {
    return json::value(fmt::format("{}", summary.restarts));
  }
  return json::value(fmt::format("{} ({} ago)", summary.restarts,
                                 printed_age(format_time(summary.last_restart), now)));
}

json::value ip_cell(const json::object& pod, Timestamp /*now*/) {
  const json::array* ips = array_at(pod, {"status", "podIPs"});
  std::string_view ip;
  if (size_of(ips) > 0) {
    if (const json::object* first = ips->front().if_object()) ip = text_at(*first, {"ip"});
  }
  return json::value(or_else(ip, kNone));
}

json::value node_cell(const json::object& pod, Timestamp /*now*/) {
  return json::value(or_else(text_at(pod, {"spec", "nodeName"}), kNone));
}

json::value nominated_cell(const json::object& pod, Timestamp /*now*/) {
  return json::value(or_else(text_at(pod, {"status", "nominatedNodeName"}), kNone));
}

json::value gates_cell(const json::object& pod, Timestamp /*now*/) {
  const json::array* gates = array_at(pod, {"spec", "readinessGates"});
  if (size_of(gates) == 0) return json::value(kNone);
  int passed = 0;
  each_object(gates, [&](const json::object& gate) {
    if (condition_status(pod, text_at(gate, {"conditionType"})) == "True") ++passed;
  });
  return json::value(fmt::format("{}/{}", passed, gates->size()));
}

constexpr PrinterColumn kPodColumns[] = {
    kNameColumn,
    {"Ready", "string", "", 0, "The number of ready containers and of all containers.",
     pod_ready_cell},
    {"Status", "string", "", 0, "The state of the pod as a whole.", pod_status_cell},
    {"Restarts", "string", "", 0, "The number of container restarts, and the time of the last one.",
     restarts_cell},
    kAgeColumn,
    {"IP", "string", "", 1, "The first address of the pod.", ip_cell},
    {"Node", "string", "", 1, "The node of the pod.", node_cell},
    {"Nominated Node", "string", "", 1, "The node on which other pods are preempted for this one.",
     nominated_cell},
    {"Readiness Gates", "string", "", 1,
     "The number of readiness gates that are met, and of all of them.", gates_cell},
};

}  // namespace

std::span<const PrinterColumn> pod_columns() { return kPodColumns; }

}  // namespace ebb::schema
