// Runs the program as a process for the lifetime of the object.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace ebb::bench {

class EbbProcess {
 public:
  // `words` are the command and its flags. What it prints goes to `output`, and its log to `log`,
  // or to where this process has its own.
  EbbProcess(std::vector<std::string> words, int output, std::optional<int> log = std::nullopt);
  // Asks it to end, and kills it if it does not.
  ~EbbProcess();
  EbbProcess(const EbbProcess&) = delete;
  EbbProcess& operator=(const EbbProcess&) = delete;

  [[nodiscard]] pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = -1;
};

}  // namespace ebb::bench
