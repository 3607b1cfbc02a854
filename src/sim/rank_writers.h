// The people of the world who want their pods ranked: they write policies, and ranks, deletion
// costs and nodes by other hands than the ranker's, while controllers work.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "sim/dice.h"
#include "sim/objects.h"
#include "sim/world.h"

namespace ebb::sim {

class RankWriters {
 public:
  // Not present: they do nothing.
  RankWriters(World& world, std::uint64_t seed, bool present)
      : world_(world), dice_(seed), present_(present) {}

  // Policies that are there from the beginning.
  void begin(const std::vector<std::string>& sets, const std::vector<std::string>& deployments);
  // One of the things that they do.
  void act();
  // Whether the pods of a workload that is about to be created would rather not share a node.
  [[nodiscard]] bool wants_spread() { return present_ && dice_.chance(0.5); }

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
  Dice dice_;
  bool present_;
};

}  // namespace ebb::sim
