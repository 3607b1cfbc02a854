// One attempt to ask a picker, and how it went. Who carries it out is a runtime: the real one
// over HTTP and gRPC, the simulated one with pickers of its own.
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
  std::string tenant{};  // whose it is: places are shared fairly between them
  std::shared_ptr<const Settings> settings{};
  // With values from Secrets filled in: never to be logged.
  std::vector<std::pair<std::string, std::string>> headers{};
  std::string certificate_pem{};
  std::string key_pem{};
  // JSON or protobuf, by the protocol; the attempts of one decision share it.
  std::shared_ptr<const std::string> body{};
  std::string idempotency_key{};  // equal for the attempts of one decision
  Nanoseconds deadline_ns = 0;    // from now: what is left of the budget
};

struct Reply {
  // One of kAnswered, kEmpty, kTimeout, kRefused, kTls, kStatusCode, kOversize, kMalformed.
  Outcome outcome = Outcome::kRefused;
  int code = 0;  // of kStatusCode: as HTTP or gRPC has it
  // False: there was no place for it, which says nothing about the picker.
  bool asked = true;
  bool repeatable = false;         // P4: another attempt may go better
  Nanoseconds retry_after_ns = 0;  // the picker asks for patience
  Answer answer{};
  // For the operator's log; contains neither secrets nor anything that the picker sent.
  std::string detail{};
  // For whoever wrote the picker and asks it by hand, and for nobody else, because it may quote the
  // answer: what is wrong with it, or strange about it.
  std::string hint{};
  // Likewise, of an answer that is malformed: how it begins, byte for byte, and how long it is.
  std::string excerpt{};
  std::size_t answer_bytes = 0;
};

}  // namespace ebb::picker
