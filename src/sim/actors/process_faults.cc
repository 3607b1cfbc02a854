#include "sim/actors/process_faults.h"

#include <algorithm>

namespace ebb::sim {

ProcessFaults::ProcessFaults(World& world, const FaultProfile& profile, std::uint64_t seed)
    : world_(world), profile_(profile), random_(seed) {}

void ProcessFaults::begin() {
  for (const auto& slot : world_.slots) {
    ProcessSlot& one = *slot;
    one.on_end = [this, &one] { start_soon(one); };
    start_soon(one);
    disturb_later(one);
  }
}

Nanoseconds ProcessFaults::up_to(Nanoseconds most) {
  return static_cast<Nanoseconds>(random_.below(static_cast<std::uint64_t>(most) + 1));
}

bool ProcessFaults::meet(Fault fault) {
  if (!random_.chance(profile_[fault])) return false;
  world_.met.add(fault);
  return true;
}

// Possibly before the last requests of its predecessor have landed.
void ProcessFaults::start_soon(ProcessSlot& slot) {
  const Timestamp dead_until = resting_ ? Timestamp() : dead_until_[&slot];
  const Nanoseconds least = std::max(Nanoseconds{0}, elapsed_ns(world_.time.now(), dead_until));
  world_.time.after(least + up_to(4 * kSecond), [&slot] {
    if (!slot.runs()) slot.start();
  });
}

void ProcessFaults::rest() {
  resting_ = true;
  for (const auto& slot : world_.slots) {
    slot->set_clock_right();
    slot->crash_after_calls(0);
    if (!slot->runs()) start_soon(*slot);
  }
}

void ProcessFaults::disturb_later(ProcessSlot& slot) {
  world_.time.after(up_to(20 * kSecond), [this, &slot] {
    if (resting_) return;
    disturb(slot);
    disturb_later(slot);
  });
}

void ProcessFaults::disturb(ProcessSlot& slot) {
  if (!slot.runs()) return;
  if (slot.only_ranks() && disturb_ranker(slot)) return;
  if (meet(Fault::kClockJump)) slot.jump_clock(up_to(7200 * kSecond) - 3600 * kSecond);
  if (meet(Fault::kPause)) return slot.pause(up_to(40 * kSecond));
  if (meet(Fault::kStop)) return slot.stop();
  if (meet(Fault::kCrash)) return slot.crash();
  // Counted when it happens.
  if (random_.chance(profile_[Fault::kCrashBetweenEffects])) {
    slot.crash_after_calls(1 + random_.below(20));
  }
}

bool ProcessFaults::disturb_ranker(ProcessSlot& slot) {
  if (meet(Fault::kRankerDead)) {
    dead_until_[&slot] = later_by(world_.time.now(), 20 * kSecond + up_to(60 * kSecond));
    slot.crash();
    return true;
  }
  if (meet(Fault::kRankerSlow)) {
    slot.pause(up_to(40 * kSecond));
    return true;
  }
  if (!meet(Fault::kRankerCrash)) return false;
  slot.crash_after_calls(1 + random_.below(6));
  return true;
}

}  // namespace ebb::sim
