// A request from a controller process to its API server, and its answer.
//
// A call is sent at the moment it is taken (the lease was checked then), at most once, and answered
// exactly once. A runtime sends it: the real one over HTTP, the simulated one with faults.
#pragma once

#include <cstdint>
#include <string>

#include "base/timestamp.h"
#include "model/api/api.h"

namespace ebb::control {

using CallId = std::uint64_t;

struct Call {
  enum class Kind : std::uint8_t {
    kRead,
    kWrite,  // changes something, so it is sent only while the lease is held
    // A call for the lease or a canary: goes first and ignores the rate limit. The process needs
    // the answer to know whether it may act, so it must not wait for anything else.
    kLease,
    // A read of an object that a tenant's settings name. These reads have a share of the rate
    // limit, in which namespaces take turns, so that one tenant's settings do not delay others.
    kTenantRead,
    // One of many writes that nothing waits for; goes after all other reads and writes.
    kPatientWrite,
    kEvent,   // records an event: goes last, and may be dropped
    kStream,  // a watch: its answer arrives in pieces
  };

  CallId id = 0;
  Kind kind = Kind::kRead;
  model::ApiRequest request{};
  // From sending to the end of the answer; for a stream, to its headers, and then the longest
  // silence. A call without an answer by then has an unknown outcome.
  Nanoseconds deadline_ns = 0;
};

[[nodiscard]] constexpr bool is_write(Call::Kind kind) {
  return kind == Call::Kind::kWrite || kind == Call::Kind::kPatientWrite;
}

// The maximum duration of a write. After that it has been carried out or never will be.
inline constexpr Nanoseconds kWriteDeadlineNs = 5 * kNanosecondsPerSecond;

struct Answer {
  enum class Outcome : std::uint8_t {
    kAnswered,  // `response` is the answer; for a stream: its start, if it was refused
    kUnknown,   // sent without an answer: it may have been carried out, or may still be
    kNotSent,   // certainly not carried out: no connection, no lease
    kEnded,     // of a stream: it ended normally
  };

  Outcome outcome = Outcome::kAnswered;
  model::ApiResponse response{};
  std::string error{};  // why there is no response, for logs; may be empty

  [[nodiscard]] bool succeeded() const {
    return outcome == Outcome::kAnswered && response.code >= 200 && response.code < 300;
  }
  // Whether the request may have been carried out without a confirmation: there was no answer, or
  // the server failed on the way.
  [[nodiscard]] bool unknown() const {
    return outcome == Outcome::kUnknown ||
           (outcome == Outcome::kAnswered && (response.code >= 500 || response.code == 0));
  }
};

}  // namespace ebb::control
