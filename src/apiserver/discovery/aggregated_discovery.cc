#include "apiserver/discovery/aggregated_discovery.h"

#include <utility>

#include <boost/json/array.hpp>

#include "schema/core/json.h"

namespace ebb::apiserver {
namespace {

namespace json = boost::json;

// The kind that goes over the wire: the entry's kind, with the entry's group and version if set.
json::object response_kind(const json::object& entry, std::string_view group,
                           std::string_view version) {
  const bool own = entry.contains("version");
  return {{"group", own ? schema::text_at(entry, {"group"}) : group},
          {"version", own ? schema::text_at(entry, {"version"}) : version},
          {"kind", schema::text_at(entry, {"kind"})}};
}

json::object resource(const json::object& entry, std::string_view group, std::string_view version) {
  json::object resource{
      {"resource", entry.at("name")},
      {"responseKind", response_kind(entry, group, version)},
      {"scope", schema::is_true_at(entry, {"namespaced"}) ? "Namespaced" : "Cluster"},
      {"singularResource", entry.at("singularName")},
      {"verbs", entry.at("verbs")}};
  for (const std::string_view optional : {"shortNames", "categories"}) {
    if (const json::value* value = entry.if_contains(optional)) resource[optional] = *value;
  }
  return resource;
}

json::array resources_of(const json::object& list, std::string_view group,
                         std::string_view version) {
  json::array resources;
  for (const json::value& value : list.at("resources").as_array()) {
    const json::object& entry = value.as_object();
    const std::string_view name = schema::text_at(entry, {"name"});
    const std::size_t slash = name.find('/');
    if (slash == std::string_view::npos) {
      resources.push_back(resource(entry, group, version));
      continue;
    }
    // A subresource follows its resource.
    json::object& above = resources.back().as_object();
    if (!above.contains("subresources")) above["subresources"] = json::array();
    above["subresources"].as_array().push_back(
        json::object{{"subresource", name.substr(slash + 1)},
                     {"responseKind", response_kind(entry, group, version)},
                     {"verbs", entry.at("verbs")}});
  }
  return resources;
}

json::object group_entry(const DiscoveredGroup& group) {
  json::array versions;
  for (const json::object& list : group.lists) {
    const std::string_view group_version = schema::text_at(list, {"groupVersion"});
    const std::string_view version = group_version.substr(group_version.find('/') + 1);
    versions.push_back(json::object{{"version", version},
                                    {"resources", resources_of(list, group.name, version)},
                                    {"freshness", "Current"}});
  }
  json::object metadata;
  if (!group.name.empty()) metadata["name"] = group.name;
  metadata["creationTimestamp"] = nullptr;
  return {{"metadata", std::move(metadata)}, {"versions", std::move(versions)}};
}

}  // namespace

json::object aggregated_discovery(const std::vector<DiscoveredGroup>& groups) {
  json::array items;
  for (const DiscoveredGroup& group : groups) items.push_back(group_entry(group));
  return {{"kind", "APIGroupDiscoveryList"},
          {"apiVersion", "apidiscovery.k8s.io/v2"},
          {"metadata", json::object()},
          {"items", std::move(items)}};
}

}  // namespace ebb::apiserver
