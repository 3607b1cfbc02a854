// In which form a client wants its answer.
#pragma once

#include <optional>
#include <string_view>

namespace ebb::apiserver {

enum class Representation {
  kObject,    // the object or list itself
  kTable,     // meta.k8s.io/v1 Table
  kMetadata,  // meta.k8s.io/v1 PartialObjectMetadata(List)
};

// The first form in an Accept header that we can give; nothing if there is none. An empty
// header accepts everything.
[[nodiscard]] std::optional<Representation> negotiate(std::string_view accept);

// The media type of a Content-Type or Accept clause, without its parameters.
[[nodiscard]] std::string_view media_type(std::string_view header);

}  // namespace ebb::apiserver
