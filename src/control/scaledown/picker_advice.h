// The influence of a picker on a scale-down: whether it is called, whether its answer is awaited,
// and what the answer means for the current pods.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "control/cache/store.h"
#include "control/controller/controller.h"
#include "control/core/decision.h"
#include "control/picker/picker_sessions.h"
#include "model/records/pod.h"
#include "model/records/verdict.h"

namespace ebb::control {

struct PickerAdvice {
  bool awaited = false;                 // nothing may go before the picker has answered or failed
  std::size_t surplus = 0;              // how many may go now
  std::size_t surplus_asked_about = 0;  // 0: the picker was not called
  std::optional<Decision::Picker> picker{};  // for the record; nothing: no picker is configured
  std::string policy{};                      // name of the DownscalePolicy that named it, or empty
  // One per pod; empty: no verdicts.
  std::vector<model::Verdict> verdicts{};
  Breakers::Change breaker = Breakers::Change::kNone;
};

// `active` are the pods that the ReplicaSet claims; `surplus` of them have to go.
[[nodiscard]] PickerAdvice advise_on_picker(const ReplicaSet& set,
                                            std::span<const model::Pod* const> active,
                                            std::size_t surplus, const ControllerContext& context,
                                            PickerSessions& picker_sessions, Now now);

// Identifies the workload that a breaker belongs to: the controller of the ReplicaSet, or the
// ReplicaSet if it has none. It includes the namespace and the full owner reference, so that a
// forged reference does not open the breaker of another workload.
[[nodiscard]] std::string workload_of(const ReplicaSet& set);

// Whether the default order decides although a picker should have been applied.
[[nodiscard]] bool is_fallback(picker::Outcome outcome);

}  // namespace ebb::control
