// The two clocks that a state machine is told with everything that happens.
#pragma once

#include "base/timestamp.h"

namespace ebb {

struct Now {
  // What objects are stamped with, and what ages are counted from. It may jump.
  Timestamp wall;
  // For deadlines and waits: counts from an arbitrary moment and never goes back.
  Timestamp mono;
};

}  // namespace ebb
