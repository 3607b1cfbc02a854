#include "sim/rules/latency_rule.h"

#include <fmt/format.h>

#include "sim/core/objects.h"
#include "sim/core/rank_reading.h"

namespace ebb::sim {
namespace {

// For reads of Secrets, status writes that another sync waits for, and repeated syncs: calls take
// up to 20 ms each way.
constexpr Nanoseconds kSlack = kSecond;

}  // namespace

void LatencyRule::check(const PickerRules::View& view) {
  if (!measures_) return;
  for (const control::ReplicaSet* set : view.store.replica_sets_in(kNamespace)) {
    inspect(view, *set);
  }
}

void LatencyRule::inspect(const PickerRules::View& view, const control::ReplicaSet& set) {
  const Invariants::ProcessId process = view.process;
  const std::string uid(set.uid.view());
  const auto pods = invariants_.pods_seen(process, set, view.store);
  const std::size_t going = invariants_.going(process, pods);
  const std::int64_t surplus =
      static_cast<std::int64_t>(pods.size() - going) - std::max<std::int64_t>(set.replicas, 0);
  const std::pair key(process, uid);
  if (surplus <= 0 || set.deleting) {
    waits_.erase(key);
    return;
  }
  const auto [entry, is_new] = waits_.try_emplace(key, Wait{time_.now(), going, 0});
  Wait& wait = entry->second;
  // A decision was made meanwhile, and the remaining pods belong to the next round.
  if (wait.going != going) wait = {time_.now(), going, 0};
  wait.for_ranks =
      std::max(wait.for_ranks, read_ranks(set, pods, view.store, view.settings.gates).wait_ns);
  const Nanoseconds waited = elapsed_ns(wait.since, time_.now());
  const Nanoseconds most =
      pickers_.budget_since(process, uid, wait.since) + wait.for_ranks + kSlack;
  if (is_new || waited <= most) return;
  invariants_.violate("I5",
                      fmt::format("{} has waited for {} ms, but {} ms are allowed", set.name.view(),
                                  waited / kMillisecond, most / kMillisecond));
}

}  // namespace ebb::sim
