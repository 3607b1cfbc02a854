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
    return fmt::format("{} by the picker, {} {} {}", describe(contrast.pod.verdict),
                       contrast.goes ? "before" : "after", describe(contrast.other.verdict),
                       contrast.other_name);
  }

 private:
  static std::string_view describe(Verdict verdict) {
    switch (verdict) {
      case Verdict::kChosen:
        return "chosen";
      case Verdict::kTied:
        return "tied";
      case Verdict::kUnnamed:
        break;
    }
    return "not named";
  }
};

}  // namespace ebb::order
