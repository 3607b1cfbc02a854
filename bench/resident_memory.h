// The resident memory of a process.
#pragma once

#include <cstddef>
#include <fstream>

#include <fmt/format.h>
#include <unistd.h>

namespace ebb::bench {

inline std::size_t resident_bytes(pid_t process = getpid()) {
  std::ifstream file(fmt::format("/proc/{}/statm", process));
  std::size_t total = 0;
  std::size_t resident = 0;
  file >> total >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace ebb::bench
