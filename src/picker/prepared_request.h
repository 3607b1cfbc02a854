// Decides when a picker is called and with which candidates, and interprets its answer (KEP-3189).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/records/pod.h"
#include "model/records/verdict.h"
#include "picker/answer.h"

namespace ebb::picker {

// Pods that are not serving go before all others anyway (rules 1 to 3). They are
// not candidates, and they count against the requested number.
struct PreparedRequest {
  // 0: the picker need not be called, because the pods that go anyway suffice or because all others
  // have to go as well.
  std::size_t requested = 0;
  std::vector<std::string> candidates;  // sorted, so that equal requests have equal bytes
  std::vector<const model::Pod*> pods;  // the pods with these names
};

// The number of pods to request from the picker.
[[nodiscard]] std::size_t number_to_request(std::span<const model::Pod* const> pods,
                                            std::size_t surplus);

[[nodiscard]] PreparedRequest prepare(std::span<const model::Pod* const> pods, std::size_t surplus);

struct Verdicts {
  // Parallel to the pods; empty if the answer names no candidate, which is the same as having no
  // picker.
  std::vector<model::Verdict> of_pods;
  // Names in the answer that are not candidates, or are repeated in one list.
  NameList ignored;
};

// A name in both lists is chosen.
[[nodiscard]] Verdicts judge(std::span<const model::Pod* const> pods, const Answer& answer);

// The same for names, when the pods may have changed since the request.
[[nodiscard]] Verdicts judge_names(std::span<const std::string_view> candidates,
                                   const Answer& answer);

}  // namespace ebb::picker
