// Which Deployments to look at, and when. What is done about one stands in deployment_pass.cc
// (the writes and their answers) and deployment_decision.cc (what to write).
#include "control/deployment_controller.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>

#include "base/check.h"
#include "control/deployment_claim.h"
#include "control/deployment_pass.h"
#include "control/own_writes.h"
#include "control/work_queue.h"

namespace ebb::control {
namespace {

using deployments::OwnWrites;
using deployments::Pass;
using deployments::PassEnd;

// Each pass holds the documents of a Deployment, so there is a limit to how many wait for answers.
constexpr std::size_t kMostPasses = 100;
// Reading a Deployment and its history takes about a tenth of a millisecond; the lease has to be
// renewed in between.
constexpr int kMostLooks = 200;
// The event that shows an own write wakes its Deployment; this is for when none comes.
constexpr Nanoseconds kLookAgainForOwnWrites = kNanosecondsPerSecond;

Key key_of(const Deployment& deployment) {
  return {std::string(deployment.name_space.view()), std::string(deployment.name.view())};
}

class DeploymentController final : public Controller {
 public:
  explicit DeploymentController(const ControllerContext& context)
      : context_(context), queue_("deployment", context.telemetry) {}

  [[nodiscard]] std::string_view name() const override { return "deployment"; }

  void deployment_changed(const Change<Deployment>& change) override {
    heard_.insert(key_of(change.after != nullptr ? *change.after : *change.before));
  }
  void replica_set_changed(const Change<ReplicaSet>& change) override;
  void pod_changed(const Change<Pod>& change) override;

  void answered(CallId id, const Answer& answer, Now now) override;
  void run(Now now) override;

  [[nodiscard]] Timestamp wake_at() const override {
    if (stopping_) return {};
    // Whatever the clock says, this is not after it.
    constexpr auto kAtOnce =
        Timestamp::from_nanoseconds(std::numeric_limits<Nanoseconds>::min() + 1);
    if (!heard_.empty()) return kAtOnce;
    return passes_.size() < kMostPasses ? queue_.wake_at() : Timestamp{};
  }
  void stop() override { stopping_ = true; }
  [[nodiscard]] bool idle() const override { return passes_.empty(); }

 private:
  [[nodiscard]] const Deployment* owner_of(const ReplicaSet& set) const;
  void hear_owner(const ReplicaSet& set);
  void hear_all_that_select(const ReplicaSet& set);
  void look_at(const Key& key, Now now);
  void await(const Key& key, const Pass& pass);
  void end(const Key& key, const PassEnd& how, Now now);

  ControllerContext context_;
  WorkQueue queue_;
  OwnWrites own_writes_;
  std::set<Key> heard_;  // since the last run
  std::map<Key, Pass> passes_;
  std::unordered_map<CallId, Key> calls_;
  bool stopping_ = false;
};

// The Deployment that controls a ReplicaSet, if it is the one that is meant and not another of
// the same name.
const Deployment* DeploymentController::owner_of(const ReplicaSet& set) const {
  if (set.controller == nullptr || set.controller->kind.view() != "Deployment") return nullptr;
  const Deployment* owner =
      context_.store.deployment(set.name_space.view(), set.controller->name.view());
  return owner != nullptr && owner->uid == set.controller->uid ? owner : nullptr;
}

void DeploymentController::hear_owner(const ReplicaSet& set) {
  if (const Deployment* owner = owner_of(set)) heard_.insert(key_of(*owner));
}

void DeploymentController::hear_all_that_select(const ReplicaSet& set) {
  for (const Deployment* deployment : context_.store.deployments_in(set.name_space.view())) {
    if (deployments::selects(*deployment, set)) heard_.insert(key_of(*deployment));
  }
}

void DeploymentController::replica_set_changed(const Change<ReplicaSet>& change) {
  const ReplicaSet* before = change.before;
  const ReplicaSet* after = change.after;
  if (after == nullptr) return hear_owner(*before);
  const bool moved = before != nullptr && before->controller != after->controller;
  if (moved && before->controller != nullptr) hear_owner(*before);
  if (after->controller != nullptr) return hear_owner(*after);
  const bool adoptable =
      before == nullptr ? !after->deleting : moved || before->labels != after->labels;
  if (adoptable) hear_all_that_select(*after);
}

// Only Recreate waits for pods: its new ReplicaSet comes when the last old pod is gone.
void DeploymentController::pod_changed(const Change<Pod>& change) {
  if (change.after != nullptr || change.before->controller == nullptr) return;
  const model::ControllerRef& ref = *change.before->controller;
  const ReplicaSet* set =
      context_.store.replica_set(change.before->name_space.view(), ref.name.view());
  if (set == nullptr || set->uid != ref.uid) return;
  const Deployment* owner = owner_of(*set);
  if (owner == nullptr || !owner->recreate) return;
  for (const ReplicaSet* each : context_.store.replica_sets_of(owner->uid.view())) {
    const std::vector<const Pod*> pods = context_.store.pods_of(each->uid.view());
    const auto unfinished = [](const Pod* pod) { return !pod->finished(); };
    if (std::any_of(pods.begin(), pods.end(), unfinished)) return;
  }
  heard_.insert(key_of(*owner));
}

void DeploymentController::run(Now now) {
  for (const Key& key : std::exchange(heard_, {})) queue_.add(key, now);
  for (int looks = 0; looks < kMostLooks && !stopping_ && passes_.size() < kMostPasses; ++looks) {
    const std::optional<Key> key = queue_.take(now);
    if (!key) break;
    look_at(*key, now);
  }
  queue_.report(now);
}

void DeploymentController::look_at(const Key& key, Now now) {
  if (!own_writes_.seen(key, context_.store)) {
    context_.telemetry.count(Count::kDeploymentStaleSyncSkips);
    queue_.done(key, now);
    queue_.add_after(key, kLookAgainForOwnWrites, now);
    return;
  }
  const auto [pass, is_new] = passes_.try_emplace(key, context_, own_writes_, key);
  EBB_CHECK(is_new);
  if (const auto ended = pass->second.start(now)) return end(key, *ended, now);
  await(key, pass->second);
}

void DeploymentController::await(const Key& key, const Pass& pass) {
  for (const auto& call : pass.awaited()) calls_.emplace(call.first, key);
}

void DeploymentController::answered(CallId id, const Answer& answer, Now now) {
  const auto call = calls_.find(id);
  if (call == calls_.end()) return;
  const Key key = call->second;
  calls_.erase(call);
  Pass& pass = passes_.at(key);
  if (const auto ended = pass.answered(id, answer, stopping_, now)) return end(key, *ended, now);
  await(key, pass);
}

void DeploymentController::end(const Key& key, const PassEnd& how, Now now) {
  passes_.erase(key);
  queue_.done(key, now);
  if (how.failed) {
    queue_.add_after_failure(key, now);
    return;
  }
  queue_.forget_failures(key);
  if (how.again) queue_.add(key, now);
  if (how.look_again_ns) queue_.add_after(key, *how.look_again_ns, now);
}

}  // namespace

std::unique_ptr<Controller> make_deployment_controller(ControllerContext context) {
  return std::make_unique<DeploymentController>(context);
}

}  // namespace ebb::control
