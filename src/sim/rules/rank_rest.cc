#include "sim/rules/rank_rest.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "control/cache/rank_carriers.h"
#include "control/core/claim.h"
#include "control/policy/picker_choice.h"
#include "control/policy/ranking_choice.h"
#include "control/ranker/group_cost_writes.h"
#include "ranking/publication.h"
#include "ranking/rank_group.h"
#include "schema/core/json.h"
#include "sim/core/objects.h"
#include "sim/core/rank_reading.h"

namespace ebb::sim {
namespace {

using control::GroupCost;
using control::Pod;
using control::ReplicaSet;
using control::Store;
using ranking::Publish;

// Computes everything on demand.
class ClusterReader final : public ranking::ClusterReader {
 public:
  explicit ClusterReader(const Store& store) : store_(store) {}

  [[nodiscard]] const model::Node* node(model::Interned name) const override {
    return store_.node(name.view());
  }
  [[nodiscard]] std::size_t pods_on(model::Interned node) const override {
    std::size_t count = 0;
    for (const std::string_view namespace_name : {kNamespace, kForgerNamespace}) {
      each_pod_in(namespace_name, [&](const model::Pod& pod) {
        if (pod.node == node) ++count;
      });
    }
    return count;
  }
  void each_pod_in(std::string_view namespace_name,
                   const std::function<void(const model::Pod&)>& visit) const override {
    store_.each_pod_in(namespace_name, [&](const Pod& pod) {
      if (pod.active()) visit(pod);
    });
  }

 private:
  const Store& store_;
};

// What the status of a policy should say about the ReplicaSets whose pods it ranks.
struct PolicySum {
  std::size_t pods = 0;
  bool foreign = false;    // values of others prevent publishing
  bool none_ours = false;  // every pod of a ReplicaSet has a value of others
};

class Rest {
 public:
  explicit Rest(const Inventory& inventory) {
    inventory.fill(store_);
    for (const ReplicaSet* set : store_.replica_sets_in(kNamespace)) {
      // A forged one may be terminating forever, with pods that a second controller created.
      if (!set->deleting) check_set(*set);
    }
    store_.each_pod_in(kNamespace, [&](const Pod& pod) {
      if (!pod.deleting && control::carries_ours(pod) && !ranked_pods_.contains(pod.uid.view())) {
        complain(fmt::format("pod {} has a rank that no policy asks for", pod.name.view()));
      }
    });
    check_policies(inventory);
  }
  [[nodiscard]] const std::string& complaint() const { return complaint_; }

 private:
  void complain(std::string text) {
    if (complaint_.empty()) complaint_ = std::move(text);
  }

  void check_set(const ReplicaSet& set) {
    const auto choice = control::choose_ranking(set, store_);
    const ranking::Settings* const settings = choice ? choice->settings.get() : nullptr;
    const GroupCost* const cost = store_.group_cost(kNamespace, set.name.view());
    const bool in_group_cost = settings != nullptr && settings->publish == Publish::kPodGroupCost;
    if (!in_group_cost && cost != nullptr && control::is_rankers(*cost)) {
      complain(fmt::format("PodGroupCost {} exists, but no policy asks for it", set.name.view()));
    }
    if (settings == nullptr) return;
    const std::vector<const Pod*> all = store_.pods_of(set);
    const std::vector<const Pod*> pods = control::claim_pods(set, all).active;
    if (!in_group_cost) {
      for (const Pod* pod : all) ranked_pods_.emplace(pod->uid.view());
    }
    if (pods.empty()) {
      if (set.replicas <= 0 && cost != nullptr && control::is_rankers(*cost)) {
        complain(
            fmt::format("PodGroupCost {} belongs to a ReplicaSet without pods", set.name.view()));
      }
      return;
    }
    PolicySum& sum = sums_[choice->policy];
    sum.pods += pods.size();
    const ClusterReader cluster(store_);
    const ranking::Ranks ranks = ranking::rank_group(*settings, pods, cluster).of_pods;
    if (in_group_cost) {
      check_cost(set, *settings, cost, pods, ranks, sum);
    } else {
      check_pods(set, settings->publish, pods, ranks, sum);
    }
  }

  void check_cost(const ReplicaSet& set, const ranking::Settings& settings, const GroupCost* cost,
                  const std::vector<const Pod*>& pods, const ranking::Ranks& ranks,
                  PolicySum& sum) {
    const std::string name = fmt::format("PodGroupCost {}", set.name.view());
    if (cost == nullptr) return complain(name + " is missing");
    if (!control::is_rankers(*cost)) {
      sum.foreign = true;
      return;
    }
    if (cost->owner_uid.view() != set.uid.view())
      return complain(name + " belongs to another owner");
    if (cost->observed_generation != cost->generation) {
      return complain(fmt::format("the status of {} is of generation {} of {}", name,
                                  cost->observed_generation, cost->generation));
    }
    if (cost->recompute != settings.recomputes()) return complain(name + ": recompute is wrong");
    if (cost->recompute && cost->pod_set_hash.view() != ranking::pod_set_hash(pods)) {
      return complain(name + " was computed for other pods");
    }
    std::vector<std::optional<std::int32_t>> published;
    for (const Pod* pod : pods) {
      const auto entry = std::find_if(cost->costs.begin(), cost->costs.end(), [&](const auto& one) {
        return one.pod.view() == pod->name.view();
      });
      if (entry == cost->costs.end()) {
        return complain(fmt::format("{} does not rank {}", name, pod->name.view()));
      }
      published.emplace_back(entry->cost);
    }
    compare(name, pods, ranks, published);
  }

