// How much memory the process has needed at most since a moment, as the kernel saw it.
#pragma once

#include <cstdint>

namespace ebb::support {

class ResidentMemory {
 public:
  // Gives back what is free, and starts from what is left.
  ResidentMemory();
  // By how many bytes it was more at its peak. Sanitizers keep what was freed, so that it means
  // nothing in their builds (`is_meaningful`).
  [[nodiscard]] std::uint64_t growth() const;
  [[nodiscard]] static bool is_meaningful();

 private:
  std::uint64_t start_ = 0;
};

}  // namespace ebb::support
