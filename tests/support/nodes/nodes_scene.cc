#include "support/nodes/nodes_scene.h"

#include <utility>

#include <fmt/format.h>

#include "schema/core/json.h"

namespace ebb::testing {

using schema::text_at;

NodesScene::NodesScene() : world(new_world(kNow)) {}

std::unique_ptr<ComponentWorld> NodesScene::new_world(Timestamp now) {
  return std::make_unique<ComponentWorld>(
      Backend{[this](const auto& request, Timestamp at) { return api.handle(request, at); },
              [this](Timestamp) { return api.take_events(); }},
      now);
}

void NodesScene::start(std::unique_ptr<model::Component> component) {
  components_.push_back(std::move(component));
  world->add(*components_.back(), api.everything());
}

void NodesScene::stop() {
  world = new_world(world->now());
  components_.clear();
  static_cast<void>(api.take_events());
}

FakeApi::Object NodesScene::find(std::string_view plural, std::string_view name) const {
  for (const FakeApi::Object& each : api.list(plural)) {
    if (text_at(*each, {"metadata", "name"}) == name) return each;
  }
  return nullptr;
}

std::map<std::string, std::string> NodesScene::nodes_of_pods() const {
  std::map<std::string, std::string> nodes;
  for (const FakeApi::Object& pod : api.list("pods")) {
    const std::string_view node = text_at(*pod, {"spec", "nodeName"});
    if (!node.empty()) nodes.emplace(text_at(*pod, {"metadata", "name"}), node);
  }
  return nodes;
}

std::string NodesScene::condition(std::string_view plural, std::string_view name,
                                  std::string_view type) const {
  const FakeApi::Object object = find(plural, name);
  if (object == nullptr) return "";
  const auto* conditions = schema::array_at(*object, {"status", "conditions"});
  if (conditions == nullptr) return "";
  for (const auto& entry : *conditions) {
    const auto& each = entry.get_object();
    if (text_at(each, {"type"}) != type) continue;
    std::string text(text_at(each, {"status"}));
    for (const std::string_view field : {"reason", "message"}) {
      if (!text_at(each, {field}).empty()) text += fmt::format(" {}", text_at(each, {field}));
    }
    return text;
  }
  return "";
}

std::string NodesScene::events(std::string_view reason) const {
  std::string messages;
  for (const FakeApi::Object& each : api.list("events")) {
    if (text_at(*each, {"reason"}) == reason) {
      messages += fmt::format("{}\n", text_at(*each, {"message"}));
    }
  }
  return messages;
}

}  // namespace ebb::testing
