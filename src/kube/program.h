// Runs a program and captures its output. No shell is involved.
#pragma once  // private to its room

#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/timestamp.h"

namespace ebb::kube {

struct Program {
  std::string command{};  // with a slash: a path; without: searched in PATH
  std::vector<std::string> args{};
  std::vector<std::pair<std::string, std::string>>
      env{};  // added to ebb's own environment, with precedence
  // Whether it reads the user's input. Otherwise its input is empty.
  bool interactive = false;
};

// The program's standard output; its standard error goes to ebb's. Fails if the program cannot be
// run, exits with a status other than 0, or exceeds `longest_ns`; it is then killed, as it is when
// `stop` becomes true. Blocks.
[[nodiscard]] Result<std::string> run_program(const Program& program, Nanoseconds longest_ns,
                                              const std::atomic<bool>& stop);

}  // namespace ebb::kube
