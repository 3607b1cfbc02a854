// Nodes and pods for tests of rankings: a group of pods, and the other pods of the cluster.
#pragma once

#include <deque>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ranking/settings.h"
#include "ranking/strategy.h"
#include "support/objects/pods.h"

namespace ebb::testing {

class RankingScene : public ranking::ClusterReader {
 public:
  using Labels = std::vector<std::pair<std::string_view, std::string_view>>;

  // References stay valid.
  model::Node& add_node(std::string_view name, Labels labels = {});
  // A pod of the group, the ReplicaSet `web` in namespace `default`; each pod is a minute younger
  // than the one before.
  model::Pod& add_pod(std::string_view name, std::string_view node);
  // A pod of another workload.
  model::Pod& add_other_pod(std::string_view name, std::string_view node,
                            std::string_view namespace_name = "default");
  void add_taint(model::Node& node, std::string_view key, model::TaintEffect effect,
                 std::string_view value = "");
  [[nodiscard]] model::Placement& add_placement() { return placements_.emplace_back(); }
  // A term for pods with this label; weight 0 means required.
  [[nodiscard]] model::AntiAffinityTerm term(std::string_view topology_key, std::string_view key,
                                             std::string_view value, std::int32_t weight = 0);

  [[nodiscard]] std::vector<const model::Pod*> group() const;
  // Ranks by one strategy, in the order in which pods were added.
  [[nodiscard]] ranking::Ranks rank(std::string_view strategy, std::string_view args = "{}") const;

  [[nodiscard]] const model::Node* node(model::Interned name) const override;
  [[nodiscard]] std::size_t pods_on(model::Interned node) const override;
  void each_pod_in(std::string_view namespace_name,
                   const std::function<void(const model::Pod&)>& visit) const override;

  World world;

 private:
  std::deque<model::Node> nodes_;
  std::deque<model::Pod> pods_;
  std::deque<model::Placement> placements_;
};

// The cluster without some pods.
class Without : public ranking::ClusterReader {
 public:
  explicit Without(const ranking::ClusterReader& all) : all_(all) {}

  void remove(const model::Pod& pod);

  [[nodiscard]] const model::Node* node(model::Interned name) const override;
  [[nodiscard]] std::size_t pods_on(model::Interned node) const override;
  void each_pod_in(std::string_view namespace_name,
                   const std::function<void(const model::Pod&)>& visit) const override;

 private:
  const ranking::ClusterReader& all_;
  std::set<std::string_view> uids_;
  std::multiset<std::string_view> nodes_;
};

// A strategy as a policy specifies it; arguments as JSON.
[[nodiscard]] ranking::Weighed weighed(std::string_view strategy, std::string_view args = "{}",
                                       std::int32_t weight = 1,
                                       std::optional<std::int32_t> threshold = {});

}  // namespace ebb::testing
