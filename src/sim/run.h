// One seed, one run: a world with everything drawn from the seed, faults for a while, and then
// the return to rest.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "control/process.h"
#include "sim/faults.h"
#include "sim/invariants.h"
#include "sim/trace.h"
#include "sim/witness.h"

namespace ebb::sim {

struct RunSettings {
  std::uint64_t seed = 1;
  control::Safeguards safeguards{};
  bool deployments = true;  // some runs have them
  Trace::Print print{};
};

struct RunResult {
  std::optional<Violation> violation{};
  std::uint64_t hash = 0;   // of the trace
  std::uint64_t lines = 0;  // of it
  FaultCounts met{};
  TelemetryCounts told{};
  std::uint64_t writes = 0;    // of controllers
  double seconds_to_rest = 0;  // virtual ones, from when faults stopped
};

[[nodiscard]] RunResult run(const RunSettings& settings);

}  // namespace ebb::sim
