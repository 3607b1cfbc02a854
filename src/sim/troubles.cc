#include "sim/troubles.h"

#include <algorithm>

namespace ebb::sim {

Troubles::Troubles(World& world, const FaultProfile& profile, std::uint64_t seed)
    : world_(world), profile_(profile), dice_(seed) {}

void Troubles::begin() {
  for (const auto& seat : world_.seats) {
    Seat& one = *seat;
    // With a lease a successor may start at any time; without one, nobody but us keeps it from
    // starting before the last requests of its predecessor have landed.
    const bool leased = one.has_lease();
    one.on_end = [this, &one, leased] { start_soon(one, leased ? 0 : control::kWriteDeadlineNs); };
    start_soon(one, 0);
    trouble_later(one);
  }
}

Nanoseconds Troubles::up_to(Nanoseconds most) {
  return static_cast<Nanoseconds>(dice_.below(static_cast<std::uint64_t>(most) + 1));
}

bool Troubles::meet(Fault fault) {
  if (!dice_.chance(profile_[fault])) return false;
  world_.met.add(fault);
  return true;
}

void Troubles::start_soon(Seat& seat, Nanoseconds least) {
  const Timestamp dead_until = resting_ ? Timestamp() : dead_until_[&seat];
  least = std::max(least, elapsed_ns(world_.time.now(), dead_until));
  world_.time.after(least + up_to(4 * kSecond), [&seat] {
    if (!seat.runs()) seat.start();
  });
}

void Troubles::rest() {
  resting_ = true;
  for (const auto& seat : world_.seats) {
    seat->set_clock_right();
    seat->crash_after_calls(0);
    if (!seat->runs()) start_soon(*seat, control::kWriteDeadlineNs);
  }
}

void Troubles::trouble_later(Seat& seat) {
  world_.time.after(up_to(20 * kSecond), [this, &seat] {
    if (resting_) return;
    trouble(seat);
    trouble_later(seat);
  });
}

void Troubles::trouble(Seat& seat) {
  if (!seat.runs()) return;
  if (seat.only_ranks() && trouble_ranker(seat)) return;
  if (meet(Fault::kClockJump)) seat.jump_clock(up_to(7200 * kSecond) - 3600 * kSecond);
  if (meet(Fault::kPause)) return seat.pause(up_to(40 * kSecond));
  if (meet(Fault::kStop)) return seat.stop();
  if (meet(Fault::kCrash)) return seat.crash();
  // Counted once it happens.
  if (dice_.chance(profile_[Fault::kCrashBetweenEffects])) {
    seat.crash_after_calls(1 + dice_.below(20));
  }
}

bool Troubles::trouble_ranker(Seat& seat) {
  if (meet(Fault::kRankerDead)) {
    dead_until_[&seat] = later_by(world_.time.now(), 20 * kSecond + up_to(60 * kSecond));
    seat.crash();
    return true;
  }
  if (meet(Fault::kRankerSlow)) {
    seat.pause(up_to(40 * kSecond));
    return true;
  }
  if (!meet(Fault::kRankerCrash)) return false;
  seat.crash_after_calls(1 + dice_.below(6));
  return true;
}

}  // namespace ebb::sim
