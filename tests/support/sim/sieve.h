// Exhaustive small runs, in the manner of Sieve: a scenario runs once undisturbed, and then again
// with one disturbance at every place where it can occur.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/world/world.h"

namespace ebb::sim {

struct Scenario {
  std::string_view name;
  // `prepare` creates the initial state, `begin` makes the changes.
  void (*prepare)(World& world) = nullptr;
  void (*begin)(World& world) = nullptr;
};
[[nodiscard]] const std::vector<Scenario>& scenarios();

struct Disturbance {
  enum class Kind : std::uint8_t {
    kNone,
    kCrash,         // after the n-th write of the controller, which is restarted
    kHiddenEvent,   // the n-th event of its watches arrives with the next one, or never
    kStaleWatch,    // after the n-th change of the cluster its watches stall for a while
    kStaleRewatch,  // ... and are cut then, so that they restart at a replica that lags
    kStaleRestart,  // ... and it crashes then
  };
  Kind kind = Kind::kNone;
  std::uint64_t n = 0;
  std::uint64_t seed = 1;  // decides about requests in flight at a crash
};
[[nodiscard]] std::string describe(const Disturbance& disturbance);

struct Outcome {
  std::string end_state{};
  std::uint64_t pods_made = 0;
  std::uint64_t pods_ended = 0;
  std::string problem{};  // a violation, or why the world does not settle
  // The numbers of places for disturbances.
  std::uint64_t writes = 0;
  std::uint64_t events = 0;
  std::uint64_t changes = 0;
};

[[nodiscard]] Outcome play(const Scenario& scenario, const Disturbance& disturbance,
                           const control::Safeguards& safeguards = {});

// All places for disturbances that the undisturbed run shows.
[[nodiscard]] std::vector<Disturbance> disturbances(const Outcome& undisturbed);

}  // namespace ebb::sim
