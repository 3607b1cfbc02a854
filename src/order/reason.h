// The reason why a pod goes or stays.
#pragma once

#include <string>
#include <string_view>

#include "order/lineup.h"

namespace ebb::order {

struct Reason {
  std::string_view rule;  // a criterion's name, or All
  std::string because;    // a sentence a person understands, with the values and the other pod
  std::string brief;      // the same in a few words, without the other pod
};

// Why the pod at `place`, one of the first `victims`, goes: the first criterion on which it differs
// from the first pod kept. The lineup must be ordered up to that pod.
[[nodiscard]] Reason why_it_goes(const Lineup& lineup, std::size_t place, std::size_t victims);

// Why the pod at `place` stays: the first criterion on which it differs from the last victim. There
// must be a victim.
[[nodiscard]] Reason why_it_stays(const Lineup& lineup, std::size_t place, std::size_t victims);

}  // namespace ebb::order
