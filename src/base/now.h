// The two clocks that a state machine gets with every input.
#pragma once

#include "base/timestamp.h"

namespace ebb {

struct Now {
  // The time that objects are stamped with and ages are computed from. It may jump.
  Timestamp wall;
  // For deadlines and waits. Counts from an arbitrary moment, includes suspends, and never goes
  // back.
  Timestamp mono;
};

}  // namespace ebb
