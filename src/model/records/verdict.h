// A picker's verdict on a pod.
#pragma once

#include <cstdint>
#include <string_view>

namespace ebb::model {

// The numbers are the ranks of KEP-3189; lower ones go first.
enum class Verdict : std::uint8_t { kChosen = 0, kTied = 1, kUnnamed = 3 };

[[nodiscard]] constexpr std::string_view to_string(Verdict verdict) {
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

}  // namespace ebb::model
