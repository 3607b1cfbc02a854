// Parses a request's path and query.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "model/api/status.h"
#include "schema/core/kind.h"

namespace ebb::apiserver {

struct Route {
  const schema::Kind* kind = nullptr;
  std::string namespace_name;  // empty: cluster-scoped, or all namespaces
  std::string name;            // empty: the collection
  std::string subresource;     // status, scale, eviction, binding, finalize
};

// Nothing if the path is not that of a served resource. Deprecated `watch` paths
// (/api/v1/watch/pods) are not served.
[[nodiscard]] std::optional<Route> route(std::string_view path);

// The query's parameters, percent-decoded; if one is repeated, the first counts. Malformed encoding
// is a 400.
using Query = std::map<std::string, std::string, std::less<>>;
[[nodiscard]] model::StatusOr<Query> parse_query(std::string_view text);

// Decodes percent-encoding; nothing if it is malformed. `+` is a space in queries only. The result
// is valid UTF-8, because it goes into objects (fieldManager) and messages.
[[nodiscard]] std::optional<std::string> percent_decode(std::string_view text, bool plus_is_space);

}  // namespace ebb::apiserver
