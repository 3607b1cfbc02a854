#include "control/policy/policy_controller.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "base/deadline_queue.h"
#include "base/fair_queue.h"
#include "control/core/fair_share.h"
#include "control/core/json_document.h"
#include "control/core/key_of.h"
#include "control/core/object_json.h"
#include "control/core/work_budget.h"
#include "control/core/work_queue.h"
#include "control/policy/policy_status.h"
#include "model/api/requests.h"
#include "schema/core/kind.h"

namespace ebb::control {
namespace {

// Limits writes to the policy of a workload that is scaled continuously, or of a tenant that edits
// it, or deletes and creates it, in a loop. The status of the last state is written in the end.
constexpr Nanoseconds kBetweenWritesNs = 5 * kNanosecondsPerSecond;
// The same if the last write failed, or may have.
constexpr Nanoseconds kBetweenTriesNs = kNanosecondsPerSecond;
// Statuses that wait to be sent are outdated soon. Namespaces share this limit (fair_share.h).
constexpr std::size_t kMaxWrites = 32;
constexpr std::uint64_t kUnitsPerSync = 500;

const schema::Kind& policy_kind() {
  return *schema::find_kind("ebb.dev/v1alpha1", "DownscalePolicy");
}

class PolicyController final : public Controller {
 public:
  PolicyController(const ControllerContext& context, std::shared_ptr<PolicyReports> reports,
                   PolicyRoles roles)
      : context_(context),
        reports_(std::move(reports)),
        roles_(roles),
        queue_("policy", context.telemetry) {}

  [[nodiscard]] std::string_view name() const override { return "policy"; }

  void policy_changed(const Change<Policy>& change) override;
  void replica_set_changed(const Change<ReplicaSet>& change) override;
  void deployment_changed(const Change<Deployment>& change) override;
  void answered(CallId id, const Answer& answer, Now now) override;
  void run(Now now) override;
  [[nodiscard]] Timestamp wake_at() const override {
    if (stopping_) return {};
    if (!changed_.empty() || reports_->has_changes()) return kRightAway;
    // If there is no room, an answer makes some and then runs the controller.
    const Timestamp queued =
        budget_.when(awaits_answers_ ? queue_.wake_at_for_delayed() : queue_.wake_at());
    return sooner(targets_.empty() ? Timestamp() : target_budget_.when(kRightAway), queued);
  }
  void stop() override { stopping_ = true; }
  // Only the process that acts on a policy writes its status.
  [[nodiscard]] std::optional<GuardedKind> guarded() const override {
    return roles_.decides && roles_.acts ? std::optional(GuardedKind::kReplicaSets) : std::nullopt;
  }
  [[nodiscard]] bool idle() const override { return writing_.empty(); }

 private:
  struct Written {
    Timestamp next_at{};  // earliest time of the next write
    model::Revision revision = 0;
    std::uint64_t report = 0;  // version of the last report in it
  };
  struct Writing {
    Key key{};
    std::uint64_t report = 0;
  };
  // Namespace, group, kind, name.
  using Target = std::tuple<std::string, std::string, std::string, std::string>;

  void enqueue_policies_for(std::string_view namespace_name, const model::TargetRef& target);
  void enqueue_policies_of(const Policy& policy);
  void enqueue_policies_of(const ReplicaSet& set);
  void expand_targets(Now now);
  void begin_sync(const Key& key, Now now);
  // How long the policy has to wait for its next write.
  [[nodiscard]] Nanoseconds pause_ns(const Key& key, Now now) const;

