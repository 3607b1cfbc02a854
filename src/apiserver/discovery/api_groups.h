// The API groups that are served, and the paths of their documents and resources.
#pragma once  // private to its room

#include <string>
#include <string_view>
#include <vector>

namespace ebb::apiserver {

struct ApiGroup {
  std::string_view name{};  // empty: the core group
  std::vector<std::string_view> versions{};

  // "v1", "apps/v1"
  [[nodiscard]] std::string group_version(std::string_view version) const;
  // Without a leading slash: "api/v1", "apis/apps/v1"
  [[nodiscard]] std::string path(std::string_view version) const;
};

// The core group first, then the order of the schema, then the groups without stored kinds:
// `policy`, which has evictions and which clients request, and the groups of reviews.
[[nodiscard]] const std::vector<ApiGroup>& api_groups();

}  // namespace ebb::apiserver
