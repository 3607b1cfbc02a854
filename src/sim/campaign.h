// Runs many seeds on several threads; runs share no state.
#pragma once  // private to its room

#include <cstdint>
#include <functional>
#include <vector>

#include "sim/run.h"

namespace ebb::sim {

struct Failure {
  std::uint64_t seed = 0;
  Violation violation{};
};

struct CampaignResult {
  std::vector<Failure> failures{};  // as they occurred; sorted by seed at the end
  std::uint64_t runs = 0;
  FaultCounts met{};
  TelemetryCounts counts{};
  std::uint64_t writes = 0;
  double longest_to_rest = 0;  // virtual seconds
  std::uint64_t longest_seed = 0;
};

struct CampaignSettings {
  std::uint64_t first = 1;
  std::uint64_t last = 1;  // inclusive
  RunSettings run{};       // except the seed
  // Stop after this many failures; 0: never.
  std::size_t max_failures = 10;
  unsigned threads = 0;  // 0: one per processor
  // Called after each run with the results so far, by one thread at a time.
  std::function<void(const CampaignResult&)> after_each{};
};

[[nodiscard]] CampaignResult run_campaign(const CampaignSettings& settings);

// The command that repeats one run.
[[nodiscard]] std::string replay_command(std::uint64_t seed, const RunSettings& settings);

// The names of safeguards that `--without` accepts.
struct SafeguardName {
  std::string_view name;
  bool control::Safeguards::*member;
};
[[nodiscard]] const std::vector<SafeguardName>& safeguard_names();

}  // namespace ebb::sim
