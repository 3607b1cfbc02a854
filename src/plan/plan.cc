#include "plan/plan.h"

#include <algorithm>
#include <iterator>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "control/core/claim.h"
#include "control/scaledown/selection.h"
#include "model/records/ownership.h"
#include "order/reason.h"
#include "picker/prepared_request.h"
#include "plan/find.h"
#include "plan/tried_pods.h"
#include "schema/core/time.h"

namespace ebb::plan {
namespace {

using model::Gate;
using model::Pod;
using model::ReplicaSet;
using model::Snapshot;

using NameSet = boost::unordered_flat_set<std::string_view>;

// The inputs that the ReplicaSets of a Deployment share.
struct Siblings {
  explicit Siblings(const Snapshot& snapshot) {
    all_pods.reserve(snapshot.pods.size());
    for (const Pod& pod : snapshot.pods) all_pods.push_back(&pod);
    for (const ReplicaSet& set : snapshot.replica_sets) all_sets.push_back(&set);
  }

  // All pods of the snapshot.
  std::vector<const Pod*> all_pods;
  std::vector<const ReplicaSet*> all_sets;
  // One picker answer is tried on all ReplicaSets, although each would call the picker itself; so
  // the answer may name pods of any of them.
  NameSet pods;
  // Their related pods are the same, so they are counted once.
  std::optional<order::NodeCounts> co_located;
};

// Names for a sentence; only some of them if there are many.
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
  std::sort(names.begin(), names.end());  // independent of the order of the input
  return names;
}

// Makes the plan for one ReplicaSet, in the same steps as a controller.
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
    find_undecoded();
    const auto desired = static_cast<std::size_t>(plan_.desired);
    const bool scales = !set_.deleting && plan_.undecoded.empty();
    surplus_ = scales && pods_.size() > desired ? pods_.size() - desired : 0;

