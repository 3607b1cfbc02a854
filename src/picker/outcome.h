// How the question to a picker ended. A closed list: metrics, records and events use these words
// and no others, so that what a tenant sees never tells more about a network than this.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace ebb::picker {

enum class Outcome : std::uint8_t {
  kAnswered,       // with at least one name
  kEmpty,          // an answer without names, or none that is a candidate
  kTimeout,        // the budget was used up, waiting for a place included
  kRefused,        // no connection: forbidden, unknown name, refused, or broken
  kTls,            // whoever answered could not be trusted
  kStatusCode,     // an HTTP status other than 2xx, or a gRPC status other than OK
  kOversize,       // more than kMostAnswerBytes
  kMalformed,      // no answer in the sense of the contract
  kBadSettings,    // not asked: the settings make no sense
  kSecretMissing,  // not asked: a Secret or a key in it cannot be read
  kBreakerOpen,    // not asked: it has failed too often of late
  kNotNeeded,      // not asked: the pods that go are the same whatever it says
};

inline constexpr std::array kOutcomes = {
    Outcome::kAnswered,    Outcome::kEmpty,         Outcome::kTimeout,     Outcome::kRefused,
    Outcome::kTls,         Outcome::kStatusCode,    Outcome::kOversize,    Outcome::kMalformed,
    Outcome::kBadSettings, Outcome::kSecretMissing, Outcome::kBreakerOpen, Outcome::kNotNeeded};

// As in metrics and records.
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

// What it means and where to look, for whoever owns the picker; empty where nothing is wrong. The
// same sentence for every picker: nothing in it was learnt from the network.
[[nodiscard]] constexpr std::string_view explain(Outcome outcome) {
  switch (outcome) {
    case Outcome::kTimeout:
      return "no answer within timeoutSeconds";
    case Outcome::kRefused:
      return "no connection, or pickers may not be there";
    case Outcome::kTls:
      return "its certificate is not trusted; see caBundle and serverName";
    case Outcome::kStatusCode:
      return "it answered with an error; see its path, its headers and its own log";
    case Outcome::kOversize:
      return "its answer is longer than 1 MiB";
    case Outcome::kMalformed:
      return "its answer is not as the contract wants it; try ebb picker-check";
    case Outcome::kBadSettings:
      return "its settings make no sense";
    case Outcome::kSecretMissing:
      return "a Secret that its settings name, or a key in it, is not there";
    case Outcome::kBreakerOpen:
      return "it has failed again and again, and is not asked for a while";
    default:
      return {};
  }
}

// Of decoded bytes.
inline constexpr std::size_t kMostAnswerBytes = 1'048'576;

}  // namespace ebb::picker
