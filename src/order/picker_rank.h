// Rule 7, if a picker gave a valid answer: chosen pods go before tied ones, and
// tied ones before those it did not name (KEP-3189). Co-location is then not used.
#pragma once

#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "order/candidate.h"

namespace ebb::order {

struct PickerRank {
  static constexpr std::string_view kName = "PickerRank";

  static std::uint64_t key(const Candidate& candidate, const Setting& setting) {
    return setting.picker ? static_cast<std::uint64_t>(candidate.verdict) : 0;
  }

  static std::string because(const Contrast& contrast, const Setting&) {
    return fmt::format("the picker's verdict \"{}\" goes {} \"{}\" of {}",
                       to_string(contrast.pod.verdict), contrast.goes ? "before" : "after",
                       to_string(contrast.other.verdict), contrast.other_name);
  }
};

}  // namespace ebb::order
