// Preconditions of a figure. They throw rather than assert, so that processes and folders of a
// benchmark are cleaned up.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace ebb::bench {

inline void require(bool holds, std::string_view otherwise) {
  if (!holds) throw std::runtime_error(std::string(otherwise));
}

}  // namespace ebb::bench
