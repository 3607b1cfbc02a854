// Where a pod goes: which nodes can take it, and which of them is best.
//
// A node is ruled out by the first of: cordon, taints, node selector and affinity, resources,
// topology spread, pod affinity and anti-affinity, in the order of the Kubernetes scheduler. Of
// the nodes left the best one has, in this order: no taints that it would rather not have, the
// most preferred node and pods, the evenest spread that was wished for, the fewest pods of
// the same controller in its zone, then on itself, the fewest pods, the first name.
#pragma once

#include <optional>
#include <string>

#include "nodes/cluster_view.h"

namespace ebb::nodes {

// Nothing if no node can take it.
[[nodiscard]] std::optional<Slot> choose_node(const ClusterView& cluster, const DemandView& demand);

// Why no node can, in the words of the Kubernetes scheduler:
// 0/6 nodes are available: 3 Insufficient cpu, 3 node(s) had untolerated taint {x: y}.
[[nodiscard]] std::string explain(const ClusterView& cluster, const DemandView& demand);

}  // namespace ebb::nodes
