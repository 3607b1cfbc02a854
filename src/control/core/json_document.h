// API documents, from answers and from the store.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "control/core/call.h"

namespace ebb::control {

// Nothing if it is not a JSON object. At most 200 levels deep.
[[nodiscard]] std::optional<boost::json::object> parse_document(std::string_view text);

// Its resourceVersion; 0 if it is absent or not a number.
[[nodiscard]] model::Revision revision_of(const std::optional<boost::json::object>& document);

// The Status in an answer that is not a success.
struct Refusal {
  std::string reason;
  std::string message;
  std::vector<std::string> causes;  // the reasons of the causes

  [[nodiscard]] bool has_cause(std::string_view cause) const;
  // A webhook chooses code, reason, details and causes of its denial, so these can look like any of
  // the API server's own errors. The words before the webhook's message come from the API server.
  [[nodiscard]] bool is_admission_denial() const;
};
[[nodiscard]] Refusal read_refusal(const Answer& answer);

// Whether a webhook denied the request. Then it was not carried out, whatever the code.
[[nodiscard]] bool is_admission_denial(const Answer& answer);

}  // namespace ebb::control
