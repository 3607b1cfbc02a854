// The outcome of a picker call. A closed list: metrics, records and events use only these words, so
// that tenants cannot learn more about the network from them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace ebb::picker {

enum class Outcome : std::uint8_t {
  kAnswered,       // with at least one name
  kEmpty,          // an answer without names, or without any candidate
  kTimeout,        // the time budget ran out, including the wait for a slot
  kRefused,        // no connection: forbidden, unknown name, refused, or broken
  kTls,            // the peer could not be trusted
  kStatusCode,     // an HTTP status other than 2xx, or a gRPC status other than OK
  kOversize,       // more than kMaxAnswerBytes
  kMalformed,      // the answer does not follow the contract
  kBadSettings,    // not called: the settings are invalid
  kSecretMissing,  // not called: a Secret or a key in it cannot be read
  kBreakerOpen,    // not called: it failed too often recently
  kNotNeeded,      // not called: any answer would lead to the same victims
};

inline constexpr std::array kOutcomes = {
    Outcome::kAnswered,    Outcome::kEmpty,         Outcome::kTimeout,     Outcome::kRefused,
    Outcome::kTls,         Outcome::kStatusCode,    Outcome::kOversize,    Outcome::kMalformed,
    Outcome::kBadSettings, Outcome::kSecretMissing, Outcome::kBreakerOpen, Outcome::kNotNeeded};

// The word used in metrics and records.
[[nodiscard]] constexpr std::string_view to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::kAnswered:
      return "answered";
    case Outcome::kEmpty:
      return "empty";
    case Outcome::kTimeout:
      return "timeout";
    case Outcome::kRefused:
      return "refused";
    case Outcome::kTls:
      return "tls";
    case Outcome::kStatusCode:
      return "status code";
    case Outcome::kOversize:
      return "oversize";
    case Outcome::kMalformed:
      return "malformed";
    case Outcome::kBadSettings:
      return "bad settings";
    case Outcome::kSecretMissing:
      return "secret missing";
    case Outcome::kBreakerOpen:
      return "breaker open";
    case Outcome::kNotNeeded:
      return "not needed";
  }
  return "unknown";
}

// What the outcome means and where to look, for the picker's owner; empty if nothing is wrong. The
// sentence is the same for every picker and contains nothing learnt from the network.
[[nodiscard]] constexpr std::string_view explain(Outcome outcome) {
  switch (outcome) {
    case Outcome::kTimeout:
      return "no answer within timeoutSeconds";
    case Outcome::kRefused:
      return "no connection, or the address is not allowed for pickers";
    case Outcome::kTls:
      return "its certificate is not trusted; see caBundle and serverName";
    case Outcome::kStatusCode:
      return "it answered with an error; see its path, its headers and its own log";
    case Outcome::kOversize:
      return "its answer is longer than 1 MiB";
    case Outcome::kMalformed:
      return "its answer does not follow the contract; try ebb picker-check";
    case Outcome::kBadSettings:
      return "its settings are invalid";
    case Outcome::kSecretMissing:
      return "a Secret in its settings, or a key in it, does not exist";
    case Outcome::kBreakerOpen:
      return "it failed repeatedly and is not called for a while";
    default:
      return {};
  }
}

// Counts decoded bytes.
inline constexpr std::size_t kMaxAnswerBytes = 1'048'576;

}  // namespace ebb::picker
