#include "control/json_document.h"

#include <algorithm>
#include <charconv>

#include <boost/json/array.hpp>
#include <boost/json/monotonic_resource.hpp>
#include <boost/json/parse.hpp>

#include "schema/json.h"

namespace ebb::control {

namespace json = boost::json;

std::optional<json::object> parse_document(std::string_view text) {
  json::parse_options options;
  options.max_depth = 200;
  json::error_code error;
  // Documents are read, changed a little and thrown away, so nothing in them is freed by itself.
  json::value value =
      json::parse(text, error, json::make_shared_resource<json::monotonic_resource>(), options);
  if (error || !value.is_object()) return std::nullopt;
  return std::move(value.get_object());
}

model::Revision revision_of(const std::optional<json::object>& document) {
  if (!document) return 0;
  const std::string_view text = schema::text_at(*document, {"metadata", "resourceVersion"});
  model::Revision revision = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), revision);
  return error == std::errc() && end == text.data() + text.size() ? revision : 0;
}

bool Refusal::has_cause(std::string_view cause) const {
  return std::find(causes.begin(), causes.end(), cause) != causes.end();
}

Refusal read_refusal(const Answer& answer) {
  Refusal refusal;
  const auto status = parse_document(answer.response.body.str());
  if (!status) return refusal;
  refusal.reason = schema::text_at(*status, {"reason"});
  refusal.message = schema::text_at(*status, {"message"});
  if (const json::array* causes = schema::array_at(*status, {"details", "causes"})) {
    for (const json::value& each : *causes) {
      const json::object* cause = each.if_object();
      if (cause != nullptr) refusal.causes.emplace_back(schema::text_at(*cause, {"reason"}));
    }
  }
  return refusal;
}

}  // namespace ebb::control
