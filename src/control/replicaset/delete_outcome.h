// How the delete of a pod ended, as far as expectations are concerned.
#pragma once  // private to its room

#include <cstdint>

#include "control/core/call.h"
#include "control/core/json_document.h"

namespace ebb::control {

enum class DeleteOutcome : std::uint8_t {
  kGranted,
  kMissed,   // the pod is gone, or another pod has its name; not confirmed
  kUnknown,  // may have been carried out, or may still be
  kRefused,  // was not carried out and will not be
};

// A denial by a webhook is a refusal, even if it looks like a 404 or a failed precondition. So is a
// conflict that does not mention the precondition: the pod still exists.
//
// If it is not certain that the pod still exists, the answer counts as kMissed, because no other
// pod may be deleted in its place. Expectations confirms that with a list, so a wrong answer costs
// one retry and nothing more.
[[nodiscard]] inline DeleteOutcome judge_delete(const Answer& answer) {
  constexpr int kNotFound = 404;
  constexpr int kConflict = 409;
  if (answer.succeeded()) return DeleteOutcome::kGranted;
  if (answer.outcome != Answer::Outcome::kAnswered) {
    return answer.unknown() ? DeleteOutcome::kUnknown : DeleteOutcome::kRefused;
  }
  const Refusal refusal = read_refusal(answer);
  if (refusal.is_admission_denial()) return DeleteOutcome::kRefused;
  if (answer.unknown()) return DeleteOutcome::kUnknown;
  if (answer.response.code == kNotFound) return DeleteOutcome::kMissed;
  // The API server writes "the UID in the precondition", its storage "Precondition failed".
  const bool names_precondition = refusal.message.find("recondition") != std::string::npos;
  const bool is_conflict = refusal.reason.empty() || refusal.reason == "Conflict";
  if (answer.response.code == kConflict && is_conflict && names_precondition) {
    return DeleteOutcome::kMissed;
  }
  return DeleteOutcome::kRefused;
}

}  // namespace ebb::control
