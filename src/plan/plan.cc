#include "plan/plan.h"

#include <algorithm>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "control/claim.h"
#include "control/selection.h"
#include "order/reason.h"
#include "picker/consultation.h"
#include "plan/find.h"
#include "plan/tried_pods.h"
#include "schema/time.h"

namespace ebb::plan {
namespace {

using model::Gate;
using model::Pod;
using model::ReplicaSet;
using model::Snapshot;

using NameSet = boost::unordered_flat_set<std::string_view>;

// What the ReplicaSets of a Deployment share.
struct Siblings {
  explicit Siblings(const Snapshot& snapshot) {
    all_pods.reserve(snapshot.pods.size());
    for (const Pod& pod : snapshot.pods) all_pods.push_back(&pod);
    for (const ReplicaSet& set : snapshot.replica_sets) all_sets.push_back(&set);
  }

  // Everything there is.
  std::vector<const Pod*> all_pods;
  std::vector<const ReplicaSet*> all_sets;
  // One answer of a picker is tried on all of them, each of which would ask for itself;
  // names of their pods in it are no mistake.
  NameSet pods;
  // Their related pods are the same; counted once.
  std::optional<order::NodeCounts> co_located;
};

// Names for a sentence, a few of them if there are many.
std::string some_names(const std::vector<std::string_view>& names) {
  constexpr std::size_t kShown = 3;
  if (names.size() <= kShown) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{} and {} more", fmt::join(names.begin(), names.begin() + kShown, ", "),
                     names.size() - kShown);
}

template <class Pods, class Predicate>
std::vector<std::string_view> names_where(const Pods& pods, Predicate predicate) {
  std::vector<std::string_view> names;
  for (const Pod* pod : pods) {
    if (predicate(*pod)) names.push_back(pod->name.view());
  }
  std::sort(names.begin(), names.end());  // whatever the order of the input
  return names;
}

// Works out the plan for one ReplicaSet, step by step as a controller would.
class SetPlanner {
 public:
  SetPlanner(const Snapshot& snapshot, const Request& request, const ReplicaSet& set,
             std::int32_t desired, Siblings& siblings)
      : snapshot_(snapshot), request_(request), set_(set), siblings_(siblings) {
    plan_.set = &set;
    plan_.desired = desired;
  }

  SetPlan run() && {
    const control::Claim claim = control::claim_pods(set_, siblings_.all_pods);
    pods_ = claim.active;
    plan_.active = pods_.size();
    plan_.ignored = claim.ignored;
    std::sort(plan_.ignored.begin(), plan_.ignored.end(),
              [](const auto& a, const auto& b) { return a.pod->name.view() < b.pod->name.view(); });
    const auto desired = static_cast<std::size_t>(plan_.desired);
    surplus_ = pods_.size() > desired && !set_.deleting ? pods_.size() - desired : 0;

    if (!siblings_.co_located) {
      siblings_.co_located =
          order::count_related(set_, siblings_.all_sets, siblings_.all_pods, pods_);
    }
    warn_about_set(claim);
    try_policy();
    look_at_ranks();
    const std::vector<model::Verdict> verdicts = find_verdicts();
    order::Lineup lineup = control::line_up_candidates(
        {set_, pods_, *siblings_.co_located, request_.now, request_.gates,
         plan_.ranking.advice.ranks, verdicts, plan_.ranking.advice.own_costs_count});
    lineup.order_first(lineup.size());
    write_down(lineup);
    return std::move(plan_);
  }

 private:
  void warn(std::string warning) { plan_.warnings.push_back(std::move(warning)); }

  void warn_about_set(const control::Claim& claim) {
    if (set_.deleting) warn("the ReplicaSet is being deleted, so controllers do not scale it");
    const auto expected = static_cast<std::size_t>(set_.status_replicas);
    if (pods_.size() != expected && expected > 0) {
      warn(fmt::format("the status speaks of {} active pods and the input has {}; is it complete?",
                       expected, pods_.size()));
    }
    const auto later =
        names_where(pods_, [&](const Pod& pod) { return pod.created > request_.now; });
    if (!later.empty()) {
      warn(fmt::format("pods were created after the moment of the decision, {}: {}",
                       schema::format_time(request_.now), some_names(later)));
    }
    if (surplus_ > kBurst) {
      warn(
          fmt::format("controllers remove at most {} pods at a time, so this takes {} rounds, and "
                      "each one chooses anew",
                      kBurst, (surplus_ + kBurst - 1) / kBurst));
    }
    if (!claim.adopted.empty()) {
      warn(
          fmt::format("pods without an owner that match the selector count, because they will be "
                      "adopted: {}",
                      some_names(names_where(claim.adopted, [](const Pod&) { return true; }))));
    }
    if (request_.gates.on(Gate::kPodDeletionCost)) {
      const auto invalid = names_where(
          pods_, [](const Pod& pod) { return pod.deletion_cost_set && !pod.deletion_cost_valid; });
      if (!invalid.empty()) {
        warn(fmt::format("annotation {} is not a 32-bit integer and counts as 0: {}",
                         model::kDeletionCostAnnotation, some_names(invalid)));
      }
    }
  }

