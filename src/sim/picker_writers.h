// The people of the world who configure pickers, and their Secrets, while controllers work.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "sim/dice.h"
#include "sim/faults.h"
#include "sim/objects.h"
#include "sim/world.h"

namespace ebb::sim {

class PickerWriters {
 public:
  // Busy: everything has a picker. Otherwise many do not know of them.
  PickerWriters(World& world, std::uint64_t seed, bool busy);

  // Secrets and policies that are there from the beginning.
  void begin(const std::vector<std::string>& sets, const std::vector<std::string>& deployments);
  // To the spec of a workload that is about to be created, perhaps.
  void add_to(boost::json::object& workload);
  // One of the things that they do.
  void act();
  // What happens to a ReplicaSet while its picker thinks.
  void scale_up(const SetTruth& set);
  void kill_some(const SetTruth& set);
  void remove_all(const SetTruth& set);

 private:
  void change_field();
  void change_policy();
  void change_secret();
  [[nodiscard]] PickerWish some_wish();
  void set_field(const schema::Kind& kind, std::string_view name);
  void send(const model::ApiRequest& request);

  World& world_;
  Dice dice_;
  bool present_;
  double fields_ = 0;
};

}  // namespace ebb::sim
