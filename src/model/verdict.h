// What a pod picker said about a pod.
#pragma once

#include <cstdint>

namespace ebb::model {

// The numbers are the ranks of KEP-3189; the lower one goes first.
enum class Verdict : std::uint8_t { kChosen = 0, kTied = 1, kUnnamed = 3 };

}  // namespace ebb::model
