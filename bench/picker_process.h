// A picker in its own process, so that its CPU time is not attributed to ebb.
#pragma once

#include <cstdint>
#include <string>

#include <sys/types.h>

#include "support/picker/local_picker.h"

namespace ebb::bench {

class PickerProcess {
 public:
  // Answers every request with this. To be made while this process has one thread.
  explicit PickerProcess(const std::string& answer);
  // Chooses the first candidates, as many as requested. To be made in the same way.
  PickerProcess();
  ~PickerProcess();
  PickerProcess(const PickerProcess&) = delete;
  PickerProcess& operator=(const PickerProcess&) = delete;

  [[nodiscard]] std::uint16_t port() const { return port_; }

 private:
  void start(support::LocalPicker::Decide decide);

  pid_t pid_ = -1;
  std::uint16_t port_ = 0;
};

}  // namespace ebb::bench
