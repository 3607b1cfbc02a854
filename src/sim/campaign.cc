#include "sim/campaign.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include <fmt/format.h>

namespace ebb::sim {

CampaignResult run_campaign(const CampaignSettings& settings) {
  CampaignResult total;
  std::mutex mutex;  // of total
  std::atomic<std::uint64_t> next = settings.first;
  std::atomic<bool> enough = false;
  const auto work = [&] {
    for (;;) {
      const std::uint64_t seed = next.fetch_add(1);
      if (seed > settings.last || enough) return;
      RunSettings one = settings.run;
      one.seed = seed;
      const RunResult result = run(one);
      const std::lock_guard<std::mutex> lock(mutex);
      ++total.runs;
      total.met.add(result.met);
      total.told.add(result.told);
      total.writes += result.writes;
      if (result.seconds_to_rest > total.longest_to_rest) {
        total.longest_to_rest = result.seconds_to_rest;
        total.longest_seed = seed;
      }
      if (result.violation) total.failures.push_back({seed, *result.violation});
      enough = settings.most_failures != 0 && total.failures.size() >= settings.most_failures;
      if (settings.after_each) settings.after_each(total);
    }
  };
  const unsigned threads =
      settings.threads != 0 ? settings.threads : std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < threads; ++i) workers.emplace_back(work);
  for (std::thread& worker : workers) worker.join();
  std::sort(total.failures.begin(), total.failures.end(),
            [](const Failure& a, const Failure& b) { return a.seed < b.seed; });
  return total;
}

const std::vector<SafeguardName>& safeguard_names() {
  static const std::vector<SafeguardName> kNames = {
      {"expectations", &control::Safeguards::expectations},
      {"uid-precondition", &control::Safeguards::uid_precondition},
      {"stale-cache-protection", &control::Safeguards::stale_cache_protection},
      {"repeated-deletes", &control::Safeguards::repeats_unknown_deletes},
      {"second-look", &control::Safeguards::looks_again_after_answers},
      {"newer-ranks", &control::Safeguards::awaits_newer_ranks},
  };
  return kNames;
}

std::string replay_command(std::uint64_t seed, const RunSettings& settings) {
  std::string command = fmt::format("ebb-sim --seed {} --trace", seed);
  std::string without;
  for (const SafeguardName& each : safeguard_names()) {
    if (settings.safeguards.*each.member) continue;
    without += fmt::format("{}{}", without.empty() ? " --without " : ",", each.name);
  }
  return command + without;
}

}  // namespace ebb::sim
