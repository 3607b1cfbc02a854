// What a controller process wants from its API server, and how that went.
//
// A call is sent at the moment it is taken (the lease was checked then), at most once, and
// answered exactly once. Who sends it is a runtime: the real one over HTTP, the simulated one
// with faults.
#pragma once

#include <cstdint>
#include <string>

#include "base/timestamp.h"
#include "model/api.h"

namespace ebb::control {

using CallId = std::uint64_t;

struct Call {
  enum class Kind : std::uint8_t {
    kRead,
    kWrite,  // changes something, so it is sent only while the lease is held
    kLease,  // of the lease itself: before all others, whatever the rate limit
    // What a tenant's settings name: behind writes, so that nobody's settings hold others up.
    kTenantRead,
    // A write that nothing waits for, of which there may be many: behind all reads and writes.
    kPatientWrite,
    kEvent,   // tells people something: behind all others, and may be dropped
    kStream,  // a watch: its answer comes in pieces
  };

  CallId id = 0;
  Kind kind = Kind::kRead;
  model::ApiRequest request{};
  // From sending to the end of the answer; for a stream to its head, and then the longest
  // silence. Whatever has no answer by then has an unknown outcome.
  Nanoseconds deadline_ns = 0;
};

[[nodiscard]] constexpr bool is_write(Call::Kind kind) {
  return kind == Call::Kind::kWrite || kind == Call::Kind::kPatientWrite;
}

// How long a write may take. After that it was carried out or never will be.
inline constexpr Nanoseconds kWriteDeadlineNs = 5 * kNanosecondsPerSecond;

struct Answer {
  enum class Outcome : std::uint8_t {
    kAnswered,  // `response` says how it went; of a stream: how it began, if it was refused
    kUnknown,   // sent, and nothing came back: it may have been carried out, or will be
    kNotSent,   // certainly not carried out: no connection, no lease
    kEnded,     // of a stream: it was over, in good order
  };

  Outcome outcome = Outcome::kAnswered;
  model::ApiResponse response{};
  std::string error{};  // why there is no response, for people; may be empty

  [[nodiscard]] bool succeeded() const {
    return outcome == Outcome::kAnswered && response.code >= 200 && response.code < 300;
  }
  // Whether the request may have been carried out although nobody says so: nothing came
  // back, or the server failed on the way.
  [[nodiscard]] bool unknown() const {
    return outcome == Outcome::kUnknown ||
           (outcome == Outcome::kAnswered && (response.code >= 500 || response.code == 0));
  }
};

}  // namespace ebb::control