  [[nodiscard]] const TriedPolicy* tried_policy() const {
    return request_.policy && is_for(*request_.policy, set_) ? &*request_.policy : nullptr;
  }

  // From here on, the pods are what the policy would make of them.
  void try_policy() {
    const TriedPolicy* const tried = tried_policy();
    if (tried == nullptr || !request_.gates.on(Gate::kPodCostRanking)) return;
    plan_.as_if = pods_as_if(*tried, pods_, snapshot_);
    for (std::size_t i = 0; i < pods_.size(); ++i) pods_[i] = &plan_.as_if[i];
  }

  void look_at_ranks() {
    plan_.ranking = rank_set({.snapshot = snapshot_,
                              .set = set_,
                              .pods = pods_,
                              .surplus = surplus_,
                              .all_go = plan_.desired == 0,
                              .rolling = is_rolling(snapshot_, set_),
                              .tried = tried_policy(),
                              .gates = request_.gates});
    for (std::string& warning : plan_.ranking.warnings) warn(std::move(warning));
    for (std::size_t i = 0; i < pods_.size(); ++i) place_of_.emplace(pods_[i], i);
  }

  // The picker's word on each pod, from the answer that was given; empty: none.
  std::vector<model::Verdict> find_verdicts() {
    if (surplus_ == 0) return {};
    if (!request_.gates.on(Gate::kDownscalePodPicker)) {
      if (request_.answer) {
        warn("the picker's answer is not used: feature gate DownscalePodPicker is off");
      }
      return {};
    }
    const picker::Consultation consultation = picker::prepare(pods_, surplus_);
    if (!request_.answer) {
      if (consultation.requested > 0 && has_picker(snapshot_, set_, tried_policy())) {
        warn(
            "a picker is configured, and a plan does not ask it; try an answer with "
            "--picker-answer");
      }
      return {};
    }
    if (consultation.requested == 0) {
      warn(surplus_ == pods_.size()
               ? "the picker would not be asked: all pods go"
               : "the picker would not be asked: pods that are unassigned, Pending, Unknown or not "
                 "Ready suffice");
      return {};
    }
    picker::Verdicts verdicts = picker::judge(pods_, *request_.answer);
    if (!request_.answer->other_keys.empty()) {
      warn(
          fmt::format("the picker's answer has keys that mean nothing: {}; chosen_pods and "
                      "tied_pods do",
                      fmt::join(request_.answer->other_keys, ", ")));
    }
    std::vector<std::string_view> ignored;
    for (const std::string_view name : verdicts.ignored) {
      if (!siblings_.pods.contains(name)) ignored.push_back(name);
    }
    if (!ignored.empty()) {
      warn(
          fmt::format("the picker's answer contains names that are no candidates or stand there "
                      "twice: {}",
                      some_names(ignored)));
    }
    if (verdicts.of_pods.empty()) {
      warn("the picker's answer names no candidate, so the order is as without a picker");
    } else if (uses_deletion_cost()) {
      warn(
          "both the picker and deletion cost are in use; deletion cost goes first, so the picker's "
          "choice may not be what goes");
    }
    return std::move(verdicts.of_pods);
  }

  [[nodiscard]] bool uses_deletion_cost() const {
    return request_.gates.on(Gate::kPodDeletionCost) &&
           std::any_of(pods_.begin(), pods_.end(),
                       [](const Pod* pod) { return pod->deletion_cost != 0; });
  }

  void write_down(const order::Lineup& lineup) {
    plan_.setting = lineup.setting();
    plan_.remove.reserve(surplus_);
    plan_.keep.reserve(lineup.size() - surplus_);
    for (std::size_t place = 0; place < lineup.size(); ++place) {
      if (place < surplus_) {
        order::Reason reason = order::why_it_goes(lineup, place, surplus_);
        plan_.remove.push_back(
            {lineup[place], reason.rule, std::move(reason.because), ranks_of(*lineup[place].pod)});
      } else if (surplus_ > 0) {
        order::Reason reason = order::why_it_stays(lineup, place, surplus_);
        plan_.keep.push_back(
            {lineup[place], reason.rule, std::move(reason.because), ranks_of(*lineup[place].pod)});
      } else {
        plan_.keep.push_back({lineup[place], {}, {}, ranks_of(*lineup[place].pod)});
      }
    }
  }

  // What each strategy says about the pod.
  [[nodiscard]] ranking::Ranks ranks_of(const Pod& pod) const {
    ranking::Ranks ranks;
    for (const ranking::Ranks& all : plan_.ranking.by_strategy) {
      ranks.push_back(all[place_of_.at(&pod)]);
    }
    return ranks;
  }

