// A way to rank the pods of a group: the higher its rank, the sooner a pod should go. Each strategy
// is one file (topology_spread.cc, ...) and one row in the table of strategies.cc; names and
// arguments are in schema/core/ranking_rules.h.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "model/records/node.h"
#include "model/records/pod.h"
#include "model/records/workload.h"
#include "ranking/limits.h"

namespace ebb::ranking {

// The cluster around the pods of a group.
class ClusterReader {
 public:
  virtual ~ClusterReader() = default;

  // Null if unknown.
  [[nodiscard]] virtual const model::Node* node(model::Interned name) const = 0;
  // Active pods on a node, of all workloads but DaemonSets.
  [[nodiscard]] virtual std::size_t pods_on(model::Interned node) const = 0;
  // Active pods of a namespace.
  virtual void each_pod_in(std::string_view namespace_name,
                           const std::function<void(const model::Pod&)>& visit) const = 0;
};

// The active pods of a ReplicaSet, in any order; ranks must not depend on the order.
using Pods = std::span<const model::Pod* const>;
using Ranks = std::vector<std::int32_t>;  // parallel to the pods

class Shrinking;  // shrinking.h

struct Strategy {
  std::string_view name;
  // Ranks are valid for the next removal only: it changes other ranks in ways they do not show.
  bool recomputes = false;
  // Whether a change of a node, or of pods of other groups, can change ranks.
  bool reads_nodes = false;
  bool reads_other_pods = false;
  Ranks (*rank)(Pods pods, const boost::json::object& args, const ClusterReader& cluster) = nullptr;
  // Like `rank`, for strategies whose work depends on what tenants write; reports the work. Null:
  // the work is a few reads of each pod.
  Ranks (*rank_within_limits)(Pods pods, const boost::json::object& args,
                              const ClusterReader& cluster, Effort& effort) = nullptr;
  // The ranks while pods are removed; null if removals do not change other ranks.
  std::unique_ptr<Shrinking> (*shrink)(Pods pods, const boost::json::object& args,
                                       const ClusterReader& cluster) = nullptr;
};

[[nodiscard]] std::span<const Strategy> strategies();
[[nodiscard]] const Strategy* find_strategy(std::string_view name);

}  // namespace ebb::ranking
