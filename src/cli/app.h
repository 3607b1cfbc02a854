// The program: parses the command line, runs the command and reports its result.
#pragma once

#include "cli/common/command.h"

namespace ebb::cli {

// Returns the exit code: 0 on success, 1 for bad input, 2 for bad usage.
[[nodiscard]] int run(int argc, const char* const* argv, const Streams& streams);

}  // namespace ebb::cli
