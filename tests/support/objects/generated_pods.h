// The text of `kubectl get replicasets,pods -o json` for a workload of any size: one
// ReplicaSet and its pods, about 6 KB each. Equal parameters give equal text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace ebb::testing {

struct GeneratedPods {
  std::size_t pods = 100;
  std::size_t nodes = 10;
  std::uint64_t seed = 1;
};

// A List whose first item is the ReplicaSet `shop/web-7d4b9c6f5d`. Its pods were
// created in the 30 days before 2026-11-01T12:00:00Z. Of 100 pods, about 2 are
// Pending, 3 not ready, 10 have restarted and 5 carry a deletion cost.
[[nodiscard]] std::string generate_pod_list(const GeneratedPods& parameters);

}  // namespace ebb::testing
