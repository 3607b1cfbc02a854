// Many seeds, each on its own; on several threads, because runs share nothing.
#pragma once

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
  std::vector<Failure> failures{};  // as they came up; in the order of their seeds at the end
  std::uint64_t runs = 0;
  FaultCounts met{};
  TelemetryCounts told{};
  std::uint64_t writes = 0;
  double longest_to_rest = 0;  // virtual seconds
  std::uint64_t longest_seed = 0;
};

struct CampaignSettings {
  std::uint64_t first = 1;
  std::uint64_t last = 1;  // included
  RunSettings run{};       // but for the seed
  // Stop after so many failures; 0: go on.
  std::size_t most_failures = 10;
  unsigned threads = 0;  // 0: one per processor
  // Called after each run with what is known so far, by one thread at a time.
  std::function<void(const CampaignResult&)> after_each{};
};

[[nodiscard]] CampaignResult run_campaign(const CampaignSettings& settings);

// How to see one run again.
[[nodiscard]] std::string replay_command(std::uint64_t seed, const RunSettings& settings);

// Safeguards by the names that `--without` takes.
struct SafeguardName {
  std::string_view name;
  bool control::Safeguards::*member;
};
[[nodiscard]] const std::vector<SafeguardName>& safeguard_names();

}  // namespace ebb::sim
