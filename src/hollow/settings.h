// The settings of the hollow nodes, scheduler and kubelet.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "hollow/repeatable_random.h"
#include "hollow/taints.h"

namespace ebb::hollow {

// A node to be created.
struct NodeSpec {
  std::string name{};
  std::string zone{};    // empty: none
  std::string region{};  // empty: none
  std::map<std::string, std::string> labels{};
  std::vector<Taint> taints{};
  // Resources as quantities; cpu, memory and pods have defaults.
  std::map<std::string, std::string> capacity{};
};

// Returns true if a text has the form ZONESxNODES. Any other text is a file name.
[[nodiscard]] bool is_node_grid(std::string_view text);

// "3x2": three zones (zone-a, zone-b, zone-c) of two nodes each (node-a1, node-a2, ...).
[[nodiscard]] Result<std::vector<NodeSpec>> parse_node_grid(std::string_view text);

// Parses the text of a file, YAML or JSON: a list of nodes, or an object with a list `nodes`.
//   - {name: big-1, zone: zone-a, labels: {disk: ssd}, capacity: {cpu: 16, memory: 64Gi},
//      taints: [{key: gpu, value: "yes", effect: NoSchedule}]}
[[nodiscard]] Result<std::vector<NodeSpec>> parse_node_file(std::string_view text);

// Three zones of two nodes.
[[nodiscard]] std::vector<NodeSpec> default_nodes();

struct Settings {
  std::vector<NodeSpec> nodes = default_nodes();
  std::uint64_t seed = 1;  // for all delays

  // The time that containers take to start, and then to become ready. Annotations of a pod override
  // them (pod_script.h).
  DelayRange start_delay{kNanosecondsPerSecond / 2, 2 * kNanosecondsPerSecond};
  DelayRange ready_delay{kNanosecondsPerSecond / 2, 3 * kNanosecondsPerSecond / 2};
  // A terminating pod goes after this time, or after its grace period if that is shorter.
  DelayRange termination{kNanosecondsPerSecond, 2 * kNanosecondsPerSecond};
  // The time that a crashed container spends in CrashLoopBackOff.
  Nanoseconds crash_backoff_ns = 5 * kNanosecondsPerSecond;
  // A pod whose node is unknown for this long is deleted.
  Nanoseconds lost_node_ns = 5 * kNanosecondsPerSecond;

  // The interval of node heartbeats. Each heartbeat is one write per node.
  Nanoseconds heartbeat_ns = 300 * kNanosecondsPerSecond;

  // Whether the scheduler and the kubelet record events, how long events are kept, and how many at
  // most.
  bool events = true;
  Nanoseconds event_age_ns = 3600 * kNanosecondsPerSecond;
  std::size_t max_events = 50'000;
};

}  // namespace ebb::hollow
