#include "control/ranker/ranker.h"

#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/deadline_queue.h"
#include "base/fair_queue.h"
#include "control/cache/rank_carriers.h"
#include "control/core/claim.h"
#include "control/core/key_of.h"
#include "control/core/work_budget.h"
#include "control/core/work_queue.h"
#include "control/policy/ranking_choice.h"
#include "control/ranker/contested_costs.h"
#include "control/ranker/group_cost_writer.h"
#include "control/ranker/pod_rank_writer.h"
#include "control/ranker/rank_cluster_reader.h"
#include "control/ranker/rank_dependencies.h"
#include "control/ranker/rank_reports.h"
#include "ranking/rank_group.h"

namespace ebb::control {
namespace {

using ranking::Publish;

// Minimum time between two writes of a group's ranks.
constexpr Nanoseconds kBetweenWritesNs = kNanosecondsPerSecond;
// How often changes elsewhere are applied to the groups that depend on them.
constexpr Nanoseconds kBetweenDistantNs = kNanosecondsPerSecond;
// Cost in a turn of a group, and of each of its pods, in addition to ranking.
constexpr std::uint64_t kUnitsPerGroup = 300;
constexpr std::uint64_t kUnitsPerPod = 5;
constexpr std::uint64_t kUnitsPerName = 5;  // of a namespace that its terms match
constexpr std::size_t kMaxWritesInFlight = 32;

// The key for the pods of a namespace that have no controller.
Key orphans_key(std::string_view namespace_name) {
  return {.namespace_name = std::string(namespace_name), .name = {}};
}

class Ranker final : public Controller {
 public:
  Ranker(const ControllerContext& context, std::shared_ptr<PolicyReports> reports)
      : context_(context),
        cluster_(context_.store),
        queue_("ranker", context_.telemetry),
        slots_(kMaxWritesInFlight),
        on_pods_(context_, slots_),
        group_costs_(context_, slots_),
        reports_(std::move(reports)) {}

  [[nodiscard]] std::string_view name() const override { return "ranker"; }

  void pod_changed(const Change<Pod>& change) override;
  void node_changed(const Change<Node>& change) override;
  void replica_set_changed(const Change<ReplicaSet>& change) override;
  void policy_changed(const Change<Policy>& change) override;
  void group_cost_changed(const Change<GroupCost>& change) override;

  void answered(CallId id, const Answer& answer, Now now) override;
  [[nodiscard]] bool still_wants(CallId id) override { return on_pods_.wants(id); }
  void run(Now now) override;
  [[nodiscard]] Timestamp wake_at() const override;
  void stop() override {
    stopping_ = true;
    on_pods_.stop();
  }
  [[nodiscard]] bool idle() const override { return on_pods_.idle() && group_costs_.idle(); }

 private:
  // A ReplicaSet whose policy asks for ranks.
  struct Group {
    std::string refusal{};   // of the last write; empty: it succeeded
    Timestamp wrote_at{};    // on the monotonic clock
    Timestamp changed_at{};  // the same on the wall clock, for the status
    // Where its ranks are published on pods; nothing: nowhere.
    std::optional<Publish> on_pods{};
    bool overwritten = false;  // another client has changed some of these, and pods keep them
  };

  void enqueue_target_of(const Policy& policy);
  void expand_targets();
  void see_overwritten(const Change<Pod>& change, const Key& key);
  void count_overwritten(Now now);
  void begin_sync(const Key& key, Now now);
  void forget(const Key& key);
  void leave_unranked(const Key& key, ranking::Pods pods, Now now);
  void withdraw(const Key& key, ranking::Pods pods, Now now);
  void rank(const ReplicaSet& set, const RankingChoice& choice, Now now);
  void clear_away(const Key& key, Now now);
  void publish(const ReplicaSet& set, const ranking::Settings& settings, ranking::Pods pods,
               const ranking::Ranks& ranks, GroupOutcome& outcome, Now now);
  [[nodiscard]] ranking::Ranks ranks_of(const ranking::Settings& settings, ranking::Pods pods,
                                        GroupOutcome& outcome, Now now);
  void come_back(const Key& key, Timestamp at, Now now) {
    if (!at.is_zero())
      queue_.add_after(key, std::max<Nanoseconds>(0, elapsed_ns(now.mono, at)), now);
  }