  ControllerContext context_;
  std::shared_ptr<PolicyReports> reports_;
  PolicyRoles roles_;
  WorkQueue queue_;
  std::set<Key> changed_;  // since the last run
  // All policies for these are queued. A tenant can have many for one target and edit each, so they
  // are looked up within a budget.
  FairQueue<Target> targets_;
  WorkBudget target_budget_;
  std::map<Key, Written> written_;  // also of policies that are gone, for a while
  std::unordered_map<CallId, Writing> writing_;
  FairShare share_{kMaxWrites};
  bool awaits_answers_ = false;  // every key that is ready waits for answers
  bool stopping_ = false;
  WorkBudget budget_;
};

void PolicyController::enqueue_policies_for(std::string_view namespace_name,
                                            const model::TargetRef& target) {
  if (context_.store.policies_for(namespace_name, target).empty()) return;
  const Target queued(namespace_name, target.group, target.kind, target.name);
  if (!targets_.contains(queued)) targets_.join(std::get<0>(queued), queued);
}

void PolicyController::expand_targets(Now now) {
  if (targets_.empty() || !target_budget_.begin(now)) return;
  while (!targets_.empty() && !target_budget_.spent()) {
    const auto [namespace_name, group, kind, name] = *targets_.next();
    const auto policies = context_.store.policies_for(namespace_name, {group, kind, name});
    target_budget_.spend(1 + policies.size());
    for (const Policy* policy : policies) queue_.add(key_of(*policy), now);
  }
}

void PolicyController::enqueue_policies_of(const Policy& policy) {
  const std::string_view namespace_name = policy.namespace_name.view();
  const model::TargetRef target = model::target_of(policy);
  enqueue_policies_for(namespace_name, target);
  if (!target.is_replica_set()) return;
  if (const ReplicaSet* set = context_.store.replica_set(namespace_name, target.name))
    enqueue_policies_of(*set);
}

void PolicyController::enqueue_policies_of(const ReplicaSet& set) {
  const std::string_view namespace_name = set.namespace_name.view();
  enqueue_policies_for(namespace_name, model::reference_to(set));
  if (set.controller == nullptr) return;
  enqueue_policies_for(namespace_name, model::reference_to(*set.controller));
}

// A target appears or disappears, or gets another owner.
void PolicyController::replica_set_changed(const Change<ReplicaSet>& change) {
  const auto owner_of = [](const ReplicaSet* set) {
    return set == nullptr ? nullptr : set->controller;
  };
  if (change.before != nullptr && change.after != nullptr &&
      owner_of(change.before) == owner_of(change.after)) {
    return;
  }
  for (const ReplicaSet* set : {change.before, change.after}) {
    if (set != nullptr) enqueue_policies_of(*set);
  }
}

void PolicyController::deployment_changed(const Change<Deployment>& change) {
  if (change.before != nullptr && change.after != nullptr) return;
  const Deployment& known = change.after != nullptr ? *change.after : *change.before;
  enqueue_policies_for(known.namespace_name.view(),
                       {model::kAppsGroup, model::kDeploymentKind, known.name.view()});
}

// A new or deleted policy changes which others count: one for a ReplicaSet takes precedence over
// that of its owner.
void PolicyController::policy_changed(const Change<Policy>& change) {
  const bool status_only = change.before != nullptr && change.after != nullptr &&
                           change.before->generation == change.after->generation &&
                           change.after->generation != 0;
  if (change.after != nullptr) changed_.insert(key_of(*change.after));
  if (!status_only && change.before != nullptr) enqueue_policies_of(*change.before);
  if (!status_only && change.after != nullptr) enqueue_policies_of(*change.after);
  if (change.after == nullptr) {
    const Key key = key_of(*change.before);
    reports_->forget(key);
    changed_.insert(key);
  }
}

void PolicyController::run(Now now) {
  for (const Key& key : std::exchange(changed_, {})) queue_.add(key, now);
  for (const Key& key : reports_->take_changed()) queue_.add(key, now);
  if (stopping_) return;
  expand_targets(now);
  const bool may_begin = budget_.begin(now);
  const auto may_take = [this](const std::string& tenant) {
    budget_.spend(1);
    return share_.has_room(tenant);
  };
  awaits_answers_ = false;
  while (may_begin && !awaits_answers_ && !budget_.spent()) {
    if (const auto key = queue_.take(now, may_take)) {
      begin_sync(*key, now);
    } else {
      awaits_answers_ = !budget_.spent();
    }
  }
  queue_.report(now);
}

Nanoseconds PolicyController::pause_ns(const Key& key, Now now) const {
  const auto known = written_.find(key);
  if (known == written_.end()) return 0;
  return std::max<Nanoseconds>(elapsed_ns(now.mono, known->second.next_at), 0);
}

void PolicyController::begin_sync(const Key& key, Now now) {
  const Policy* const policy = context_.store.policy(key.namespace_name, key.name);
  const auto finish = [&] { queue_.done(key, now); };
  if (policy == nullptr) {
    reports_->forget(key);
    queue_.forget_failures(key);
  } else if (const auto known = written_.find(key);
             known != written_.end() && policy->revision_seen < known->second.revision) {
    return finish();  // the watch event for its last write wakes it
  }
  if (const Nanoseconds pause = pause_ns(key, now); pause > 0) {
    queue_.add_after(key, pause, now);
    return finish();
  }
  if (policy == nullptr) {
    written_.erase(key);
    return finish();
  }
  // The ReplicaSets that it applies to are looked up in its namespace.
  budget_.spend(kUnitsPerSync + units_to_parse(policy->json.size()) +
                context_.store.replica_sets_in(key.namespace_name).size());
  const PolicyReports::Report* report = reports_->of(key);
  const std::uint64_t version = report == nullptr ? 0 : report->version;
  if (const auto known = written_.find(key); roles_.decides && !roles_.acts &&
                                             known != written_.end() &&
                                             known->second.report == version) {
    report = nullptr;
  }
  const auto wanted =
      with_new_status(*policy, inspect_policy(*policy, context_.store), report, roles_, now.wall);
  if (!wanted) {
    queue_.forget_failures(key);
    return finish();
  }
  const CallId id = context_.sink.send(
      Call::Kind::kPatientWrite,
      model::replace_request(model::object_path(policy_kind(), key, "status"), *wanted));
  writing_.emplace(id, Writing{key, version});
  share_.take(key.namespace_name);
}

void PolicyController::answered(CallId id, const Answer& answer, Now now) {
  const auto found = writing_.find(id);
  if (found == writing_.end()) return;
  const auto [key, report] = std::move(found->second);
  writing_.erase(found);
  share_.give_back(key.namespace_name);
  awaits_answers_ = false;
  // A call that was not sent has written nothing.
  if (answer.outcome != Answer::Outcome::kNotSent) {
    written_[key].next_at =
        later_by(now.mono, answer.succeeded() ? kBetweenWritesNs : kBetweenTriesNs);
  }
  const bool gone = answer.outcome == Answer::Outcome::kAnswered && answer.response.code == 404 &&
                    !is_admission_denial(answer);
  if (answer.succeeded()) {
    const auto written = read_written(answer);
    written_[key].revision = written ? written->revision : 0;
    written_[key].report = report;
    queue_.forget_failures(key);
  } else if (!gone) {
    if (context_.telemetry.logs(1)) {
      context_.telemetry.log(
          Severity::kWarning, 1,
          fmt::format("cannot write the status of DownscalePolicy {}/{}, retrying: {}",
                      key.namespace_name, key.name, error_text(answer)),
          {{"downscalePolicy", ObjectName{key.namespace_name, key.name}},
           {"err", error_text(answer)}});
    }
    queue_.add_after_failure(key, now);
  }
  queue_.done(key, now);
}

}  // namespace

std::unique_ptr<Controller> make_policy_controller(const ControllerContext& context,
                                                   std::shared_ptr<PolicyReports> reports,
                                                   PolicyRoles roles) {
  return std::make_unique<PolicyController>(context, std::move(reports), roles);
}

}  // namespace ebb::control
