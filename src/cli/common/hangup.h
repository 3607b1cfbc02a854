// SIGHUP to `ebb controller`: reopens the decision log after it was rotated.
#pragma once  // private to its room

#include "runtime/controllers.h"

namespace ebb::cli {

// While it exists, SIGHUP does not end the process. At most one may exist in a process.
class HangupHandler {
 public:
  HangupHandler();
  ~HangupHandler();
  HangupHandler(const HangupHandler&) = delete;
  HangupHandler& operator=(const HangupHandler&) = delete;

  // Reopens their decision log on each signal from now on, and at once if a signal arrived before.
  void attach(runtime::Controllers& controllers);
  // Must be called before the controllers are destroyed.
  void detach();
};

}  // namespace ebb::cli
