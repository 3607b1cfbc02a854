// The users who want their pods ranked: while controllers run, they write policies, and they change
// ranks, deletion costs and nodes without the ranker.
#pragma once  // private to its room

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "sim/core/objects.h"
#include "sim/core/random.h"
#include "sim/world/world.h"

namespace ebb::sim {

class RankActors {
 public:
  // If not present, all actions do nothing.
  RankActors(World& world, std::uint64_t seed, bool present)
      : world_(world), random_(seed), present_(present) {}

  // Creates the policies of the initial state.
  void begin(const std::vector<std::string>& sets, const std::vector<std::string>& deployments);
  // Takes one random action.
  void act();
  // Whether the pods of a workload that is about to be created prefer not to share a node.
  [[nodiscard]] bool wants_spread() { return present_ && random_.chance(0.5); }

 private:
  void change_policy();
  void create_policy(std::string_view name, std::string_view target_kind, std::string_view target);
  void write_group_cost();
  void write_group_cost_status(std::string_view name);
  void spoil_group_cost();
  void mark_pods();
  void mark_node();
  [[nodiscard]] boost::json::object some_ranking();
  [[nodiscard]] boost::json::object some_strategy();
  [[nodiscard]] const SetTruth* some_set();
  int send(const model::ApiRequest& request);

  World& world_;
  Random random_;
  bool present_;
};

}  // namespace ebb::sim
