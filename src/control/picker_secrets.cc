#include "control/picker_secrets.h"

#include <algorithm>
#include <optional>

#include "control/json_document.h"
#include "model/requests.h"
#include "schema/base64.h"
#include "schema/json.h"
#include "schema/picker_rules.h"

namespace ebb::control {
namespace {

using picker::Outcome;
using How = SecretAnswer::How;

constexpr int kUnauthorized = 401;
constexpr int kRequestTimeout = 408;
constexpr int kTooManyRequests = 429;

// Nothing if it is not there, or no base64.
std::optional<std::string> value_of(const std::map<std::string, SecretAnswer>& secrets,
                                    const std::string& secret, const std::string& key) {
  const auto found = secrets.find(secret);
  if (found == secrets.end() || found->second.how != How::kThere) return std::nullopt;
  const auto value = found->second.data.find(key);
  if (value == found->second.data.end()) return std::nullopt;
  return schema::decode_base64(value->second);
}

// Whoever makes a Secret from a file has a newline at its end.
void trim_newline(std::string& value) {
  if (!value.empty() && value.back() == '\n') value.pop_back();
  if (!value.empty() && value.back() == '\r') value.pop_back();
}

}  // namespace

std::vector<std::string> secrets_of(const picker::Settings& settings) {
  std::vector<std::string> names;
  for (const picker::Header& header : settings.headers) {
    if (header.from) names.push_back(header.from->secret);
  }
  if (!settings.client_certificate.empty()) names.push_back(settings.client_certificate);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

model::ApiRequest secret_request(std::string_view name_space, std::string_view name) {
  return model::get_request(
      model::object_path(*schema::find_kind("v1", "Secret"),
                         {.namespace_name = std::string(name_space), .name = std::string(name)}));
}

SecretAnswer read_secret(const Answer& answer) {
  if (answer.outcome != Answer::Outcome::kAnswered) return {.how = How::kFailed};
  const int code = answer.response.code;
  const bool may_change = code >= 500 || code < 200 || code == kUnauthorized ||
                          code == kRequestTimeout || code == kTooManyRequests;
  if (may_change) return {.how = How::kFailed};
  if (!answer.succeeded()) return {.how = How::kMissing};
  const auto document = parse_document(answer.response.body.str());
  if (!document) return {.how = How::kFailed};
  SecretAnswer secret{.how = How::kThere};
  const boost::json::object* const data = schema::object_at(*document, {"data"});
  if (data == nullptr) return secret;
  for (const auto& entry : *data) {
    if (entry.value().is_string()) {
      secret.data.emplace(entry.key(), std::string_view(entry.value().get_string()));
    }
  }
  return secret;
}

tl::expected<Credentials, Outcome> gather_credentials(
    const picker::Settings& settings, const std::map<std::string, SecretAnswer>& secrets) {
  Credentials credentials;
  std::size_t bytes = 0;  // of those that come from Secrets; the others were counted before
  for (const picker::Header& header : settings.headers) {
    if (!header.from) {
      credentials.headers.emplace_back(header.name, header.value);
      continue;
    }
    auto value = value_of(secrets, header.from->secret, header.from->key);
    if (!value && header.from->optional) continue;
    if (!value) return tl::unexpected(Outcome::kSecretMissing);
    trim_newline(*value);
    bytes += header.name.size() + value->size();
    if (!picker::valid_header_value(*value) || bytes > schema::kMostPickerHeaderBytes)
      return tl::unexpected(Outcome::kBadSettings);
    credentials.headers.emplace_back(header.name, std::move(*value));
  }
  if (settings.client_certificate.empty()) return credentials;
  auto certificate = value_of(secrets, settings.client_certificate, "tls.crt");
  auto key = value_of(secrets, settings.client_certificate, "tls.key");
  if (!certificate || !key) return tl::unexpected(Outcome::kSecretMissing);
  credentials.certificate_pem = std::move(*certificate);
  credentials.key_pem = std::move(*key);
  return credentials;
}

}  // namespace ebb::control
