// Measures the peak memory of the process since a moment, as the kernel reports it.
#pragma once

#include <cstdint>

namespace ebb::support {

class ResidentMemory {
 public:
  // Releases free memory, and starts from what remains.
  ResidentMemory();
  // The growth in bytes at the peak. Sanitizers keep freed memory, so the value is meaningless in
  // their builds (`is_meaningful`).
  [[nodiscard]] std::uint64_t growth() const;
  [[nodiscard]] static bool is_meaningful();

 private:
  std::uint64_t start_ = 0;
};

}  // namespace ebb::support
