// The users who configure pickers, and their Secrets, while controllers run.
#pragma once  // private to its room

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "sim/core/faults.h"
#include "sim/core/objects.h"
#include "sim/core/random.h"
#include "sim/world/world.h"

namespace ebb::sim {

class PickerActors {
 public:
  // `busy`: every workload has a picker. Otherwise many have none.
  PickerActors(World& world, std::uint64_t seed, bool busy);

  // Creates the Secrets and policies of the initial state.
  void begin(const std::vector<std::string>& sets, const std::vector<std::string>& deployments);
  // May add a picker to the spec of a workload that is about to be created.
  void add_to(boost::json::object& workload);
  // Takes one random action.
  void act();
  // Changes to a ReplicaSet while its picker call is in flight.
  void scale_up(const SetTruth& set);
  void kill_some(const SetTruth& set);
  void remove_all(const SetTruth& set);

 private:
  void change_field();
  void change_policy();
  void change_secret();
  [[nodiscard]] PickerSpec some_spec();
  void set_field(const schema::Kind& kind, std::string_view name);
  void send(const model::ApiRequest& request);

  World& world_;
  Random random_;
  bool present_;
  double fields_ = 0;
};

}  // namespace ebb::sim
