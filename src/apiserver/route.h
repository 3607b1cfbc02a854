// What a request's path and query mean.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "model/status.h"
#include "schema/kind.h"

namespace ebb::apiserver {

struct Route {
  const schema::Kind* kind = nullptr;
  std::string namespace_name;  // empty: cluster-scoped, or all namespaces
  std::string name;            // empty: the collection
  std::string subresource;     // status, scale, eviction, binding, finalize
};

// Nothing if the path names no resource that we serve. `watch` paths of old
// (/api/v1/watch/pods) are not served.
[[nodiscard]] std::optional<Route> route(std::string_view path);

// The query's parameters, percent-decoded; of repeated ones the first counts. Malformed
// encoding is a 400.
using Query = std::map<std::string, std::string, std::less<>>;
[[nodiscard]] model::StatusOr<Query> parse_query(std::string_view text);

// Undoes percent-encoding; nothing if it is malformed. `+` is a space in queries only.
[[nodiscard]] std::optional<std::string> percent_decode(std::string_view text, bool plus_is_space);

}  // namespace ebb::apiserver
