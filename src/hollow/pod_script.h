// The annotations by which a pod controls the hollow kubelet; templates pass them on to their pods.
// The complete list:
//
//   ebb.dev/never-ready: "true"      runs, but never becomes Ready
//   ebb.dev/crash-every: "30s"       its containers crash this long after each start, show
//                                    CrashLoopBackOff for a moment, and start again
//   ebb.dev/start-delay: "20s"       its containers take this long to start
//   ebb.dev/ready-delay: "5s"        ... and this long after the start to become Ready
//   ebb.dev/complete-after: "10s"    it succeeds this long after its start (with
//                                    restartPolicy Never or OnFailure)
//
// An invalid value is ignored and reported by an event of the pod.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "base/timestamp.h"

namespace ebb::hollow {

struct PodScript {
  bool never_ready = false;
  std::optional<Nanoseconds> crash_every_ns{};
  std::optional<Nanoseconds> start_delay_ns{};
  std::optional<Nanoseconds> ready_delay_ns{};
  std::optional<Nanoseconds> complete_after_ns{};

  friend auto operator<=>(const PodScript&, const PodScript&) = default;
};

// Adds one sentence to `complaints` for each ignored annotation.
[[nodiscard]] PodScript read_script(const boost::json::object& pod,
                                    std::vector<std::string>& complaints);

}  // namespace ebb::hollow
