#include "apiserver/discovery/discovery.h"

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "apiserver/discovery/aggregated_discovery.h"
#include "apiserver/discovery/api_groups.h"
#include "apiserver/discovery/openapi.h"
#include "apiserver/response/negotiate.h"
#include "schema/core/json.h"
#include "schema/core/kind.h"
#include "schema/schemas/schemas_reviews.h"

namespace ebb::apiserver {
namespace {

namespace json = boost::json;
using schema::Kind;

using Documents = std::map<std::string, std::string, std::less<>>;

json::object version() {
  return {{"major", "1"},    {"minor", "36"},           {"gitVersion", "v1.36.0+ebb" EBB_VERSION},
          {"gitCommit", ""}, {"gitTreeState", "clean"}, {"buildDate", "1970-01-01T00:00:00Z"},
          {"goVersion", ""}, {"compiler", ""},          {"platform", "linux/amd64"}};
}

json::object core_versions() {
  return {
      {"kind", "APIVersions"}, {"versions", {"v1"}}, {"serverAddressByClientCIDRs", json::array()}};
}

json::object group_entry(const ApiGroup& group) {
  json::array versions;
  for (const std::string_view version : group.versions) {
    versions.push_back(
        json::object{{"groupVersion", group.group_version(version)}, {"version", version}});
  }
  json::object entry{{"name", group.name}, {"versions", versions}};
  entry["preferredVersion"] = versions.front();
  return entry;
}

json::object group_document(const ApiGroup& group) {
  json::object document{{"kind", "APIGroup"}, {"apiVersion", "v1"}};
  for (const json::key_value_pair& member : group_entry(group)) {
    document.emplace(member.key(), member.value());
  }
  return document;
}

json::object group_list() {
  json::array groups;
  for (const ApiGroup& group : api_groups()) {
    if (!group.name.empty()) groups.push_back(group_entry(group));
  }
  return {{"kind", "APIGroupList"}, {"apiVersion", "v1"}, {"groups", std::move(groups)}};
}

// A subresource of a kind, and the kind of its documents if it differs.
struct Subresource {
  std::string_view name{};
  std::string_view verbs{};
  std::string_view group{};
  std::string_view version{};
  std::string_view kind{};
};

constexpr std::string_view kReadAndWrite = "get patch update";

std::vector<Subresource> subresources(const Kind& kind) {
  std::vector<Subresource> list;
  if (kind.has_status) list.push_back({.name = "status", .verbs = kReadAndWrite});
  if (kind.has_scale) {
    list.push_back({"scale", kReadAndWrite, "autoscaling", "v1", "Scale"});
  }
  if (kind.group.empty() && kind.name == "Pod") {
    list.push_back({.name = "binding", .verbs = "create", .kind = "Binding"});
    list.push_back({"eviction", "create", "policy", "v1", "Eviction"});
  }
  if (kind.group.empty() && kind.name == "Namespace") {
    list.push_back({.name = "finalize", .verbs = "update"});
  }
  return list;
}

json::object resource_entry(const Kind& kind) {
  json::object entry{{"name", kind.plural},
                     {"singularName", kind.singular},
                     {"namespaced", kind.namespaced},
                     {"kind", kind.name}};
  entry["verbs"] = schema::word_list(
      kind.deleted_one_by_one ? "create delete get list patch update watch"
                              : "create delete deletecollection get list patch update watch");
  if (!kind.short_names.empty()) entry["shortNames"] = schema::word_list(kind.short_names);
  if (!kind.categories.empty()) entry["categories"] = schema::word_list(kind.categories);
  return entry;
}

json::object subresource_entry(const Kind& kind, const Subresource& below) {
  json::object entry{{"name", fmt::format("{}/{}", kind.plural, below.name)},
                     {"singularName", ""},
                     {"namespaced", kind.namespaced}};
  if (!below.version.empty()) {
    entry["group"] = below.group;
    entry["version"] = below.version;
  }
  entry["kind"] = below.kind.empty() ? kind.name : below.kind;
  entry["verbs"] = schema::word_list(below.verbs);
  return entry;
}

// A resource that supports create only and is never stored.
json::object created_only(std::string_view plural, std::string_view singular, bool namespaced,
                          std::string_view kind) {
  return {{"name", plural},
          {"singularName", singular},
          {"namespaced", namespaced},
          {"kind", kind},
          {"verbs", {"create"}}};
}

json::object resource_list(const ApiGroup& group, std::string_view version) {
  json::array resources;
  for (const Kind& kind : schema::kinds()) {
    if (kind.group != group.name || kind.version != version) continue;
    resources.push_back(resource_entry(kind));
    for (const Subresource& below : subresources(kind)) {
      resources.push_back(subresource_entry(kind, below));
    }
  }
  for (const Kind& kind : schema::review_kinds()) {
    if (kind.group != group.name || kind.version != version) continue;
    resources.push_back(created_only(kind.plural, kind.singular, kind.namespaced, kind.name));
  }
  // Clients treat a group without resources as an error, and kubectl drain requests this group.
  if (group.name == "policy") {
    resources.push_back(created_only("evictions", "eviction", true, "Eviction"));
  }
  return {{"kind", "APIResourceList"},
          {"apiVersion", "v1"},
          {"groupVersion", group.group_version(version)},
          {"resources", std::move(resources)}};
}

// Clients cache a document until its hash changes.
std::string hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return fmt::format("{:016X}", hash);
}

// Adds the documents of all group versions that have kinds, and their index.
void add_openapi(Documents& documents) {
  json::object paths;
  for (const ApiGroup& group : api_groups()) {
    for (const std::string_view version : group.versions) {
      std::string text = json::serialize(openapi_document(group, version));
      const std::string path = group.path(version);
      const std::string url = fmt::format("/openapi/v3/{}", path);
      paths[path] = {{"serverRelativeURL", fmt::format("{}?hash={}", url, hash_of(text))}};
      documents[url] = std::move(text);
    }
  }
  documents["/openapi/v3"] = json::serialize(json::object{{"paths", std::move(paths)}});
}

// Aggregates the core group, or all others.
std::string aggregate(bool core) {
  std::vector<DiscoveredGroup> groups;
  for (const ApiGroup& group : api_groups()) {
    if (group.name.empty() != core) continue;
    DiscoveredGroup& entry = groups.emplace_back(DiscoveredGroup{.name = group.name});
    for (const std::string_view version : group.versions) {
      entry.lists.push_back(resource_list(group, version));
    }
  }
  return json::serialize(aggregated_discovery(groups));
}

// The ETag of each document.
Documents make_tags(const Documents& documents) {
  Documents tags;
  for (const auto& [path, text] : documents) tags[path] = fmt::format("\"{}\"", hash_of(text));
  return tags;
}

Documents make_documents() {
  Documents documents;
  documents["/version"] = json::serialize(version());
  documents["/api"] = json::serialize(core_versions());
  documents["/apis"] = json::serialize(group_list());
  for (const ApiGroup& group : api_groups()) {
    if (!group.name.empty()) {
      documents[fmt::format("/apis/{}", group.name)] = json::serialize(group_document(group));
    }
    for (const std::string_view version : group.versions) {
      documents["/" + group.path(version)] = json::serialize(resource_list(group, version));
    }
  }
  add_openapi(documents);
  return documents;
}

}  // namespace

std::optional<DiscoveryDocument> discovery_document(std::string_view path,
                                                    std::string_view accept) {
  static const Documents kDocuments = make_documents();
  static const Documents kAggregated{{"/api", aggregate(true)}, {"/apis", aggregate(false)}};
  static const Documents kTags = make_tags(kAggregated);
  if (path.ends_with('/')) path.remove_suffix(1);
  const auto aggregated = kAggregated.find(path);
  if (aggregated != kAggregated.end() &&
      prefers_json_as(accept, "apidiscovery.k8s.io", "v2", "APIGroupDiscoveryList")) {
    return DiscoveryDocument{aggregated->second, kAggregatedMediaType, kTags.find(path)->second};
  }
  const auto found = kDocuments.find(path);
  if (found == kDocuments.end()) return std::nullopt;
  return DiscoveryDocument{found->second};
}

}  // namespace ebb::apiserver
