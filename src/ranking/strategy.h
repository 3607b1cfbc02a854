// A way to rank the pods of a group: the higher its rank, the sooner a pod should go. One file each
// (topology_spread.cc, ...), all of them in the table of strategies.cc; names and arguments are in
// schema/ranking_rules.h.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "model/node.h"
#include "model/pod.h"
#include "model/workload.h"

namespace ebb::ranking {

// What is around the pods of a group.
class Surroundings {
 public:
  virtual ~Surroundings() = default;

  // Null if it is unknown.
  [[nodiscard]] virtual const model::Node* node(model::Interned name) const = 0;
  // Active pods on a node, of all workloads but DaemonSets.
  [[nodiscard]] virtual std::size_t pods_on(model::Interned node) const = 0;
  // Active pods of a namespace.
  virtual void each_pod_in(std::string_view name_space,
                           const std::function<void(const model::Pod&)>& visit) const = 0;
};

// The active pods of a ReplicaSet, in any order; ranks must not depend on it.
using Pods = std::span<const model::Pod* const>;
using Ranks = std::vector<std::int32_t>;  // parallel to the pods

class Shrinking;  // shrinking.h

struct Strategy {
  std::string_view name;
  // Ranks say who goes next; whoever goes changes those of others in ways that do not show in them.
  bool recomputes = false;
  // Whether a change of a node, or of pods of other groups, can change ranks.
  bool reads_nodes = false;
  bool reads_other_pods = false;
  Ranks (*rank)(Pods pods, const boost::json::object& args, const Surroundings& around) = nullptr;
  // The same while pods of the group go; null if that does not change the ranks of others.
  std::unique_ptr<Shrinking> (*shrink)(Pods pods, const boost::json::object& args,
                                       const Surroundings& around) = nullptr;
};

[[nodiscard]] std::span<const Strategy> strategies();
[[nodiscard]] const Strategy* find_strategy(std::string_view name);

}  // namespace ebb::ranking
