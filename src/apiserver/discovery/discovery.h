// The discovery documents: versions, groups, resources, OpenAPI.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ebb::apiserver {

struct DiscoveryDocument {
  std::string_view json{};
  std::string_view content_type = "application/json";
  // Set for documents that clients cache until it changes; empty for others.
  std::string_view etag{};
};

// Returns the document at a path such as /version, /api, /apis, /apis/apps, /apis/apps/v1,
// /openapi/v3 or /openapi/v3/apis/apps/v1; nothing for other paths. Documents are built once from
// the schema. /api and /apis return aggregated discovery if the Accept header asks for it.
[[nodiscard]] std::optional<DiscoveryDocument> discovery_document(std::string_view path,
                                                                  std::string_view accept = {});

}  // namespace ebb::apiserver
