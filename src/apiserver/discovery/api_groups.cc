#include "apiserver/discovery/api_groups.h"

#include <algorithm>

#include <fmt/format.h>

#include "schema/core/kind.h"
#include "schema/schemas/schemas_reviews.h"

namespace ebb::apiserver {
namespace {

void add(std::vector<ApiGroup>& groups, std::string_view name, std::string_view version) {
  auto group = std::find_if(groups.begin(), groups.end(),
                            [&](const ApiGroup& each) { return each.name == name; });
  if (group == groups.end()) group = groups.insert(groups.end(), ApiGroup{.name = name});
  std::vector<std::string_view>& versions = group->versions;
  if (std::find(versions.begin(), versions.end(), version) == versions.end()) {
    versions.push_back(version);
  }
}

std::vector<ApiGroup> collect() {
  std::vector<ApiGroup> groups;
  add(groups, "", "v1");
  for (const schema::Kind& kind : schema::kinds()) add(groups, kind.group, kind.version);
  add(groups, "policy", "v1");
  for (const schema::Kind& kind : schema::review_kinds()) add(groups, kind.group, kind.version);
  return groups;
}

}  // namespace

std::string ApiGroup::group_version(std::string_view version) const {
  return name.empty() ? std::string(version) : fmt::format("{}/{}", name, version);
}

std::string ApiGroup::path(std::string_view version) const {
  return fmt::format("{}/{}", name.empty() ? "api" : "apis", group_version(version));
}

const std::vector<ApiGroup>& api_groups() {
  static const std::vector<ApiGroup> kGroups = collect();
  return kGroups;
}

}  // namespace ebb::apiserver
