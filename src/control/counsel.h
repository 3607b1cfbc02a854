// What a picker has to say about a scale-down: whether it is asked, whether its answer is awaited,
// and what the answer means for the pods that there are now.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "control/decision.h"
#include "control/picker_desk.h"
#include "control/port.h"
#include "control/store.h"
#include "model/pod.h"
#include "model/verdict.h"

namespace ebb::control {

struct Counsel {
  bool awaited = false;                 // nothing may go before the picker has answered or failed
  std::size_t surplus = 0;              // so many may go now
  std::size_t surplus_asked_about = 0;  // 0: nobody was asked
  std::optional<Decision::Picker> picker{};  // for the record; nothing: none is configured
  std::string policy{};                      // name of the DownscalePolicy that named it, or empty
  // On each pod; empty: none.
  std::vector<model::Verdict> verdicts{};
  Breakers::Change breaker = Breakers::Change::kNone;
};

// `active` are the pods that the ReplicaSet claims, of which `surplus` are too many.
[[nodiscard]] Counsel take_counsel(const ReplicaSet& set, std::span<const model::Pod* const> active,
                                   std::size_t surplus, const ControllerContext& context,
                                   PickerDesk& desk, Now now);

// Whether the default order decides although a picker should have been heeded.
[[nodiscard]] bool is_fallback(picker::Outcome outcome);

}  // namespace ebb::control
