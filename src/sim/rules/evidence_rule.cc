#include "sim/rules/evidence_rule.h"

#include <algorithm>

#include <fmt/format.h>

#include "model/records/ownership.h"
#include "sim/core/objects.h"

namespace ebb::sim {
namespace {

// A ReplicaSet is left alone at most once in this time, after the last time is over.
constexpr Nanoseconds kBetween = 60 * kSecond;

}  // namespace

void EvidenceRule::handled(const Input& input) {
  Known& known = known_[input.process];
  if (input.reported && (input.acting_before || input.acting_after)) {
    const Uids changed = changed_sets(input.store, known);
    // Otherwise it may report what it saw earlier.
    const bool certain = input.acting_before && !known.mixed && changed.size() == 1;
    if (certain && input.decided) check(input, known, *changed.begin());
    for (const std::string& uid : changed) known.reports[uid] = time_.now();
    if (!certain) known.report_of_any = time_.now();
  }
  known.mixed = input.store.mixed();
  known.pods.clear();
  input.store.each_pod_in(kNamespace,
                          [&](const control::Pod& pod) { known.pods.emplace(pod.uid.view()); });
  known.sets.clear();
  for (const control::ReplicaSet* set : input.store.replica_sets_in(kNamespace)) {
    known.sets.emplace(set->uid.view(), set->revision_seen);
  }
}

EvidenceRule::Uids EvidenceRule::changed_sets(const control::Store& store, const Known& before) {
  Uids changed;
  for (const control::ReplicaSet* set : store.replica_sets_in(kNamespace)) {
    const auto known = before.sets.find(std::string(set->uid.view()));
    if (known == before.sets.end() || known->second != set->revision_seen) {
      changed.emplace(set->uid.view());
    }
  }
  store.each_pod_in(kNamespace, [&](const control::Pod& pod) {
    if (pod.controller != nullptr && !before.pods.contains(pod.uid.view())) {
      changed.emplace(pod.controller->uid.view());
    }
  });
  return changed;
}

const control::ReplicaSet* EvidenceRule::only_surplus(const Input& input) const {
  const control::ReplicaSet* found = nullptr;
  for (const control::ReplicaSet* set : input.store.replica_sets_in(kNamespace)) {
    const auto pods = invariants_.pods_seen(input.process, *set, input.store);
    if (static_cast<std::int64_t>(pods.size()) <= set->replicas) continue;
    if (found != nullptr) return nullptr;
    found = set;
  }
  return found;
}

void EvidenceRule::check(const Input& input, const Known& before,
                         const std::string& set_uid) const {
  const control::ReplicaSet* const set = only_surplus(input);
  if (set == nullptr || set->uid.view() != set_uid) return;
  const auto report = before.reports.find(set_uid);
  const Timestamp last =
      std::max(before.report_of_any, report == before.reports.end() ? Timestamp() : report->second);
  if (!last.is_zero() && elapsed_ns(last, time_.now()) <= input.options.suspicion_ns + kBetween) {
    return;
  }
  for (const control::Pod* pod : invariants_.pods_seen(input.process, *set, input.store)) {
    const PodTruth* const truth = truth_.pod(pod->uid.view());
    if (truth == nullptr || truth->made_by_controller || before.pods.contains(pod->uid.view()) ||
        !model::controls(*set, *pod)) {
      continue;
    }
    invariants_.violate(
        "I10", fmt::format("decides on a scale-down of {}/{} as it reports pod {}, which it did "
                           "not create",
                           set->namespace_name.view(), set->name.view(), pod->name.view()));
  }
}

}  // namespace ebb::sim
