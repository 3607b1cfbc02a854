// When a picker is asked, about which pods, and what its answer means (KEP-3189).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/pod.h"
#include "model/verdict.h"
#include "picker/answer.h"

namespace ebb::picker {

// Pods that are not serving go before all others anyway (rules 1 to 3). The picker is
// not asked about them, and they count against the number it is asked for.
struct Consultation {
  // 0: the picker need not be asked, because the pods that go anyway suffice or
  // because all others have to go as well.
  std::size_t requested = 0;
  std::vector<std::string> candidates;  // sorted, so that equal questions look equal
  std::vector<const model::Pod*> pods;  // those of these names
};

// How many the picker would be asked for.
[[nodiscard]] std::size_t number_to_ask_for(std::span<const model::Pod* const> pods,
                                            std::size_t surplus);

[[nodiscard]] Consultation prepare(std::span<const model::Pod* const> pods, std::size_t surplus);

struct Verdicts {
  // Parallel to the pods; empty if the answer names no candidate, which means the
  // same as having no picker.
  std::vector<model::Verdict> of_pods;
  // Names in the answer that are no candidates, or stand in one list more than once.
  NameList ignored;
};

// A name in both lists is chosen.
[[nodiscard]] Verdicts judge(std::span<const model::Pod* const> pods, const Answer& answer);

// The same for names that were asked about, whatever has become of their pods.
[[nodiscard]] Verdicts judge_names(std::span<const std::string_view> candidates,
                                   const Answer& answer);

}  // namespace ebb::picker
