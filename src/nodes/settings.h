// What the stand-ins for nodes, scheduler and kubelet can be told.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "nodes/luck.h"
#include "nodes/taints.h"

namespace ebb::nodes {

// A node that should exist.
struct NodeSpec {
  std::string name{};
  std::string zone{};    // empty: none
  std::string region{};  // empty: none
  std::map<std::string, std::string> labels{};
  std::vector<Taint> taints{};
  // Resources as quantities; what is not named gets a default (cpu, memory, pods).
  std::map<std::string, std::string> capacity{};
};

// Whether a text has the form ZONESxNODES. Anything else names a file.
[[nodiscard]] bool is_node_grid(std::string_view text);

// "3x2": three zones (zone-a, zone-b, zone-c) of two nodes each (node-a1, node-a2, ...).
[[nodiscard]] Result<std::vector<NodeSpec>> parse_node_grid(std::string_view text);

// The text of a file, YAML or JSON: a list of nodes, or an object with a list `nodes`.
//   - {name: big-1, zone: zone-a, labels: {disk: ssd}, capacity: {cpu: 16, memory: 64Gi},
//      taints: [{key: gpu, value: "yes", effect: NoSchedule}]}
[[nodiscard]] Result<std::vector<NodeSpec>> parse_node_file(std::string_view text);

// Three zones of two.
[[nodiscard]] std::vector<NodeSpec> default_nodes();

struct Settings {
  std::vector<NodeSpec> nodes = default_nodes();
  std::uint64_t seed = 1;  // of all delays

  // How long containers take to start and then to become ready; annotations of a pod can
  // say otherwise (pod_script.h).
  DelayRange start_delay{kNanosecondsPerSecond / 2, 2 * kNanosecondsPerSecond};
  DelayRange ready_delay{kNanosecondsPerSecond / 2, 3 * kNanosecondsPerSecond / 2};
  // A terminating pod goes after this, or after its grace period if that is shorter.
  DelayRange termination{kNanosecondsPerSecond, 2 * kNanosecondsPerSecond};
  // How long a container that crashed waits in CrashLoopBackOff.
  Nanoseconds crash_backoff_ns = 5 * kNanosecondsPerSecond;
  // A pod whose node is unknown for so long is deleted.
  Nanoseconds lost_node_ns = 5 * kNanosecondsPerSecond;

  // Nodes say that they are alive this often. Each time is a write of every node.
  Nanoseconds heartbeat_ns = 300 * kNanosecondsPerSecond;

  // Whether the scheduler and the kubelet tell events, and how long events are kept, but
  // never more than so many.
  bool events = true;
  Nanoseconds event_age_ns = 3600 * kNanosecondsPerSecond;
  std::size_t most_events = 50'000;
};

}  // namespace ebb::nodes
