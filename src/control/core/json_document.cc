#include "control/core/json_document.h"

#include <algorithm>
#include <charconv>

#include <boost/json/array.hpp>
#include <boost/json/monotonic_resource.hpp>
#include <boost/json/parse.hpp>

#include "schema/core/json.h"

namespace ebb::control {

namespace json = boost::json;

std::optional<json::object> parse_document(std::string_view text) {
  json::parse_options options;
  options.max_depth = 200;
  json::error_code error;
  // Documents are read, changed a little and discarded, so a monotonic buffer is enough.
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

// By the words before the message, and not by reason, details and causes as for all other refusals:
// kube-apiserver passes those on as the webhook wrote them, whereas it begins the message itself
// (ToStatusErr in k8s.io/apiserver/pkg/admission/plugin/webhook/errors).
// tests/cluster/attacks/test_lying_webhook.py checks these words on a real kube-apiserver.
bool Refusal::is_admission_denial() const {
  constexpr std::string_view kBefore = "admission webhook \"";
  constexpr std::string_view kAfter = "\" denied the request";
  return message.starts_with(kBefore) && message.find(kAfter) != std::string::npos;
}

bool is_admission_denial(const Answer& answer) {
  constexpr int kLowestRefusal = 400;
  return answer.outcome == Answer::Outcome::kAnswered && answer.response.code >= kLowestRefusal &&
         read_refusal(answer).is_admission_denial();
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
