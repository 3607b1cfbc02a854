// The documents that tell clients what is served: versions, groups, resources, OpenAPI.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ebb::apiserver {

// The JSON document at a path such as /version, /api, /apis, /apis/apps, /apis/apps/v1,
// /openapi/v3 or /openapi/v3/apis/apps/v1, built once from the schema; nothing if the path
// is none of these.
[[nodiscard]] std::optional<std::string_view> discovery_document(std::string_view path);

}  // namespace ebb::apiserver
