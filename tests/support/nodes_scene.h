// A cluster of machines on a fake API server, with words to look at it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "support/fake_api.h"
#include "support/machine_world.h"

namespace ebb::testing {

class NodesScene {
 public:
  NodesScene();

  // The machine sees everything that exists.
  void start(std::unique_ptr<model::Machine> machine);
  // Forgets all machines, as if the process had died.
  void stop();

  // Nothing if there is no such object.
  [[nodiscard]] FakeApi::Object find(std::string_view plural, std::string_view name) const;
  [[nodiscard]] bool has(std::string_view plural, std::string_view name) const {
    return find(plural, name) != nullptr;
  }
  // The node of each pod that has one.
  [[nodiscard]] std::map<std::string, std::string> nodes_of_pods() const;
  // Status, reason and message of a condition, as far as there are such.
  [[nodiscard]] std::string condition(std::string_view plural, std::string_view name,
                                      std::string_view type) const;
  // The messages of events with this reason, a line each.
  [[nodiscard]] std::string events(std::string_view reason) const;

  FakeApi api;
  std::unique_ptr<MachineWorld> world;

 private:
  [[nodiscard]] std::unique_ptr<MachineWorld> new_world(Timestamp now);

  std::vector<std::unique_ptr<model::Machine>> machines_;
};

}  // namespace ebb::testing
