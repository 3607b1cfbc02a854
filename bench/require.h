// What has to hold for a figure to mean anything. Thrown and not asserted, so that processes
// and folders that a benchmark made go with it.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace ebb::bench {

inline void require(bool holds, std::string_view otherwise) {
  if (!holds) throw std::runtime_error(std::string(otherwise));
}

}  // namespace ebb::bench
