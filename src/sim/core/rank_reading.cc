#include "sim/core/rank_reading.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "control/cache/rollout.h"
#include "control/policy/picker_choice.h"
#include "control/policy/ranking_choice.h"
#include "ranking/publication.h"

namespace ebb::sim {
namespace {

using control::GroupCost;
using control::Pod;
using Pods = std::vector<const Pod*>;
using RankOf = std::function<std::optional<std::int32_t>(const Pod&)>;

constexpr std::int32_t kRecomputeSeconds = 30;

// First those of the ReplicaSet, then those of its Deployment, each sorted by name.
std::vector<const GroupCost*> costs_of(const control::ReplicaSet& set,
                                       const control::Store& store) {
  std::vector<const GroupCost*> costs;
  const auto add = [&](std::string_view kind, std::string_view name, std::string_view uid) {
    std::map<std::string_view, const GroupCost*> by_name;
    for (const GroupCost* cost : store.group_costs_for(set.namespace_name.view(), kind, name)) {
      if (cost->owner_uid.empty() || cost->owner_uid.view() == uid) {
        by_name.emplace(cost->name.view(), cost);
      }
    }
    for (const auto& entry : by_name) costs.push_back(entry.second);
  };
  add("ReplicaSet", set.name.view(), set.uid.view());
  if (set.controller != nullptr && set.controller->kind.view() == "Deployment") {
    add("Deployment", set.controller->name.view(), set.controller->uid.view());
  }
  return costs;
}

// Whether the ranks were computed for these pods, if that matters.
bool is_fresh(const GroupCost& cost, const Pods& pods, bool must_recompute) {
  if (!cost.recompute) return !must_recompute;
  return (cost.observed_generation == 0 || cost.observed_generation == cost.generation) &&
         cost.pod_set_hash.view() == ranking::pod_set_hash(pods);
}

std::optional<std::int32_t> cost_of(const GroupCost& cost, const Pod& pod) {
  for (const auto& entry : cost.costs) {
    if (entry.pod.view() == pod.name.view()) return entry.cost;
  }
  return std::nullopt;
}

bool ranks_any(const Pods& pods, const RankOf& rank_of) {
  return std::any_of(pods.begin(), pods.end(),
                     [&](const Pod* pod) { return rank_of(*pod).has_value(); });
}

bool ranks_all_that_serve(const Pods& pods, const RankOf& rank_of) {
  return std::all_of(pods.begin(), pods.end(),
                     [&](const Pod* pod) { return !pod->serving() || rank_of(*pod).has_value(); });
}

// Takes the ranks if the carrier has one for every pod.
bool take(RankReading& reading, const Pods& pods, std::string_view carrier, bool fresh,
          const RankOf& rank_of) {
  if (!ranks_any(pods, rank_of)) return false;
  reading.silent = false;
  if (!fresh || !ranks_all_that_serve(pods, rank_of)) return false;
  reading.carrier = carrier;
  for (const Pod* pod : pods) reading.ranks.push_back(rank_of(*pod).value_or(0));
  return true;
}

void read_carriers(RankReading& reading, const control::ReplicaSet& set, const Pods& pods,
                   const control::Store& store, bool must_recompute) {
  for (const GroupCost* cost : costs_of(set, store)) {
    if (cost->recompute) {
      reading.recompute = true;
      reading.silent = false;
    }
    if (take(reading, pods, fmt::format("PodGroupCost {}", cost->name.view()),
             is_fresh(*cost, pods, must_recompute),
             [cost](const Pod& pod) { return cost_of(*cost, pod); })) {
      return;
    }
  }
  if (must_recompute) return;
  if (take(reading, pods, "status.cost", true, [](const Pod& pod) { return pod.status_rank; })) {
    return;
  }
  take(reading, pods, fmt::format("annotation {}", model::kCostRankAnnotation), true,
       [](const Pod& pod) { return pod.annotated_rank; });
}

}  // namespace

RankReading read_ranks(const control::ReplicaSet& set, const Pods& pods,
                       const control::Store& store, const model::FeatureGates& gates) {
  RankReading reading;
  const control::Policy* const policy =
      control::policy_for(set, store, control::PolicyView::kActing);
  reading.foreign_costs_count = policy == nullptr || !policy->ignores_deletion_costs;
  if (!gates.on(model::Gate::kPodCostRanking)) return reading;
  const auto choice = control::choose_ranking(set, store);
  const ranking::Settings* const settings = choice ? choice->settings.get() : nullptr;
  if (choice) reading.silent = false;
  const bool must_recompute = settings != nullptr && settings->recomputes();
  reading.recompute = must_recompute;
  read_carriers(reading, set, pods, store, must_recompute);
  const std::string deletion_costs = fmt::format("annotation {}", model::kDeletionCostAnnotation);
  const bool by_deletion_cost =
      settings != nullptr && settings->publish == ranking::Publish::kPodDeletionCost;
  if (reading.carrier.empty() && by_deletion_cost && gates.on(model::Gate::kPodDeletionCost) &&
      std::all_of(pods.begin(), pods.end(),
                  [](const Pod* pod) { return !pod->serving() || pod->deletion_cost_valid; })) {
    reading.carrier = deletion_costs;
  }
  reading.own_costs_count = reading.silent ? store.seen(control::Resource::kPolicies) == 0
                                           : reading.carrier == deletion_costs;
  if (!reading.silent && control::is_rolling(set, store) &&
      (settings == nullptr || !settings->during_rollouts)) {
    return {.silent = false,
            .foreign_costs_count = reading.foreign_costs_count,
            .own_costs_count = false,
            .rollout = true};
  }
  const std::int32_t by_default = reading.recompute ? kRecomputeSeconds : 0;
  const std::int32_t seconds =
      settings == nullptr ? by_default : settings->wait_seconds.value_or(by_default);
  reading.wait_ns = std::max(seconds, 0) * kNanosecondsPerSecond;
  return reading;
}

}  // namespace ebb::sim
