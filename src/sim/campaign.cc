#include "sim/campaign.h"

#include <algorithm>
#include <atomic>
#include <thread>

#include <fmt/format.h>

#include "base/mutex.h"

namespace ebb::sim {

namespace {

// The shared results of all workers.
struct SharedResult {
  Mutex mutex;
  CampaignResult total EBB_GUARDED_BY(mutex);
};

}  // namespace

CampaignResult run_campaign(const CampaignSettings& settings) {
  SharedResult shared;
  std::atomic<std::uint64_t> next = settings.first;
  std::atomic<bool> enough = false;
  const auto work = [&] {
    for (;;) {
      const std::uint64_t seed = next.fetch_add(1);
      if (seed > settings.last || enough) return;
      RunSettings one = settings.run;
      one.seed = seed;
      const RunResult result = run(one);
      const MutexLock lock(shared.mutex);
      CampaignResult& total = shared.total;
      ++total.runs;
      total.met.add(result.met);
      total.counts.add(result.counts);
      total.writes += result.writes;
      if (result.seconds_to_rest > total.longest_to_rest) {
        total.longest_to_rest = result.seconds_to_rest;
        total.longest_seed = seed;
      }
      if (result.violation) total.failures.push_back({seed, *result.violation});
      enough = settings.max_failures != 0 && total.failures.size() >= settings.max_failures;
      if (settings.after_each) settings.after_each(total);
    }
  };
  const unsigned threads =
      settings.threads != 0 ? settings.threads : std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < threads; ++i) workers.emplace_back(work);
  for (std::thread& worker : workers) worker.join();
  const MutexLock lock(shared.mutex);
  CampaignResult total = std::move(shared.total);
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
      {"recheck-after-answers", &control::Safeguards::rechecks_after_answers},
      {"server-timeout", &control::Safeguards::limits_writes_on_server},
      {"newer-ranks", &control::Safeguards::awaits_newer_ranks},
      {"predecessor", &control::Safeguards::awaits_predecessor},
      {"full-references", &control::Safeguards::owners_by_full_reference},
      {"sole-controller", &control::Safeguards::sole_controller},
      {"armed-canary", &control::Safeguards::arms_canary_again},
      {"polled-canary", &control::Safeguards::polls_canary},
      {"fresh-lists", &control::Safeguards::lists_before_taking_over},
      {"unread-pods", &control::Safeguards::holds_unread_sets},
      {"stopped-manager", &control::Safeguards::awaits_stopped_manager},
      {"suspected-sets", &control::Safeguards::pauses_suspected_sets},
      {"fence", &control::Safeguards::fences_deletes},
      {"unknown-decisions", &control::Safeguards::lists_unknown_decisions},
      {"lower-costs", &control::Safeguards::undercuts_costs},
      {"restored-costs", &control::Safeguards::puts_costs_back},
  };
  return kNames;
}

std::string replay_command(std::uint64_t seed, const RunSettings& settings) {
  std::string command =
      fmt::format("ebb-sim --seed {} --trace{}", seed, settings.webhook ? " --webhook" : "");
  std::string without;
  for (const SafeguardName& each : safeguard_names()) {
    if (settings.safeguards.*each.member) continue;
    without += fmt::format("{}{}", without.empty() ? " --without " : ",", each.name);
  }
  return command + without;
}

}  // namespace ebb::sim
