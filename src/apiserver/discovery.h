// The documents that tell clients what is served: versions, groups, resources, OpenAPI.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ebb::apiserver {

struct DiscoveryDocument {
  std::string_view json{};
  std::string_view content_type = "application/json";
  // Of documents that clients keep for as long as it stays the same; empty for others.
  std::string_view etag{};
};

// The document at a path such as /version, /api, /apis, /apis/apps, /apis/apps/v1, /openapi/v3 or
// /openapi/v3/apis/apps/v1, built once from the schema; nothing if the path is none of these. /api
// and /apis have everything below them if the Accept header asks for that.
[[nodiscard]] std::optional<DiscoveryDocument> discovery_document(std::string_view path,
                                                                  std::string_view accept = {});

}  // namespace ebb::apiserver
