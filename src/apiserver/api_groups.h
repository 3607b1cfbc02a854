// The API groups that are served, and where their documents and resources live.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ebb::apiserver {

struct ApiGroup {
  std::string_view name{};  // empty: the core group
  std::vector<std::string_view> versions{};

  // "v1", "apps/v1"
  [[nodiscard]] std::string group_version(std::string_view version) const;
  // Without a slash in front: "api/v1", "apis/apps/v1"
  [[nodiscard]] std::string path(std::string_view version) const;
};

// The core group first, then in the order of the schema. Then those of which no kind is stored:
// `policy`, to which evictions belong and which clients ask for, and the groups of reviews.
[[nodiscard]] const std::vector<ApiGroup>& api_groups();

}  // namespace ebb::apiserver
