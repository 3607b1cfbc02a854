#include "net/address/steady_clock.h"

#include <chrono>
#include <ctime>

#include "base/check.h"

namespace ebb::net {

Nanoseconds steady_now_ns() {
  timespec time{};
  EBB_CHECK(clock_gettime(CLOCK_BOOTTIME, &time) == 0);
  return Nanoseconds{time.tv_sec} * kNanosecondsPerSecond + time.tv_nsec;
}

Timestamp wall_now() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return Timestamp::from_nanoseconds(
      std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

Now clock_now() {
  return {.wall = wall_now(), .mono = Timestamp::from_nanoseconds(steady_now_ns())};
}

}  // namespace ebb::net
