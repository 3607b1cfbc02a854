// The settings of leader election with a Lease (control/lease/elector.h).
#pragma once

#include <string>

#include "base/timestamp.h"

namespace ebb::control {

struct LeaseSettings {
  std::string namespace_name = "kube-system";
  std::string name = "ebb-controller";
  std::string identity;  // unique for each start
  Nanoseconds duration_ns = 15 * kNanosecondsPerSecond;
  Nanoseconds renew_deadline_ns = 10 * kNanosecondsPerSecond;
  Nanoseconds retry_period_ns = 2 * kNanosecondsPerSecond;
};

}  // namespace ebb::control
