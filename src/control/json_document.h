// Documents of the API as they come in answers and stand in the store.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "control/call.h"

namespace ebb::control {

// Nothing if it is no JSON object. Nested at most 200 levels.
[[nodiscard]] std::optional<boost::json::object> parse_document(std::string_view text);

// Its resourceVersion; 0 if there is none or it is no number.
[[nodiscard]] model::Revision revision_of(const std::optional<boost::json::object>& document);

// What the Status of an answer says that is no success.
struct Refusal {
  std::string reason;
  std::string message;
  std::vector<std::string> causes;  // their reasons

  [[nodiscard]] bool has_cause(std::string_view cause) const;
};
[[nodiscard]] Refusal read_refusal(const Answer& answer);

}  // namespace ebb::control
