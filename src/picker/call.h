// One attempt to call a picker, and its result. A runtime carries it out: the real one over HTTP
// and gRPC, the simulated one with its own pickers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/timestamp.h"
#include "picker/answer.h"
#include "picker/outcome.h"
#include "picker/settings.h"

namespace ebb::picker {

using CallId = std::uint64_t;

struct Call {
  CallId id = 0;
  std::string tenant{};  // its namespace: slots are shared fairly between tenants
  std::shared_ptr<const Settings> settings{};
  // Includes values from Secrets: never log them.
  std::vector<std::pair<std::string, std::string>> headers{};
  std::string certificate_pem{};
  std::string key_pem{};
  // JSON or protobuf, depending on the protocol; shared by the attempts of one decision.
  std::shared_ptr<const std::string> body{};
  std::string idempotency_key{};  // the same for all attempts of one decision
  bool shadow = false;            // the answer is only recorded; the picker is told so
  Nanoseconds deadline_ns = 0;    // from now: the rest of the time budget
};

struct Reply {
  // kAnswered, kEmpty, kTimeout, kRefused, kTls, kStatusCode, kOversize, kMalformed, kBadSettings.
  Outcome outcome = Outcome::kRefused;
  int code = 0;  // for kStatusCode: the HTTP or gRPC status
  // False: the picker was not called, because no slot was free or because of kBadSettings. This
  // says nothing about the picker.
  bool asked = true;
  bool repeatable = false;         // P4: another attempt may succeed
  Nanoseconds retry_after_ns = 0;  // the picker asked to retry later
  Answer answer{};
  // For the operator's log; contains neither secrets nor anything that the picker sent.
  std::string detail{};
  // Only for the picker's author who calls it by hand, because it may quote the answer: what is
  // wrong with the answer, or unusual about it.
  std::string hint{};
  // Also only for the author, for a malformed answer: its first bytes, unchanged, and its length.
  std::string excerpt{};
  std::size_t answer_bytes = 0;
};

}  // namespace ebb::picker