  const Snapshot& snapshot_;
  const Request& request_;
  const ReplicaSet& set_;
  Siblings& siblings_;
  std::vector<const Pod*> pods_;
  std::size_t surplus_ = 0;
  boost::unordered_flat_map<const Pod*, std::size_t> place_of_;
  SetPlan plan_;
};

// What would make the plan of a ReplicaSet meaningless.
Result<void> check_set(const Snapshot& snapshot, const ReplicaSet& set) {
  const auto fail_set = [&](ErrorCode code, std::string_view problem) {
    return fail(code,
                fmt::format("ReplicaSet {}/{}{}", set.name_space.view(), set.name.view(), problem));
  };
  if (set.selector.empty()) {
    return fail_set(ErrorCode::kInvalidInput,
                    ": spec.selector: is missing or empty, so it has no pods");
  }
  if (snapshot.pods.empty() && set.status_replicas > 0) {
    return fail_set(ErrorCode::kNotFound,
                    " has pods, but the input has none; add what kubectl get pods -o json prints");
  }
  return {};
}

// A policy that is tried has to be for what is planned.
Result<void> check_policy(const Request& request, const std::vector<const ReplicaSet*>& sets) {
  if (!request.policy) return {};
  for (const ReplicaSet* set : sets) {
    if (is_for(*request.policy, *set)) return {};
  }
  const TriedPolicy& policy = *request.policy;
  const std::string space = policy.name_space.empty() ? request.name_space : policy.name_space;
  return fail(ErrorCode::kInvalidInput,
              fmt::format("--policy: DownscalePolicy {} is for {} {}/{}, which this plan is not "
                          "about",
                          policy.name, policy.target_kind, space, policy.target_name));
}

Result<Plan> plan_replica_set(const Snapshot& snapshot, const Request& request) {
  auto set = find_replica_set(snapshot, request.name_space, request.name);
  if (!set) return propagate(set);
  if (auto checked = check_set(snapshot, **set); !checked) return propagate(checked);
  if (auto checked = check_policy(request, {*set}); !checked) return propagate(checked);
  Plan plan;
  Siblings none(snapshot);
  plan.sets.push_back(SetPlanner(snapshot, request, **set, request.replicas, none).run());
  if (const auto* owner = (*set)->controller; owner != nullptr) {
    plan.warnings.push_back(
        fmt::format("{} {} manages this ReplicaSet and would undo a change of its size; plan that "
                    "one instead",
                    owner->kind.view(), owner->name.view()));
  }
  return plan;
}

NameSet names_of_pods(const Snapshot& snapshot, const std::vector<const ReplicaSet*>& sets) {
  boost::unordered_flat_set<model::Interned> uids;
  for (const ReplicaSet* set : sets) uids.insert(set->uid);
  NameSet names;
  for (const Pod& pod : snapshot.pods) {
    if (pod.controller != nullptr && uids.contains(pod.controller->uid)) {
      names.insert(pod.name.view());
    }
  }
  return names;
}

Result<Plan> plan_deployment(const Snapshot& snapshot, const Request& request) {
  auto deployment = find_deployment(snapshot, request.name_space, request.name);
  if (!deployment) return propagate(deployment);
  const std::vector<const ReplicaSet*> sets = sets_of(snapshot, **deployment);
  if (sets.empty()) {
    return fail(ErrorCode::kNotFound,
                fmt::format("Deployment {}/{} owns no ReplicaSet in the input; add what "
                            "kubectl get rs -o json prints",
                            request.name_space, request.name));
  }
  if (auto checked = check_policy(request, sets); !checked) return propagate(checked);
  Plan plan;
  plan.deployment = *deployment;
  plan.split = control::split_replicas(**deployment, sets, request.replicas);
  Siblings siblings(snapshot);
  if (plan.split.shares.size() > 1) siblings.pods = names_of_pods(snapshot, sets);
  for (const auto& [set, replicas] : plan.split.shares) {
    if (auto checked = check_set(snapshot, *set); !checked) return propagate(checked);
    plan.sets.push_back(SetPlanner(snapshot, request, *set, replicas, siblings).run());
  }
  if (plan.split.how == control::Split::How::kRecreate) {
    plan.warnings.emplace_back(
        "a Recreate rollout is under way; its ReplicaSets are not scaled before it is done");
  } else if (plan.split.how == control::Split::How::kDeleting) {
    plan.warnings.emplace_back("the Deployment is being deleted, so it is not scaled any more");
  }
  return plan;
}

}  // namespace

Result<Plan> make_plan(const Snapshot& snapshot, const Request& request) {
  auto plan = request.kind == Request::Kind::kReplicaSet ? plan_replica_set(snapshot, request)
                                                         : plan_deployment(snapshot, request);
  if (!plan) return plan;
  for (const auto& [kind, count] : snapshot.skipped) {
    // Kinds that are read, in a version that is not, are counted with their version.
    if (kind.find(' ') == std::string::npos) continue;
    plan->warnings.push_back(fmt::format("not read, because of the version: {} ({})", kind, count));
  }
  return plan;
}

}  // namespace ebb::plan
