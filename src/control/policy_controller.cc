#include "control/policy_controller.h"

#include <limits>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "base/agenda.h"
#include "control/object_json.h"
#include "control/policy_status.h"
#include "control/work_queue.h"
#include "model/requests.h"
#include "schema/kind.h"

namespace ebb::control {
namespace {

// A workload that is scaled all the time must not have its policy written all the time.
constexpr Nanoseconds kBetweenWritesNs = 5 * kNanosecondsPerSecond;
constexpr Timestamp kRightAway =
    Timestamp::from_nanoseconds(std::numeric_limits<Nanoseconds>::min() + 1);

Key key_of(const Policy& policy) {
  return {.namespace_name = std::string(policy.name_space.view()),
          .name = std::string(policy.name.view())};
}

const schema::Kind& policy_kind() {
  return *schema::find_kind("ebb.dev/v1alpha1", "DownscalePolicy");
}

class PolicyController final : public Controller {
 public:
  PolicyController(const ControllerContext& context, std::shared_ptr<PolicyReports> reports,
                   PolicyVoices voices)
      : context_(context),
        reports_(std::move(reports)),
        voices_(voices),
        queue_("policy", context.telemetry) {}

  [[nodiscard]] std::string_view name() const override { return "policy"; }

  void policy_changed(const Change<Policy>& change) override;
  void replica_set_changed(const Change<ReplicaSet>& change) override;
  void deployment_changed(const Change<Deployment>& change) override;
  void answered(CallId id, const Answer& answer, Now now) override;
  void run(Now now) override;
  [[nodiscard]] Timestamp wake_at() const override {
    if (stopping_) return {};
    return heard_.empty() && !reports_->has_changes() ? queue_.wake_at() : kRightAway;
  }
  void stop() override { stopping_ = true; }
  [[nodiscard]] bool idle() const override { return writing_.empty(); }

 private:
  struct Written {
    Timestamp at{};
    model::Revision revision = 0;
  };

  void hear_all_for(std::string_view name_space, std::string_view kind, std::string_view name);
  void hear_all_about(const Policy& policy);
  void hear_all_about(const ReplicaSet& set);
  void look_at(const Key& key, Now now);

  ControllerContext context_;
  std::shared_ptr<PolicyReports> reports_;
  PolicyVoices voices_;
  WorkQueue queue_;
  std::set<Key> heard_;  // since the last run
  std::map<Key, Written> written_;
  std::unordered_map<CallId, Key> writing_;
  bool stopping_ = false;
};

void PolicyController::hear_all_for(std::string_view name_space, std::string_view kind,
                                    std::string_view name) {
  for (const Policy* each : context_.store.policies_for(name_space, kind, name)) {
    heard_.insert(key_of(*each));
  }
}

void PolicyController::hear_all_about(const Policy& policy) {
  const std::string_view name_space = policy.name_space.view();
  const std::string_view target = policy.target_name.view();
  hear_all_for(name_space, policy.target_kind.view(), target);
  if (policy.target_kind.view() != "ReplicaSet") return;
  if (const ReplicaSet* set = context_.store.replica_set(name_space, target)) hear_all_about(*set);
}

void PolicyController::hear_all_about(const ReplicaSet& set) {
  hear_all_for(set.name_space.view(), "ReplicaSet", set.name.view());
  const model::ControllerRef* const owner = set.controller;
  if (owner == nullptr) return;
  hear_all_for(set.name_space.view(), owner->kind.view(), owner->name.view());
}

// A target that comes or goes, or comes to belong to another.
void PolicyController::replica_set_changed(const Change<ReplicaSet>& change) {
  const auto owner_of = [](const ReplicaSet* set) {
    return set == nullptr ? nullptr : set->controller;
  };
  if (change.before != nullptr && change.after != nullptr &&
      owner_of(change.before) == owner_of(change.after)) {
    return;
  }
  for (const ReplicaSet* set : {change.before, change.after}) {
    if (set != nullptr) hear_all_about(*set);
  }
}

void PolicyController::deployment_changed(const Change<Deployment>& change) {
  if (change.before != nullptr && change.after != nullptr) return;
  const Deployment& told = change.after != nullptr ? *change.after : *change.before;
  hear_all_for(told.name_space.view(), "Deployment", told.name.view());
}

// Who comes or goes changes who else counts: one for a ReplicaSet counts rather than that of its
// Deployment.
void PolicyController::policy_changed(const Change<Policy>& change) {
  const bool status_only = change.before != nullptr && change.after != nullptr &&
                           change.before->generation == change.after->generation &&
                           change.after->generation != 0;
  if (change.after != nullptr) heard_.insert(key_of(*change.after));
  if (!status_only && change.before != nullptr) hear_all_about(*change.before);
  if (!status_only && change.after != nullptr) hear_all_about(*change.after);
  if (change.after == nullptr) {
    const Key key = key_of(*change.before);
    reports_->forget(key);
    written_.erase(key);
    heard_.insert(key);
  }
}

void PolicyController::run(Now now) {
  for (const Key& key : std::exchange(heard_, {})) queue_.add(key, now);
  for (const Key& key : reports_->take_changed()) queue_.add(key, now);
  if (stopping_) return;
  while (const auto key = queue_.take(now)) look_at(*key, now);
  queue_.report(now);
}

void PolicyController::look_at(const Key& key, Now now) {
  const Policy* const policy = context_.store.policy(key.namespace_name, key.name);
  const auto finish = [&] { queue_.done(key, now); };
  if (policy == nullptr) {
    reports_->forget(key);
    queue_.forget_failures(key);
    return finish();
  }
  const auto known = written_.find(key);
  if (known != written_.end()) {
    // What it wrote last wakes it when it shows.
    if (policy->revision_seen < known->second.revision) return finish();
    const Nanoseconds since = elapsed_ns(known->second.at, now.mono);
    if (since < kBetweenWritesNs) {
      queue_.add_after(key, kBetweenWritesNs - since, now);
      return finish();
    }
  }
  const auto wanted = with_new_status(*policy, look_at_policy(*policy, context_.store),
                                      reports_->of(key), voices_, now.wall);
  if (!wanted) {
    queue_.forget_failures(key);
    return finish();
  }
  const CallId id = context_.port.send(
      Call::Kind::kWrite,
      model::replace_request(model::object_path(policy_kind(), key, "status"), *wanted));
  writing_.emplace(id, key);
}

void PolicyController::answered(CallId id, const Answer& answer, Now now) {
  const auto found = writing_.find(id);
  if (found == writing_.end()) return;
  const Key key = std::move(found->second);
  writing_.erase(found);
  const bool gone = answer.outcome == Answer::Outcome::kAnswered && answer.response.code == 404;
  if (answer.succeeded()) {
    const auto written = read_written(answer);
    written_[key] = {.at = now.mono, .revision = written ? written->revision : 0};
    queue_.forget_failures(key);
  } else if (!gone) {
    if (context_.telemetry.logs(1)) {
      context_.telemetry.log(Severity::kWarning, 1,
                             fmt::format("the status of DownscalePolicy {}/{} is written later: {}",
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
                                                   PolicyVoices voices) {
  return std::make_unique<PolicyController>(context, std::move(reports), voices);
}

}  // namespace ebb::control
