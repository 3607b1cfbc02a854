// What a pod can ask of the kubelet stand-in, by annotations that templates hand on to
// their pods. This is the list of them:
//
//   ebb.dev/never-ready: "true"      runs, but never becomes Ready
//   ebb.dev/crash-every: "30s"       its container dies so long after each start, shows
//                                    CrashLoopBackOff for a moment, and starts again
//   ebb.dev/start-delay: "20s"       its containers take so long to start
//   ebb.dev/ready-delay: "5s"        ... and so long from there to become Ready
//   ebb.dev/complete-after: "10s"    it ends so long after its start with success (with
//                                    restartPolicy Never or OnFailure)
//
// A value that makes no sense is ignored and told by an event of the pod.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "base/timestamp.h"

namespace ebb::nodes {

struct PodScript {
  bool never_ready = false;
  std::optional<Nanoseconds> crash_every_ns{};
  std::optional<Nanoseconds> start_delay_ns{};
  std::optional<Nanoseconds> ready_delay_ns{};
  std::optional<Nanoseconds> complete_after_ns{};

  friend auto operator<=>(const PodScript&, const PodScript&) = default;
};

// `complaints` gets one sentence for each annotation that is ignored.
[[nodiscard]] PodScript read_script(const boost::json::object& pod,
                                    std::vector<std::string>& complaints);

}  // namespace ebb::nodes
