// A cluster of components on a fake API server, with helpers to inspect it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "support/apiserver/fake_api.h"
#include "support/nodes/component_world.h"

namespace ebb::testing {

class NodesScene {
 public:
  NodesScene();

  // The component first receives all existing objects.
  void start(std::unique_ptr<model::Component> component);
  // Removes all components, as if the process had died.
  void stop();

  // Returns nothing if there is no such object.
  [[nodiscard]] FakeApi::Object find(std::string_view plural, std::string_view name) const;
  [[nodiscard]] bool has(std::string_view plural, std::string_view name) const {
    return find(plural, name) != nullptr;
  }
  // The node of each pod that has one.
  [[nodiscard]] std::map<std::string, std::string> nodes_of_pods() const;
  // Status, reason and message of a condition, as far as they exist.
  [[nodiscard]] std::string condition(std::string_view plural, std::string_view name,
                                      std::string_view type) const;
  // The messages of events with this reason, one per line.
  [[nodiscard]] std::string events(std::string_view reason) const;

  FakeApi api;
  std::unique_ptr<ComponentWorld> world;

 private:
  [[nodiscard]] std::unique_ptr<ComponentWorld> new_world(Timestamp now);

  std::vector<std::unique_ptr<model::Component>> components_;
};

}  // namespace ebb::testing
