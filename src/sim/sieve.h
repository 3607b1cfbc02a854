// Exhaustive small runs, in the manner of Sieve: a scenario is played once undisturbed, and then
// again with one disturbance at every single place where it could occur.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/world.h"

namespace ebb::sim {

struct Scenario {
  std::string_view name;
  // What there is when it begins, and what then happens. A function that creates or changes.
  void (*prepare)(World& world) = nullptr;
  void (*begin)(World& world) = nullptr;
};
[[nodiscard]] const std::vector<Scenario>& scenarios();

struct Disturbance {
  enum class Kind : std::uint8_t {
    kNone,
    kCrash,         // after the n-th write of the controller; it starts again
    kHiddenEvent,   // the n-th event of its watches comes together with the next one, or not at all
    kStaleWatch,    // after the n-th change of the cluster its watches tell nothing for a while
    kStaleRewatch,  // ... and are cut then, so that they begin again at a replica that is behind
    kStaleRestart,  // ... and it crashes then
  };
  Kind kind = Kind::kNone;
  std::uint64_t n = 0;
  std::uint64_t seed = 1;  // of what is on its way when it crashes
};
[[nodiscard]] std::string describe(const Disturbance& disturbance);

struct Outcome {
  std::string end_state{};
  std::uint64_t pods_made = 0;
  std::uint64_t pods_ended = 0;
  std::string problem{};  // a violation, or why there is no rest
  // How many places there were for disturbances.
  std::uint64_t writes = 0;
  std::uint64_t events = 0;
  std::uint64_t changes = 0;
};

[[nodiscard]] Outcome play(const Scenario& scenario, const Disturbance& disturbance,
                           const control::Safeguards& safeguards = {});

// All places for disturbances that the undisturbed run shows.
[[nodiscard]] std::vector<Disturbance> disturbances(const Outcome& undisturbed);

}  // namespace ebb::sim