  ControllerContext context_;
  RankClusterReader cluster_;
  RankDependencies readers_;
  WorkQueue queue_;
  RankSlots slots_;
  PodRankWriter on_pods_;
  GroupCostWriter group_costs_;
  RankReports reports_;
  ContestedCosts contested_;
  std::map<Key, Group> groups_;
  std::set<Key> changed_;                   // since the last run
  std::set<Key> starved_;                   // they wait for a slot
  std::set<Key> policies_;                  // new or changed since the last run
  std::map<Key, std::size_t> overwritten_;  // groups, with the number of values since the last run
  // Targets of changed policies: namespace, group, kind, name.
  using Target = std::tuple<std::string, std::string, std::string, std::string>;
  FairQueue<Target> targets_;
  WorkBudget budget_;
  Timestamp distant_at_{};  // when changes elsewhere were last applied
  bool stopping_ = false;
};

void Ranker::pod_changed(const Change<Pod>& change) {
  cluster_.pod_changed(change);
  const bool matters_elsewhere = looks_different(change);
  for (const Pod* pod : {change.before, change.after}) {
    if (pod == nullptr) continue;
    const std::string_view namespace_name = pod->namespace_name.view();
    if (matters_elsewhere) readers_.pod_changed(namespace_name, pod->node.view());
    if (pod->controller == nullptr) {
      if (pod == change.after && carries_ours(*pod)) changed_.insert(orphans_key(namespace_name));
      continue;
    }
    if (pod->controller->kind.view() != "ReplicaSet") continue;
    Key key{.namespace_name = std::string(namespace_name),
            .name = std::string(pod->controller->name.view())};
    if (pod == change.after) see_overwritten(change, key);
    if (groups_.contains(key) || (pod == change.after && carries_ours(*pod))) {
      changed_.insert(std::move(key));
    }
  }
}

// The ranker itself removes values only after a change of policies, which ends every count.
void Ranker::see_overwritten(const Change<Pod>& change, const Key& key) {
  const auto group = groups_.find(key);
  if (group == groups_.end() || !group->second.on_pods ||
      !takes_published_value(change, *group->second.on_pods)) {
    return;
  }
  group->second.overwritten = true;
  ++overwritten_[key];
}

// A pause concerns all groups of the policy.
void Ranker::count_overwritten(Now now) {
  for (const auto& [key, values] : std::exchange(overwritten_, {})) {
    const GroupOutcome* const outcome = reports_.of(key);
    if (outcome == nullptr || !contested_.changed(outcome->policy, values, now)) continue;
    const Key& policy = outcome->policy;
    context_.telemetry.count(Count::kCostContests);
    if (context_.telemetry.logs(1)) {
      context_.telemetry.log(
          Severity::kWarning, 1,
          fmt::format("another program keeps changing the ranks of DownscalePolicy {}/{}, pausing",
                      policy.namespace_name, policy.name),
          {{"downscalePolicy", ObjectName{policy.namespace_name, policy.name}}});
    }
    for (const Key& group : reports_.groups_of(policy)) changed_.insert(group);
  }
}

void Ranker::node_changed(const Change<Node>& change) {
  const Node& node = change.after != nullptr ? *change.after : *change.before;
  const bool came_or_went = change.before == nullptr || change.after == nullptr;
  const bool labels = came_or_went || change.before->labels != change.after->labels;
  const bool other = came_or_went || change.before->taints != change.after->taints ||
                     change.before->unschedulable != change.after->unschedulable ||
                     change.before->ready != change.after->ready;
  if (labels || other) readers_.node_changed(node.name.view(), labels);
}

void Ranker::replica_set_changed(const Change<ReplicaSet>& change) {
  const ReplicaSet& set = change.after != nullptr ? *change.after : *change.before;
  const bool same = change.before != nullptr && change.after != nullptr &&
                    change.before->generation == change.after->generation &&
                    change.before->deleting == change.after->deleting &&
                    change.before->controller == change.after->controller;
  if (!same) changed_.insert(key_of(set));
}

void Ranker::enqueue_target_of(const Policy& policy) {
  const std::string namespace_name(policy.namespace_name.view());
  const model::TargetRef target = model::target_of(policy);
  if (target.is_replica_set()) {
    changed_.insert({.namespace_name = namespace_name, .name = std::string(target.name)});
    return;
  }
  const Target queued(namespace_name, target.group, target.kind, target.name);
  if (!targets_.contains(queued)) targets_.join(namespace_name, queued);
}

// A tenant can change thousands of policies for one target, or for as many, all at once.
void Ranker::expand_targets() {
  while (!targets_.empty() && !budget_.spent()) {
    const auto [namespace_name, group, kind, name] = *targets_.next();
    const auto sets = context_.store.replica_sets_in(namespace_name);
    budget_.spend(1 + sets.size());
    for (const ReplicaSet* set : sets) {
      if (model::concerns({group, kind, name}, *set)) changed_.insert(key_of(*set));
    }
  }
}

void Ranker::policy_changed(const Change<Policy>& change) {
  const bool status_only = change.before != nullptr && change.after != nullptr &&
                           change.before->generation == change.after->generation &&
                           change.after->generation != 0;
  if (status_only) return;
  for (const Policy* policy : {change.before, change.after}) {
    if (policy == nullptr) continue;
    contested_.forget(key_of(*policy));
    enqueue_target_of(*policy);
  }
  const bool asks_anew =
      change.after != nullptr &&
      (change.before == nullptr || change.before->generation != change.after->generation);
  if (asks_anew) on_pods_.try_status_field_again();
  if (change.after != nullptr && change.after->has_ranking) {
    policies_.insert({.namespace_name = std::string(change.after->namespace_name.view()),
                      .name = std::string(change.after->name.view())});
  }
}

// It has the name of its ReplicaSet.
void Ranker::group_cost_changed(const Change<GroupCost>& change) {
  const GroupCost& cost = change.after != nullptr ? *change.after : *change.before;
  changed_.insert({.namespace_name = std::string(cost.namespace_name.view()),
                   .name = std::string(cost.name.view())});
}

void Ranker::run(Now now) {
  if (stopping_) return;
  for (const Key& policy : std::exchange(policies_, {})) reports_.introduce(policy);
  count_overwritten(now);
  if (readers_.has_due() &&
      (distant_at_.is_zero() || elapsed_ns(distant_at_, now.mono) >= kBetweenDistantNs)) {
    distant_at_ = now.mono;
    for (const Key& key : readers_.take_due()) changed_.insert(key);
  }
  if (slots_.any()) changed_.merge(starved_);
  const bool may_begin = budget_.begin(now);
  if (may_begin) expand_targets();
  for (const Key& key : std::exchange(changed_, {})) queue_.add(key, now);
  while (may_begin && !budget_.spent()) {
    const auto key = queue_.take(now);
    if (!key) break;
    budget_.spend(kUnitsPerGroup);
    begin_sync(*key, now);
    queue_.done(*key, now);
  }
  on_pods_.send();
  queue_.report(now);
}

Timestamp Ranker::wake_at() const {
  if (stopping_) return {};
  if (!changed_.empty() || !policies_.empty() || (!starved_.empty() && slots_.any())) {
    return kRightAway;
  }
  Timestamp wake = budget_.when(targets_.empty() ? queue_.wake_at() : kRightAway);
  if (readers_.has_due()) {
    wake =
        sooner(wake, distant_at_.is_zero() ? kRightAway : later_by(distant_at_, kBetweenDistantNs));
  }
  return wake;
}

void Ranker::begin_sync(const Key& key, Now now) {
  if (key.name.empty()) {
    return leave_unranked(key, context_.store.orphans_in(key.namespace_name), now);
  }
  const ReplicaSet* const set = context_.store.replica_set(key.namespace_name, key.name);
  if (set == nullptr) return leave_unranked(key, {}, now);
  if (set->deleting) {
    // Its pods and its PodGroupCost are deleted with it.
    forget(key);
    return on_pods_.forget(key);
  }
  const auto choice = choose_ranking(*set, context_.store);
  if (!choice) return leave_unranked(key, context_.store.pods_of(*set), now);
  rank(*set, *choice, now);
}

// The group is not ranked any more. With the last one of a policy, its workload is gone.
void Ranker::forget(const Key& key) {
  groups_.erase(key);
  readers_.erase(key);
  const GroupOutcome* const known = reports_.of(key);
  if (known == nullptr) return;
  const Key policy = known->policy;
  reports_.report(key, std::nullopt);
  if (reports_.groups_of(policy).empty()) contested_.forget(policy);
}

void Ranker::leave_unranked(const Key& key, ranking::Pods pods, Now now) {
  forget(key);
  withdraw(key, pods, now);
}

// While policies cannot be read, it is unknown whether one applies, and everything stays.
void Ranker::withdraw(const Key& key, ranking::Pods pods, Now now) {
  if (context_.store.seen(Resource::kPolicies) == 0) return on_pods_.forget(key);
  come_back(key, on_pods_.withdraw(key, pods, now).again, now);
  const auto plan = group_costs_.withdraw(key, now);
  if (plan.starved) starved_.insert(key);
  come_back(key, plan.again, now);
}

void Ranker::rank(const ReplicaSet& set, const RankingChoice& choice, Now now) {
  const Key key = key_of(set);
  Group& group = groups_[key];
  GroupOutcome outcome{.policy = {.namespace_name = key.namespace_name, .name = choice.policy},
                       .changed = group.changed_at};
  const ranking::Settings* const settings = choice.settings.get();
  const auto carrier = carrier_on_pods(settings);
  const bool in_status = carrier == Publish::kStatusField;
  if (settings == nullptr) {
    outcome.reason = "SettingsInvalid";
    outcome.problem = choice.problem;
  } else if (in_status && on_pods_.status_field_was_missing()) {
    outcome.reason = "NoStatusField";
    outcome.problem =
        "this API server does not support status.cost on pods; publish as PodGroupCost, "
        "Annotation or PodDeletionCost instead";
  }
  const bool no_such_field = in_status && on_pods_.status_field_is_missing(now);
  const auto* const pause = carrier ? contested_.pause(outcome.policy, now) : nullptr;
  if (settings == nullptr || no_such_field || pause != nullptr) {
    if (no_such_field) come_back(key, on_pods_.try_status_field_again_at(), now);
    if (pause != nullptr) {
      come_back(key, pause->until, now);
      outcome.reason = "CostContested";
      outcome.problem = "another program keeps changing the published values";
      outcome.contest = paused_contest(*pause, *carrier);
    }
    group = {.on_pods = group.on_pods, .overwritten = group.overwritten};
    readers_.erase(key);
    withdraw(key, context_.store.pods_of(set), now);
    return reports_.report(key, std::move(outcome));
  }
  group.overwritten = group.overwritten && group.on_pods == carrier;
  group.on_pods = carrier;
  // With recompute, a scale-down waits for the ranks; otherwise changes are batched.
  if (!settings->recomputes() && !group.wrote_at.is_zero() &&
      elapsed_ns(group.wrote_at, now.mono) < kBetweenWritesNs) {
    return come_back(key, later_by(group.wrote_at, kBetweenWritesNs), now);
  }
  const std::vector<const Pod*> all = context_.store.pods_of(set);
  const std::vector<const Pod*> pods = claim_pods(set, all).active;
  RankDependencies::Reading reading = dependencies_of(*settings, pods, key.namespace_name);
  budget_.spend(kUnitsPerName * reading.namespaces.size());
  readers_.set(key, std::move(reading));
  if (!pods.empty()) {
    publish(set, *settings, pods, ranks_of(*settings, pods, outcome, now), outcome, now);
  } else {
    const bool in_group_cost = settings->publish == Publish::kPodGroupCost;
    if (in_group_cost) come_back(key, on_pods_.withdraw(key, all, now).again, now);
    if (set.replicas <= 0 || !in_group_cost) clear_away(key, now);
  }
  if (outcome.reason.empty() && !group.refusal.empty()) {
    outcome.reason = "WritesRefused";
    outcome.problem = group.refusal;
  }
  reports_.report(key, std::move(outcome));
}

// For a group without pods, as after a rollout. If it wants pods they will come, and names of
// removed pods do no harm until then.
void Ranker::clear_away(const Key& key, Now now) {
  const auto plan = group_costs_.withdraw(key, now);
  if (plan.starved) starved_.insert(key);
  come_back(key, plan.again, now);
  if (plan.wrote) groups_[key].wrote_at = now.mono;
}

ranking::Ranks Ranker::ranks_of(const ranking::Settings& settings, ranking::Pods pods,
                                GroupOutcome& outcome, Now now) {
  const Timestamp begun = context_.telemetry.moment(now.mono);
  ranking::GroupRanks ranked = ranking::rank_group(settings, pods, cluster_);
  budget_.spend(ranked.effort.units + kUnitsPerPod * pods.size());
  outcome.limit = fmt::format("{}", fmt::join(ranked.effort.limits, "; "));
  const Nanoseconds took = elapsed_ns(begun, context_.telemetry.moment(now.mono));
  context_.telemetry.count(Count::kRankings);
  context_.telemetry.observe(
      Histogram::kRankingSeconds, {},
      static_cast<double>(took) / static_cast<double>(kNanosecondsPerSecond));
  return std::move(ranked.of_pods);
}

void Ranker::publish(const ReplicaSet& set, const ranking::Settings& settings, ranking::Pods pods,
                     const ranking::Ranks& ranks, GroupOutcome& outcome, Now now) {
  const Key key = key_of(set);
  Group& group = groups_[key];
  outcome.pods = pods.size();
  bool writes = false;
  bool waits = false;
  if (settings.publish == Publish::kPodGroupCost) {
    const auto plan = group_costs_.publish(set, pods, ranks, settings.recomputes(), now);
    come_back(key, plan.again, now);
    if (plan.starved) starved_.insert(key);
    if (plan.foreign) {
      outcome.pods = 0;
      outcome.reason = "ForeignPodGroupCost";
      outcome.problem = fmt::format(
          "PodGroupCost {} was not created by the ranker and is left unchanged", set.name.view());
    }
    // Finished pods may still have ranks too.
    const auto elsewhere = on_pods_.withdraw(key, context_.store.pods_of(set), now);
    come_back(key, elsewhere.again, now);
    writes = plan.wrote || elsewhere.writes > 0;
    waits = plan.starved || !plan.again.is_zero() || !elsewhere.again.is_zero();
  } else {
    const auto plan = on_pods_.publish(key, settings.publish, pods, ranks, now);
    come_back(key, plan.again, now);
    if (plan.foreign > 0) {
      outcome.pods = pods.size() - plan.foreign;
      outcome.reason = "ForeignValues";
      outcome.problem = fmt::format("{} of {} pods keep a value that the ranker did not write",
                                    plan.foreign, pods.size());
    }
    group.overwritten = group.overwritten && plan.foreign > 0;
    if (group.overwritten && plan.foreign == pods.size()) {
      outcome.contest = lost_contest(key.name, pods.size(), settings.publish);
    }
    const auto elsewhere = group_costs_.withdraw(key, now);
    come_back(key, elsewhere.again, now);
    if (elsewhere.starved) starved_.insert(key);
    writes = plan.writes > 0 || elsewhere.wrote;
    waits = elsewhere.starved || !plan.again.is_zero() || !elsewhere.again.is_zero();
  }
  // The refused value is there anyway, or is no longer wanted.
  if (!writes && !waits) group.refusal.clear();
  if (!writes) return;
  group.wrote_at = now.mono;
  group.changed_at = now.wall;
  outcome.changed = now.wall;
  if (context_.telemetry.logs(2)) {
    context_.telemetry.log(
        Severity::kInfo, 2,
        fmt::format("publishing ranks of {} pods of ReplicaSet {}/{} as {}", pods.size(),
                    key.namespace_name, key.name, to_string(settings.publish)),
        {{"replicaSet", ObjectName{key.namespace_name, key.name}},
         {"pods", pods.size()},
         {"carrier", to_string(settings.publish)}});
  }
}

void Ranker::answered(CallId id, const Answer& answer, Now now) {
  const auto status_field = [&] {
    return std::pair(on_pods_.status_field_is_missing(now), on_pods_.status_field_was_missing());
  };
  const auto before = status_field();
  auto end = on_pods_.answered(id, answer, now);
  // All groups that publish there have to be planned again.
  if (status_field() != before) {
    for (const auto& group : groups_) changed_.insert(group.first);
  }
  if (!end) end = group_costs_.answered(id, answer, now);
  if (!end) return;
  if (!end->refusal.empty() && context_.telemetry.logs(1)) {
    context_.telemetry.log(Severity::kWarning, 1,
                           fmt::format("cannot write ranks of ReplicaSet {}/{}, retrying: {}",
                                       end->group.namespace_name, end->group.name, end->refusal),
                           {{"replicaSet", ObjectName{end->group.namespace_name, end->group.name}},
                            {"err", end->refusal}});
  }
  const auto group = groups_.find(end->group);
  if (group != groups_.end() && (answer.succeeded() || !end->refusal.empty())) {
    group->second.refusal = end->refusal;
  }
  if (end->requeue_after_ns > 0) queue_.add_after(end->group, end->requeue_after_ns, now);
  if (stopping_) return;
  if (end->requeue) changed_.insert(end->group);
  on_pods_.send();
}

}  // namespace

std::unique_ptr<Controller> make_ranker(const ControllerContext& context,
                                        std::shared_ptr<PolicyReports> reports) {
  return std::make_unique<Ranker>(context, std::move(reports));
}

}  // namespace ebb::control
