// SIGHUP to `ebb controller`: the decision log was moved away and is to be opened anew.
#pragma once

#include "runtime/controllers.h"

namespace ebb::cli {

// While it exists, SIGHUP does not end the process. One at a time in a process.
class HangupHandler {
 public:
  HangupHandler();
  ~HangupHandler();
  HangupHandler(const HangupHandler&) = delete;
  HangupHandler& operator=(const HangupHandler&) = delete;

  // From now on these are told, and at once if a signal has come before.
  void attach(runtime::Controllers& controllers);
  // Before they go.
  void detach();
};

}  // namespace ebb::cli
