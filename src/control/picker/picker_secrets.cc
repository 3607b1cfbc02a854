#include "control/picker/picker_secrets.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/base64.h"
#include "control/core/json_document.h"
#include "model/api/requests.h"
#include "schema/core/json.h"
#include "schema/core/picker_rules.h"

namespace ebb::control {
namespace {

using picker::Outcome;
using How = SecretAnswer::How;

constexpr int kUnauthorized = 401;
constexpr int kRequestTimeout = 408;
constexpr int kTooManyRequests = 429;

// Nothing if the key is absent or not base64.
std::optional<std::string> value_of(const std::map<std::string, SecretAnswer>& secrets,
                                    const std::string& secret, const std::string& key) {
  const auto found = secrets.find(secret);
  if (found == secrets.end() || found->second.how != How::kThere) return std::nullopt;
  const auto value = found->second.data.find(key);
  if (value == found->second.data.end()) return std::nullopt;
  return decode_base64(value->second);
}

// Secrets created from files usually end with a newline.
void trim_newline(std::string& value) {
  const std::string_view end = value.ends_with("\r\n") ? "\r\n" : "\n";
  if (value.ends_with(end)) value.resize(value.size() - end.size());
}

tl::unexpected<CredentialProblem> missing(std::string_view secret, std::string_view key) {
  return tl::unexpected(CredentialProblem{
      .outcome = Outcome::kSecretMissing,
      .problem =
          fmt::format("Secret {}, key {}: not found, or reading it is forbidden", secret, key)});
}

tl::unexpected<CredentialProblem> useless(std::string_view secret, std::string_view key,
                                          std::string_view rule) {
  return tl::unexpected(
      CredentialProblem{.outcome = Outcome::kBadSettings,
                        .problem = fmt::format("Secret {}, key {}: {}", secret, key, rule)});
}

bool has_pem(std::string_view text, std::string_view what) {
  const std::size_t begin = text.find("-----BEGIN ");
  return begin != std::string_view::npos && text.find(what, begin) != std::string_view::npos;
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

model::ApiRequest secret_request(std::string_view namespace_name, std::string_view name) {
  return model::get_request(model::object_path(
      *schema::find_kind("v1", "Secret"),
      {.namespace_name = std::string(namespace_name), .name = std::string(name)}));
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

tl::expected<Credentials, CredentialProblem> gather_credentials(
    const picker::Settings& settings, const std::map<std::string, SecretAnswer>& secrets) {
  Credentials credentials;
  std::size_t bytes = 0;  // of the values from Secrets; the others were counted before
  for (const picker::Header& header : settings.headers) {
    if (!header.from) {
      credentials.headers.emplace_back(header.name, header.value);
      continue;
    }
    const auto& [secret, name, optional] = *header.from;
    auto value = value_of(secrets, secret, name);
    if (!value && optional) continue;
    if (!value) return missing(secret, name);
    trim_newline(*value);
    bytes += header.name.size() + value->size();
    if (!picker::valid_header_value(*value)) {
      return useless(secret, name, "must be one line of printable ASCII to be a header");
    }
    if (bytes > schema::kMaxPickerHeaderBytes) {
      return useless(secret, name, "must be shorter: all headers together exceed the limit");
    }
    credentials.headers.emplace_back(header.name, std::move(*value));
  }
  const std::string& secret = settings.client_certificate;
  if (secret.empty()) return credentials;
  auto certificate = value_of(secrets, secret, "tls.crt");
  if (!certificate) return missing(secret, "tls.crt");
  auto key = value_of(secrets, secret, "tls.key");
  if (!key) return missing(secret, "tls.key");
  for (const auto& [name, value] :
       {std::pair("tls.crt", &*certificate), std::pair("tls.key", &*key)}) {
    if (value->size() > schema::kMaxClientCertificateBytes) {
      return useless(secret, name,
                     fmt::format("must have at most {} bytes", schema::kMaxClientCertificateBytes));
    }
  }
  if (!has_pem(*certificate, "CERTIFICATE-----")) {
    return useless(secret, "tls.crt", "must be a certificate in PEM");
  }
  if (!has_pem(*key, "PRIVATE KEY-----")) {
    return useless(secret, "tls.key", "must be a private key in PEM");
  }
  credentials.certificate_pem = std::move(*certificate);
  credentials.key_pem = std::move(*key);
  return credentials;
}

}  // namespace ebb::control
