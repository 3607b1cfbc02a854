// Runs a program for what it writes. No shell is involved.
#pragma once

#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/timestamp.h"

namespace ebb::kube {

struct Program {
  std::string command{};  // with a slash: a path; without: looked for in PATH
  std::vector<std::string> args{};
  std::vector<std::pair<std::string, std::string>> env{};  // beside our own, and before it
  // It reads what the user types. Otherwise it reads nothing.
  bool interactive = false;
};

// What it wrote to its standard output; its standard error is ours. An error if it cannot be
// run, ends otherwise than with 0, or takes longer than `longest_ns`: then it is killed, as it
// is when `stop` becomes true. Blocks.
[[nodiscard]] Result<std::string> run_program(const Program& program, Nanoseconds longest_ns,
                                              const std::atomic<bool>& stop);

}  // namespace ebb::kube
