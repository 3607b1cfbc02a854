#include "apiserver/admission/admission_answer.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "apiserver/decode/decode.h"
#include "base/base64.h"
#include "schema/core/json.h"
#include "schema/core/utf8.h"

namespace ebb::apiserver {

namespace json = boost::json;
using model::StatusOr;
using schema::text_at;

namespace {

constexpr int kMinDenial = 400;
constexpr std::size_t kMaxShownBytes = 256;

// The message of Kubernetes' client for a status code when the body is not a Status.
std::string of_code(int code, std::string_view body) {
  struct Words {
    int code;
    std::string_view text;
  };
  constexpr std::array kWords = {
      Words{400, "the server rejected our request for an unknown reason"},
      Words{401, "the server has asked for the client to provide credentials"},
      Words{404, "the server could not find the requested resource"},
      Words{405, "the server does not allow this method on the requested resource"},
      Words{409, "the server reported a conflict"},
      Words{429, "the server has received too many requests and has asked us to try again later"},
      Words{503, "the server is currently unable to handle the request"},
      Words{504,
            "the server was unable to return a response in the time allotted, but may still be "
            "processing the request"},
  };
  const auto* const found = std::find_if(kWords.begin(), kWords.end(),
                                         [&](const Words& one) { return one.code == code; });
  if (found != kWords.end()) return std::string(found->text);
  while (!body.empty() && (body.back() == '\n' || body.back() == ' ')) body.remove_suffix(1);
  std::string shown = body.empty() ? "unknown" : schema::as_utf8(body.substr(0, kMaxShownBytes));
  if (code == 403) return shown;
  if (code >= 500) {
    return fmt::format("an error on the server ({}) has prevented the request from succeeding",
                       json::serialize(json::value(shown)));
  }
  return fmt::format(
      "the server responded with the status code {} but did not return more information", code);
}

std::string kind_text(std::string_view api_version, std::string_view kind) {
  const bool grouped = api_version.find('/') != std::string_view::npos;
  return fmt::format("{}{}, Kind={}", grouped ? "" : "/", api_version, kind);
}

std::string_view go_type(const json::value& value) {
  if (value.is_string()) return "string";
  if (value.is_array()) return "array";
  if (value.is_bool()) return "bool";
  return value.is_object() ? "object" : "number";
}

std::string no_review(const json::value& document) {
  return fmt::format(
      R"(json: cannot unmarshal {} into Go value of type struct {{ APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }})",
      go_type(document));
}

// Returns why a document cannot be read as a review; empty if it can.
std::string unreadable(const json::object& review, const Expected& expected) {
  const std::string_view kind = text_at(review, {"kind"});
  const std::string_view version = text_at(review, {"apiVersion"});
  const bool is_review = kind == "AdmissionReview";
  if (is_review && version.starts_with("admission.k8s.io/") &&
      !version.ends_with(expected.version)) {
    return fmt::format(
        "converting ({}.AdmissionReview) to ({}.AdmissionReview): unknown conversion",
        version.substr(version.find('/') + 1), expected.version);
  }
  if (!kind.empty() && (!is_review || !version.starts_with("admission.k8s.io/"))) {
    return fmt::format("no kind \"{}\" is registered for version \"{}\"", kind, version);
  }
  const json::value* allowed = schema::lookup(review, {"response", "allowed"});
  if (allowed != nullptr && !allowed->is_bool() && !allowed->is_null()) {
    return fmt::format(
        "json: cannot unmarshal {} into Go struct field AdmissionResponse.response.allowed of type "
        "bool",
        go_type(*allowed));
  }
  std::string patch(text_at(review, {"response", "patch"}));
  if (const std::optional<std::size_t> wrong = canonicalise_base64(patch)) {
    return fmt::format("illegal base64 data at input byte {}", *wrong);
  }
  return "";
}

// Returns why a review does not answer the question; empty if it does.
std::string complaint_about(const json::object& review, const Expected& expected) {
  const json::object* response = schema::object_at(review, {"response"});
  if (response == nullptr) return "webhook response was absent";
  const std::string api_version = fmt::format("admission.k8s.io/{}", expected.version);
  const std::string_view uid = text_at(*response, {"uid"});
  const std::string_view kind = text_at(review, {"kind"});
  const std::string_view version = text_at(review, {"apiVersion"});
  const bool is_strict = expected.version == "v1";
  if (is_strict && uid != expected.uid) {
    return fmt::format(R"(expected response.uid="{}", got "{}")", expected.uid, uid);
  }
  if (is_strict && (kind != "AdmissionReview" || version != api_version)) {
    return fmt::format("expected webhook response of {}, got {}",
                       kind_text(api_version, "AdmissionReview"), kind_text(version, kind));
  }
  const bool has_patch = !text_at(*response, {"patch"}).empty();
  const json::value* type = response->if_contains("patchType");
  const bool has_type = type != nullptr && !type->is_null();
  if (!is_strict) return "";
  if (!expected.may_patch) {
    if (has_patch) return "validating webhook may not return response.patch";
    return has_type ? "validating webhook may not return response.patchType" : "";
  }
  if (has_patch && !has_type) return "webhook returned response.patch but not response.patchType";
  if (!has_patch && has_type) return "webhook returned response.patchType but not response.patch";
  if (has_type && text_at(*response, {"patchType"}).empty()) {
    return R"(webhook returned invalid response.patchType of "")";
  }
  return "";
}

model::Status denial_of(std::string_view webhook, const json::object& response) {
  static const json::object kNone;
  const json::object* given = schema::object_at(response, {"status"});
  const json::object& status = given == nullptr ? kNone : *given;
  model::Status denial;
  const std::int64_t code = schema::integer_at(status, {"code"}).value_or(0);
  denial.code = code < kMinDenial || code > 599 ? kMinDenial : static_cast<int>(code);
  denial.reason = text_at(status, {"reason"});
  const std::string_view message = text_at(status, {"message"});
  const std::string_view why = message.empty() ? std::string_view(denial.reason) : message;
  denial.message = fmt::format("admission webhook \"{}\" denied the request", webhook);
  denial.message += why.empty() ? " without explanation" : fmt::format(": {}", why);
  denial.name = text_at(status, {"details", "name"});
  denial.group = text_at(status, {"details", "group"});
  denial.kind = text_at(status, {"details", "kind"});
  denial.uid = text_at(status, {"details", "uid"});
  denial.retry_after_seconds = static_cast<int>(std::clamp<std::int64_t>(
      schema::integer_at(status, {"details", "retryAfterSeconds"}).value_or(0), 0,
      std::numeric_limits<std::int32_t>::max()));
  if (const json::array* causes = schema::array_at(status, {"details", "causes"})) {
    for (const json::value& cause : *causes) {
      if (!cause.is_object()) continue;
      const json::object& one = cause.get_object();
      denial.causes.push_back({std::string(text_at(one, {"reason"})),
                               std::string(text_at(one, {"message"})),
                               std::string(text_at(one, {"field"}))});
    }
  }
  return denial;
}

// Returns the operations of a patch, or nothing if there are none. The error says why the patch
// cannot be read.
tl::expected<std::optional<json::value>, std::string> read_patch(const json::object& response) {
  const std::string_view encoded = text_at(response, {"patch"});
  if (encoded.empty()) return std::nullopt;
  StatusOr<ParsedJson> patch = parse_json(decode_base64(encoded).value_or(""), "the patch");
  if (!patch) return tl::unexpected(patch.error().message);
  // Go decodes null as an absent list.
  if (patch->value.is_null()) return std::nullopt;
  const auto wrong = [](const json::value& value, std::string_view type) {
    return tl::unexpected(fmt::format(
        "json: cannot unmarshal {} into Go value of type jsonpatch.{}", go_type(value), type));
  };
  if (!patch->value.is_array()) return wrong(patch->value, "Patch");
  const json::array& operations = patch->value.get_array();
  for (const json::value& operation : operations) {
    if (!operation.is_object()) return wrong(operation, "Operation");
  }
  if (operations.empty()) return std::nullopt;
  return std::optional<json::value>(std::move(patch->value));
}

}  // namespace

StatusOr<Verdict> read_answer(const WebhookQuestion& question, const WebhookAnswer& answer,
                              const Expected& expected) {
  const auto failed = [](std::string_view how, std::string_view why) {
    return Verdict{.failure = fmt::format("{}: {}", how, why)};
  };
  if (!answer.error.empty()) {
    return failed("failed to call webhook",
                  fmt::format("Post \"{}\": {}", question.url, answer.error));
  }
  if (answer.code < 200 || answer.code >= 300) {
    return failed("failed to call webhook", of_code(answer.code, answer.body));
  }
  if (answer.body.empty()) {
    return failed("failed to call webhook",
                  fmt::format("0-length response with status code: {} and content type: {}",
                              answer.code, schema::as_utf8(answer.content_type)));
  }
  StatusOr<ParsedJson> parsed = parse_json(answer.body, "the answer");
  if (parsed && parsed->value.is_null()) parsed->value.emplace_object();
  if (!parsed || !parsed->value.is_object()) {
    return failed("failed to call webhook",
                  fmt::format("couldn't get version/kind; json parse error: {}",
                              parsed ? no_review(parsed->value) : parsed.error().message));
  }
  const json::object& review = parsed->value.get_object();
  if (const std::string why = unreadable(review, expected); !why.empty()) {
    return failed("failed to call webhook", why);
  }
  if (const std::string complaint = complaint_about(review, expected); !complaint.empty()) {
    return failed("received invalid webhook response", complaint);
  }
  const json::object& response = *schema::object_at(review, {"response"});
  Verdict verdict;
  if (const json::array* warnings = schema::array_at(response, {"warnings"})) {
    for (const json::value& one : *warnings) {
      if (one.is_string()) verdict.warnings.emplace_back(one.get_string());
    }
  }
  if (!schema::is_true_at(response, {"allowed"})) {
    verdict.denial = denial_of(question.webhook, response);
    return verdict;
  }
  if (!expected.may_patch) return verdict;
  const std::string_view type = text_at(response, {"patchType"});
  tl::expected<std::optional<json::value>, std::string> patch = read_patch(response);
  if (!patch) {
    verdict.failure =
        fmt::format("received undecodable patch in webhook response: {}", patch.error());
    return verdict;
  }
  if (*patch && !type.empty() && type != "JSONPatch") {
    verdict.failure = fmt::format("unsupported patch type \"{}\"", type);
    return verdict;
  }
  verdict.patch = *std::move(patch);
  return verdict;
}

}  // namespace ebb::apiserver
