// One run of one seed: a world drawn from the seed, a period with faults, and then the return to
// rest.
#pragma once  // private to its room

#include <cstdint>
#include <optional>
#include <string>

#include "control/process/process.h"
#include "sim/core/faults.h"
#include "sim/core/trace.h"
#include "sim/rules/invariants.h"
#include "sim/world/telemetry_probe.h"

namespace ebb::sim {

struct RunSettings {
  std::uint64_t seed = 1;
  control::Safeguards safeguards{};
  bool deployments = true;          // some runs have them
  bool webhook = false;             // the webhook beside stock controllers (webhook_run.h)
  std::optional<Fault> frequent{};  // a fault that occurs often in every run
  Trace::Print print{};
};

struct RunResult {
  std::optional<Violation> violation{};
  std::uint64_t hash = 0;   // of the trace
  std::uint64_t lines = 0;  // of the trace
  FaultCounts met{};
  TelemetryCounts counts{};
  std::uint64_t writes = 0;    // of controllers
  double seconds_to_rest = 0;  // virtual seconds since faults stopped
};

[[nodiscard]] RunResult run(const RunSettings& settings);

}  // namespace ebb::sim
