// How the deletion of a pod went, as far as expectations are concerned.
#pragma once

#include <cstdint>

#include "control/call.h"
#include "control/object_json.h"

namespace ebb::control {

enum class DeleteOutcome : std::uint8_t {
  kGranted,
  kMissed,   // there is no such pod any more, or another one has its name
  kUnknown,  // may have been done, or will be
  kRefused,  // certainly was not and will not be
};

// A conflict that does not speak of the precondition is a refusal like any other: the pod
// is still there.
[[nodiscard]] inline DeleteOutcome judge_delete(const Answer& answer) {
  if (answer.succeeded()) return DeleteOutcome::kGranted;
  if (answer.outcome != Answer::Outcome::kAnswered) {
    return answer.unknown() ? DeleteOutcome::kUnknown : DeleteOutcome::kRefused;
  }
  if (answer.unknown()) return DeleteOutcome::kUnknown;
  if (answer.response.code == 404) return DeleteOutcome::kMissed;
  if (answer.response.code == 409 && error_text(answer).find("recondition") != std::string::npos) {
    return DeleteOutcome::kMissed;
  }
  return DeleteOutcome::kRefused;
}

}  // namespace ebb::control
