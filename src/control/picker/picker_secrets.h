// Headers and certificates of a picker that come from Secrets in the ReplicaSet's namespace.
//
// The values go into one session and nowhere else: not into a log, an event, a metric, an error or
// a record.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

#include "control/core/call.h"
#include "picker/outcome.h"
#include "picker/settings.h"

namespace ebb::control {

// Names of the required Secrets, without duplicates.
[[nodiscard]] std::vector<std::string> secrets_of(const picker::Settings& settings);

[[nodiscard]] model::ApiRequest secret_request(std::string_view namespace_name,
                                               std::string_view name);

struct SecretAnswer {
  enum class How : std::uint8_t {
    kThere,
    kMissing,  // it does not exist, or reading it is forbidden
    kFailed,   // unknown; a later attempt may succeed
  };

  How how = How::kMissing;
  std::map<std::string, std::string> data{};  // base64, as received
};
[[nodiscard]] SecretAnswer read_secret(const Answer& answer);

struct Credentials {
  std::vector<std::pair<std::string, std::string>> headers{};
  std::string certificate_pem{};
  std::string key_pem{};
};

// Why the picker cannot be called. The text contains names from the settings and nothing from a
// Secret.
struct CredentialProblem {
  picker::Outcome outcome = picker::Outcome::kSecretMissing;
  std::string problem{};
};

// `secrets` by name.
[[nodiscard]] tl::expected<Credentials, CredentialProblem> gather_credentials(
    const picker::Settings& settings, const std::map<std::string, SecretAnswer>& secrets);

}  // namespace ebb::control
