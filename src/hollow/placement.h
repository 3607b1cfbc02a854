// Chooses the node for a pod: filters the nodes, then picks the best one.
//
// A node is ruled out by the first of: cordon, taints, node selector and affinity, resources,
// topology spread, pod affinity and anti-affinity, in the order of the Kubernetes scheduler. Among
// the remaining nodes the best one has, in this order: no untolerated PreferNoSchedule taints, the
// most preferred node and pod affinity, the most even soft topology spread, the fewest pods of the
// same controller in its zone, then on the node, the fewest pods, the first name.
#pragma once  // private to its room

#include <optional>
#include <string>

#include "hollow/cluster_view.h"

namespace ebb::hollow {

// Nothing if no node fits.
[[nodiscard]] std::optional<Slot> choose_node(const ClusterView& cluster, const DemandView& demand);

// The reason why no node fits, in the words of the Kubernetes scheduler:
//   0/6 nodes are available: 3 Insufficient cpu, 3 node(s) had untolerated taint {x: y}.
[[nodiscard]] std::string explain(const ClusterView& cluster, const DemandView& demand);

}  // namespace ebb::hollow
