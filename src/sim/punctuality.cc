#include "sim/punctuality.h"

#include <fmt/format.h>

#include "sim/objects.h"

namespace ebb::sim {
namespace {

// For reads of Secrets, writes of a status that another pass waits for, repeated passes: calls
// take up to 20 ms each way.
constexpr Nanoseconds kSlack = kSecond;

}  // namespace

void Punctuality::look(Invariants::ProcessId process, const control::Store& store) {
  if (!measures_) return;
  for (const control::ReplicaSet* set : store.replica_sets_in(kNamespace)) {
    look_at(process, *set, store);
  }
}

void Punctuality::look_at(Invariants::ProcessId process, const control::ReplicaSet& set,
                          const control::Store& store) {
  const std::string uid(set.uid.view());
  const auto pods = invariants_.pods_seen(process, set, store);
  const std::size_t going = invariants_.going(process, pods);
  const std::int64_t surplus =
      static_cast<std::int64_t>(pods.size() - going) - std::max<std::int64_t>(set.replicas, 0);
  const std::pair key(process, uid);
  if (surplus <= 0 || set.deleting) {
    waits_.erase(key);
    return;
  }
  const auto [entry, is_new] = waits_.try_emplace(key, Wait{time_.now(), going});
  Wait& wait = entry->second;
  // A decision was made meanwhile, and what is left is the next round.
  if (wait.going != going) wait = {time_.now(), going};
  const Nanoseconds waited = elapsed_ns(wait.since, time_.now());
  const Nanoseconds most = pickers_.budget_since(process, uid, wait.since) + kSlack;
  if (is_new || waited <= most) return;
  invariants_.violate("I5",
                      fmt::format("{} has waited for {} ms, and {} ms are allowed", set.name.view(),
                                  waited / kMillisecond, most / kMillisecond));
}

}  // namespace ebb::sim
