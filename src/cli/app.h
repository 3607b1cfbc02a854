// The program: which commands there are, and what becomes of their results.
#pragma once

#include "cli/command.h"

namespace ebb::cli {

// Returns the exit code: 0, 1 for bad input, 2 for bad usage.
[[nodiscard]] int run(int argc, const char* const* argv, const Streams& streams);

}  // namespace ebb::cli
