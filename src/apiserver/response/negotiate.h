// Content negotiation: the form in which a client wants its answer.
#pragma once

#include <optional>
#include <string_view>

#include "schema/core/kind.h"

namespace ebb::apiserver {

enum class Representation {
  kObject,    // the object or list itself
  kTable,     // meta.k8s.io/v1 Table
  kMetadata,  // meta.k8s.io/v1 PartialObjectMetadata(List)
};

enum class Encoding {
  kJson,
  kProtobuf,  // not for tables; for custom kinds only their metadata
};

struct Negotiated {
  Representation representation = Representation::kObject;
  Encoding encoding = Encoding::kJson;

  friend bool operator==(const Negotiated&, const Negotiated&) = default;
};

// The first form in an Accept header that is available for a kind; nothing if there is none. An
// empty header accepts everything.
[[nodiscard]] std::optional<Negotiated> negotiate(std::string_view accept,
                                                  const schema::Kind& kind);

// Returns true if the header lists JSON in this form before plain JSON.
[[nodiscard]] bool prefers_json_as(std::string_view accept, std::string_view group,
                                   std::string_view version, std::string_view as);

// The media type of a Content-Type or Accept clause, without its parameters.
[[nodiscard]] std::string_view media_type(std::string_view header);

}  // namespace ebb::apiserver
