#include "sim/rules/inventory.h"

#include <utility>

#include <boost/json/serialize.hpp>

#include "base/check.h"
#include "schema/core/json.h"
#include "sim/core/objects.h"

namespace ebb::sim {

void Inventory::apply(const model::ObjectEvent& event) {
  auto& of_kind = objects_[event.kind];
  // Objects of the usual namespace, and cluster-scoped ones, are found by their names alone.
  std::string name(schema::text_at(*event.object, {"metadata", "name"}));
  const std::string_view namespace_name = schema::text_at(*event.object, {"metadata", "namespace"});
  if (!namespace_name.empty() && namespace_name != kNamespace) {
    name.insert(0, std::string(namespace_name) + "/");
  }
  if (event.type == model::ObjectEvent::Type::kDeleted) {
    of_kind.erase(name);
  } else {
    of_kind[std::move(name)] = event.object;
  }
}

Inventory::Object Inventory::find(const schema::Kind& kind, std::string_view name) const {
  const auto of_kind = objects_.find(&kind);
  if (of_kind == objects_.end()) return nullptr;
  const auto found = of_kind->second.find(name);
  return found == of_kind->second.end() ? nullptr : found->second;
}

std::vector<std::string> Inventory::names(const schema::Kind& kind) const {
  std::vector<std::string> names;
  const auto of_kind = objects_.find(&kind);
  if (of_kind == objects_.end()) return names;
  for (const auto& entry : of_kind->second) names.push_back(entry.first);
  return names;
}

void Inventory::fill(control::Store& store) const {
  using control::Resource;
  const std::pair<const schema::Kind*, Resource> kinds[] = {
      {&pods(), Resource::kPods},
      {&replica_sets(), Resource::kReplicaSets},
      {&deployments(), Resource::kDeployments},
      {&policies(), Resource::kPolicies},
      {&node_objects(), Resource::kNodes},
      {&group_costs(), Resource::kGroupCosts},
  };
  for (const auto& [kind, resource] : kinds) {
    const auto of_kind = objects_.find(kind);
    if (of_kind == objects_.end()) continue;
    store.begin_listing(resource);
    for (const auto& entry : of_kind->second) {
      EBB_CHECK(store
                    .upsert(resource, control::Store::Format::kJson,
                            boost::json::serialize(*entry.second))
                    .has_value());
    }
    store.end_listing(resource);
  }
}

}  // namespace ebb::sim