    if (!siblings_.co_located) {
      siblings_.co_located =
          order::count_related(set_, siblings_.all_sets, siblings_.all_pods, pods_);
    }
    warn_about_set(claim);
    try_policy();
    check_ranks();
    const std::vector<model::Verdict> verdicts = find_verdicts();
    order::Lineup lineup = control::line_up_candidates(
        {set_, pods_, *siblings_.co_located, request_.now, request_.gates,
         plan_.ranking.advice.ranks, verdicts, plan_.ranking.advice.own_costs_count,
         plan_.ranking.advice.foreign_costs_count});
    lineup.order_first(lineup.size());
    write_down(lineup);
    return std::move(plan_);
  }

 private:
  void warn(std::string warning) { plan_.warnings.push_back(std::move(warning)); }

  void find_undecoded() {
    for (const model::UndecodedObject& object : snapshot_.undecoded) {
      const bool may_be_its_own = !object.owner_known &&
                                  object.namespace_name == set_.namespace_name &&
                                  object.kind == "Pod";
      if (may_be_its_own || (object.kind == "Pod" && model::controls(set_, object))) {
        plan_.undecoded.push_back(&object);
      }
    }
  }

  void warn_about_set(const control::Claim& claim) {
    if (!plan_.undecoded.empty()) {
      const std::size_t more = plan_.undecoded.size() - 1;
      warn(fmt::format("{}{}; the ReplicaSet is not scaled until every pod of it can be decoded",
                       plan_.undecoded.front()->problem,
                       more == 0 ? "" : fmt::format(" (and {} more pods)", more)));
    }
    if (set_.deleting) warn("the ReplicaSet is being deleted, so controllers do not scale it");
    const auto expected = static_cast<std::size_t>(set_.status_replicas);
    if (pods_.size() != expected && expected > 0 && plan_.undecoded.empty()) {
      warn(fmt::format("the status counts {} active pods, but the input has {}; is it complete?",
                       expected, pods_.size()));
    }
    const auto later =
        names_where(pods_, [&](const Pod& pod) { return pod.created > request_.now; });
    if (!later.empty()) {
      warn(fmt::format("pods were created after the time of the decision, {}: {}",
                       schema::format_time(request_.now), some_names(later)));
    }
    if (surplus_ > kBurst) {
      warn(
          fmt::format("controllers remove at most {} pods at a time, so this takes {} rounds, and "
                      "each round makes its own decision",
                      kBurst, (surplus_ + kBurst - 1) / kBurst));
    }
    if (!claim.adopted.empty()) {
      warn(fmt::format(
          "pods without an owner are counted, because they match the selector and will be "
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

  // From here on, the pods are as if the policy were applied.
  void try_policy() {
    const TriedPolicy* const tried = tried_policy();
    if (tried == nullptr || !request_.gates.on(Gate::kPodCostRanking)) return;
    plan_.as_if = pods_as_if(*tried, pods_, snapshot_);
    for (std::size_t i = 0; i < pods_.size(); ++i) pods_[i] = &plan_.as_if[i];
  }

  void check_ranks() {
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

  // The verdict on each pod by the given picker answer; empty: none.
  std::vector<model::Verdict> find_verdicts() {
    if (surplus_ == 0) return {};
    if (!request_.gates.on(Gate::kDownscalePodPicker)) {
      if (request_.answer) {
        warn("the picker's answer is not used: feature gate DownscalePodPicker is off");
      }
      return {};
    }
    const picker::PreparedRequest prepared = picker::prepare(pods_, surplus_);
    if (!request_.answer) {
      if (prepared.requested > 0 && has_picker(snapshot_, set_, tried_policy())) {
        warn(
            "a picker is configured, but a plan does not call it; try an answer with "
            "--picker-answer");
      }
      return {};
    }
    if (prepared.requested == 0) {
      warn(surplus_ == pods_.size()
               ? "the picker would not be called: all pods go"
               : "the picker would not be called: enough pods are unassigned, Pending, Unknown or "
                 "not Ready");
      return {};
    }
    picker::Verdicts verdicts = picker::judge(pods_, *request_.answer);
    if (!request_.answer->other_keys.empty()) {
      warn(
          fmt::format("unknown keys in the picker's answer: {} (expected chosen_pods, "
                      "tied_pods)",
                      fmt::join(request_.answer->other_keys, ", ")));
    }
    std::vector<std::string_view> ignored;
    for (const std::string_view name : verdicts.ignored) {
      if (!siblings_.pods.contains(name)) ignored.push_back(name);
    }
    if (!ignored.empty()) {
      warn(
          fmt::format("names in the picker's answer that are not candidates or are listed "
                      "twice: {}",
                      some_names(ignored)));
    }
    if (verdicts.of_pods.empty()) {
      warn("the picker's answer names no candidate, so the default order applies");
    } else if (uses_deletion_cost()) {
      warn(
          "both the picker and deletion cost are in use; deletion cost decides first, so the "
          "picker's choice may stay");
    }
    return std::move(verdicts.of_pods);
  }

  [[nodiscard]] bool uses_deletion_cost() const {
    return request_.gates.on(Gate::kPodDeletionCost) && plan_.ranking.advice.foreign_costs_count &&
           std::any_of(pods_.begin(), pods_.end(),
                       [](const Pod* pod) { return pod->deletion_cost != 0; });
  }

  void write_down(const order::Lineup& lineup) {
    plan_.order_context = lineup.context();
    plan_.remove.reserve(surplus_);
    plan_.keep.reserve(lineup.size() - surplus_);
    for (std::size_t place = 0; place < lineup.size(); ++place) {
      if (place < surplus_) {
        plan_.remove.push_back({lineup[place], order::why_it_goes(lineup, place, surplus_),
                                ranks_of(*lineup[place].pod)});
      } else if (surplus_ > 0) {
        plan_.keep.push_back({lineup[place], order::why_it_stays(lineup, place, surplus_),
                              ranks_of(*lineup[place].pod)});
      } else {
        plan_.keep.push_back({lineup[place], {}, ranks_of(*lineup[place].pod)});
      }
    }
  }

  // The rank of the pod by each strategy.
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

// Rejects a ReplicaSet for which a plan would be meaningless.
Result<void> check_set(const Snapshot& snapshot, const ReplicaSet& set) {
  const auto fail_set = [&](ErrorCode code, std::string_view problem) {
    return fail(code, fmt::format("ReplicaSet {}/{}{}", set.namespace_name.view(), set.name.view(),
                                  problem));
  };
  if (set.selector.empty()) {
    return fail_set(ErrorCode::kInvalidInput,
                    ": spec.selector: is missing or empty, so it has no pods");
  }
  if (snapshot.pods.empty() && snapshot.undecoded.empty() && set.status_replicas > 0) {
    return fail_set(ErrorCode::kNotFound,
                    " has pods, but the input has none; add what kubectl get pods -o json prints");
  }
  return {};
}

// The tried policy must target the planned workload.
Result<void> check_policy(const Request& request, const std::vector<const ReplicaSet*>& sets) {
  if (!request.policy) return {};
  for (const ReplicaSet* set : sets) {
    if (is_for(*request.policy, *set)) return {};
  }
  const TriedPolicy& policy = *request.policy;
  const std::string space =
      policy.namespace_name.empty() ? request.namespace_name : policy.namespace_name;
  const std::string group = policy.target_group == model::kAppsGroup
                                ? std::string()
                                : fmt::format(" ({})", policy.target().group_name());
  return fail(
      ErrorCode::kInvalidInput,
      fmt::format("--policy: DownscalePolicy {} is for {}{} {}/{}, which is not the target of "
                  "this plan",
                  policy.name, policy.target_kind, group, space, policy.target_name));
}

Result<Plan> plan_replica_set(const Snapshot& snapshot, const Request& request) {
  EBB_ASSIGN_OR_RETURN(auto set, find_replica_set(snapshot, request.namespace_name, request.name));
  EBB_RETURN_IF_ERROR(check_set(snapshot, *set));
  EBB_RETURN_IF_ERROR(check_policy(request, {set}));
  Plan plan;
  Siblings none(snapshot);
  plan.sets.push_back(SetPlanner(snapshot, request, *set, request.replicas, none).run());
  if (const auto* owner = set->controller; owner != nullptr) {
    const bool plannable = model::reference_to(*owner).is_deployment();
    plan.warnings.push_back(fmt::format(
        "{} {} manages this ReplicaSet and would undo a change of its size{}", owner->kind.view(),
        owner->name.view(), plannable ? "; plan that one instead" : ""));
  }
  return plan;
}

NameSet names_of_pods(const Snapshot& snapshot, const std::vector<const ReplicaSet*>& sets) {
  boost::unordered_flat_map<model::Interned, const ReplicaSet*> by_uid;
  for (const ReplicaSet* set : sets) by_uid.emplace(set->uid, set);
  NameSet names;
  for (const Pod& pod : snapshot.pods) {
    if (pod.controller == nullptr) continue;
    const auto owner = by_uid.find(pod.controller->uid);
    if (owner != by_uid.end() && model::controls(*owner->second, pod))
      names.insert(pod.name.view());
  }
  return names;
}

Result<Plan> plan_deployment(const Snapshot& snapshot, const Request& request) {
  EBB_ASSIGN_OR_RETURN(auto deployment,
                       find_deployment(snapshot, request.namespace_name, request.name));
  for (const model::UndecodedObject& object : snapshot.undecoded) {
    if (object.kind != model::kReplicaSetKind || !model::controls(*deployment, object)) continue;
    return fail(ErrorCode::kInvalidInput,
                fmt::format("{}; the replicas of Deployment {}/{} cannot be divided without it",
                            object.problem, request.namespace_name, request.name));
  }
  const std::vector<const ReplicaSet*> sets = sets_of(snapshot, *deployment);
  if (sets.empty()) {
    return fail(ErrorCode::kNotFound,
                fmt::format("Deployment {}/{} owns no ReplicaSet in the input; add what "
                            "kubectl get rs -o json prints",
                            request.namespace_name, request.name));
  }
  EBB_RETURN_IF_ERROR(check_policy(request, sets));
  Plan plan;
  plan.deployment = deployment;
  plan.split = control::split_replicas(*deployment, sets, request.replicas);
  Siblings siblings(snapshot);
  if (plan.split.shares.size() > 1) siblings.pods = names_of_pods(snapshot, sets);
  for (const auto& [set, replicas] : plan.split.shares) {
    EBB_RETURN_IF_ERROR(check_set(snapshot, *set));
    plan.sets.push_back(SetPlanner(snapshot, request, *set, replicas, siblings).run());
  }
  if (plan.split.how == control::Split::How::kRecreate) {
    plan.warnings.emplace_back(
        "a Recreate rollout is in progress; its ReplicaSets are not scaled until it completes");
  } else if (plan.split.how == control::Split::How::kDeleting) {
    plan.warnings.emplace_back("the Deployment is being deleted, so controllers do not scale it");
  }
  return plan;
}

// Lists only a few problems of other objects: a tenant can write any number of them.
void warn_about_others(const Snapshot& snapshot, Plan& plan) {
  constexpr std::size_t kShown = 5;
  std::vector<std::string> warnings;
  for (const model::UndecodedObject& object : snapshot.undecoded) {
    const bool is_reported =
        std::any_of(plan.sets.begin(), plan.sets.end(), [&](const SetPlan& set) {
          return std::find(set.undecoded.begin(), set.undecoded.end(), &object) !=
                 set.undecoded.end();
        });
    if (!is_reported) warnings.push_back(object.problem + "; it is ignored");
  }
  for (const std::string& remark : snapshot.remarks) {
    warnings.push_back(remark + "; the value is treated as absent");
  }
  if (warnings.size() > kShown) {
    const std::size_t more = warnings.size() - kShown;
    warnings.resize(kShown);
    warnings.push_back(fmt::format("{} more objects have invalid values", more));
  }
  plan.warnings.insert(plan.warnings.end(), std::make_move_iterator(warnings.begin()),
                       std::make_move_iterator(warnings.end()));
}

}  // namespace

Result<Plan> make_plan(const Snapshot& snapshot, const Request& request) {
  EBB_ASSIGN_OR_RETURN(auto plan, request.kind == Request::Kind::kReplicaSet
                                      ? plan_replica_set(snapshot, request)
                                      : plan_deployment(snapshot, request));
  for (const auto& [kind, count] : snapshot.skipped) {
    // Known kinds in an unsupported version are counted with their version.
    if (kind.find(' ') == std::string::npos) continue;
    plan.warnings.push_back(
        fmt::format("not read, because the API version is not supported: {} ({})", kind, count));
  }
  warn_about_others(snapshot, plan);
  return plan;
}

}  // namespace ebb::plan