  void check_pods(const ReplicaSet& set, Publish publish, const std::vector<const Pod*>& pods,
                  const ranking::Ranks& ranks, PolicySum& sum) {
    std::vector<std::optional<std::int32_t>> published;
    std::size_t foreign = 0;
    for (const Pod* pod : pods) {
      const control::RankOnPod on_pod = control::rank_on_pod(*pod, publish);
      published.push_back(on_pod.rank);
      if (on_pod.foreign) {
        ++foreign;
        sum.foreign = true;
      } else if (!on_pod.rank) {
        complain(fmt::format("pod {} has no rank as {}", pod->name.view(), to_string(publish)));
      } else if (control::carries_ours_elsewhere(*pod, publish)) {
        complain(fmt::format("pod {} has a rank twice", pod->name.view()));
      }
    }
    sum.none_ours = sum.none_ours || foreign == pods.size();
    compare(fmt::format("the values on the pods of {}", set.name.view()), pods, ranks, published);
  }

  // The published values must have the same order as the ranks.
  void compare(const std::string& where, const std::vector<const Pod*>& pods,
               const ranking::Ranks& ranks,
               const std::vector<std::optional<std::int32_t>>& published) {
    for (std::size_t i = 0; i < pods.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (!published[i] || !published[j]) continue;
        if ((ranks[i] < ranks[j]) == (*published[i] < *published[j]) &&
            (ranks[i] > ranks[j]) == (*published[i] > *published[j])) {
          continue;
        }
        return complain(fmt::format("{}: {} and {} have {} and {}, but their ranks are {} and {}",
                                    where, pods[i]->name.view(), pods[j]->name.view(),
                                    *published[i], *published[j], ranks[i], ranks[j]));
      }
    }
  }

  void check_policies(const Inventory& inventory) {
    for (const std::string& name : inventory.names(policies())) {
      const control::Policy* const policy = store_.policy(kNamespace, name);
      if (!policy->has_ranking) continue;
      const auto sum = sums_.find(name);
      const bool ranked = sum != sums_.end() && sum->second.pods > 0 && !sum->second.foreign;
      const auto object = inventory.find(policies(), name);
      const auto condition = find_condition(*object, "Ranked");
      if (condition.first != (ranked ? "True" : "False")) {
        complain(fmt::format("DownscalePolicy {} has the wrong condition Ranked: {} ({})", name,
                             condition.first, condition.second));
      }
      // No pause is left, so only values of others can be a reason.
      const auto contested = find_condition(*object, "CostContested");
      if (contested.first == "True" && (sum == sums_.end() || !sum->second.none_ours)) {
        complain(fmt::format("DownscalePolicy {} still has the condition CostContested: {}", name,
                             contested.second));
      }
    }
  }
  // The condition's status and message.
  static std::pair<std::string_view, std::string_view> find_condition(
      const boost::json::object& policy, std::string_view type) {
    const auto* const conditions = schema::array_at(policy, {"status", "conditions"});
    if (conditions == nullptr) return {};
    for (const auto& condition : *conditions) {
      if (condition.is_object() && schema::text_at(condition.get_object(), {"type"}) == type) {
        return {schema::text_at(condition.get_object(), {"status"}),
                schema::text_at(condition.get_object(), {"message"})};
      }
    }
    return {};
  }

  Store store_;
  std::set<std::string, std::less<>> ranked_pods_;  // uids of those that may carry a rank
  std::map<std::string, PolicySum> sums_;
  std::string complaint_;
};

}  // namespace

// With ranks that are recomputed after each removal, each removal may wait that long.
Nanoseconds waits_for_ranks(const Inventory& inventory, std::size_t max_replicas) {
  Store store;
  inventory.fill(store);
  Nanoseconds waits = 0;
  for (const ReplicaSet* set : store.replica_sets_in(kNamespace)) {
    const std::vector<const Pod*> pods = store.pods_of(*set);
    const RankReading ranks = read_ranks(*set, pods, store, {});
    const std::size_t removals = ranks.recompute ? std::max(pods.size(), max_replicas) : 1;
    waits += ranks.wait_ns * static_cast<Nanoseconds>(removals);
  }
  return waits;
}

std::string unsettled_ranks(const Inventory& inventory) { return Rest(inventory).complaint(); }

}  // namespace ebb::sim
