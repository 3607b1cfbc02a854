// Decides which Deployments to sync, and when. A sync is in deployment_sync.cc (the writes and
// their answers) and deployment_decision.cc (what to write).
#include "control/deployment/deployment_controller.h"

#include <map>
#include <set>
#include <unordered_map>

#include "base/check.h"
#include "control/cache/own_writes.h"
#include "control/core/fair_share.h"
#include "control/core/key_of.h"
#include "control/core/work_budget.h"
#include "control/core/work_queue.h"
#include "control/deployment/deployment_sync.h"
#include "control/deployment/deployment_wakeups.h"
#include "control/deployment/set_views.h"
#include "model/records/ownership.h"

namespace ebb::control {
namespace {

using deployments::OwnWrites;
using deployments::SetViews;
using deployments::Sync;
using deployments::SyncResult;
using deployments::Wakeups;

// Each sync holds the documents of a Deployment, so the number of concurrent syncs is limited.
// Namespaces share it (fair_share.h).
constexpr std::size_t kMaxSyncs = 100;
// The watch event for an own write wakes its Deployment; this is the fallback if none comes.
constexpr Nanoseconds kRequeueForOwnWritesNs = kNanosecondsPerSecond;

class DeploymentController final : public Controller {
 public:
  explicit DeploymentController(const ControllerContext& context)
      : context_(context), queue_("deployment", context.telemetry) {}

  [[nodiscard]] std::string_view name() const override { return "deployment"; }

  void deployment_changed(const Change<Deployment>& change) override {
    changed_.insert(key_of(change.after != nullptr ? *change.after : *change.before));
  }
  void replica_set_changed(const Change<ReplicaSet>& change) override;
  void pod_changed(const Change<Pod>& change) override;

  void answered(CallId id, const Answer& answer, Now now) override;
  void run(Now now) override;

  [[nodiscard]] Timestamp wake_at() const override {
    if (stopping_) return {};
    if (!changed_.empty()) return kRightAway;
    // If there is no room, an answer makes some and then runs the controller.
    const Timestamp queued =
        budget_.when(awaits_answers_ ? queue_.wake_at_for_delayed() : queue_.wake_at());
    return sooner(wakeups_.wake_at(), queued);
  }
  void stop() override { stopping_ = true; }
  [[nodiscard]] std::optional<GuardedKind> guarded() const override {
    return GuardedKind::kDeployments;
  }
  [[nodiscard]] bool idle() const override { return syncs_.empty(); }

 private:
  [[nodiscard]] const Deployment* owner_of(const ReplicaSet& set) const;
  void enqueue_owner(const ReplicaSet& set);
  void begin_sync(const Key& key, Now now);
  void await(const Key& key, const Sync& sync);
  void end(const Key& key, const SyncResult& how, Now now);

  ControllerContext context_;
  WorkQueue queue_;
  OwnWrites own_writes_;
  SetViews views_;
  std::set<Key> changed_;  // since the last run
  Wakeups wakeups_{context_.store, changed_};
  FairShare share_{kMaxSyncs};
  std::map<Key, Sync> syncs_;
  std::unordered_map<CallId, Key> calls_;
  bool awaits_answers_ = false;  // every key that is ready waits for a sync to end
  bool stopping_ = false;
  WorkBudget budget_;
};

// The Deployment that controls a ReplicaSet, but not another one of the same name.
const Deployment* DeploymentController::owner_of(const ReplicaSet& set) const {
  if (set.controller == nullptr) return nullptr;
  const Deployment* owner =
      context_.store.deployment(set.namespace_name.view(), set.controller->name.view());
  return owner != nullptr && model::controls(*owner, set) ? owner : nullptr;
}

void DeploymentController::enqueue_owner(const ReplicaSet& set) {
  if (const Deployment* owner = owner_of(set)) changed_.insert(key_of(*owner));
}

void DeploymentController::replica_set_changed(const Change<ReplicaSet>& change) {
  const ReplicaSet* before = change.before;
  const ReplicaSet* after = change.after;
  if (after == nullptr) {
    views_.forget(*before);
    return enqueue_owner(*before);
  }
  const bool moved = before != nullptr && before->controller != after->controller;
  if (moved && before->controller != nullptr) enqueue_owner(*before);
  if (after->controller != nullptr) return enqueue_owner(*after);
  const bool adoptable =
      before == nullptr ? !after->deleting : moved || before->labels != after->labels;
  if (adoptable) wakeups_.orphan_came(*after);
}

// Only Recreate waits for pods: it creates the new ReplicaSet when the last old pod is gone.
void DeploymentController::pod_changed(const Change<Pod>& change) {
  if (change.after != nullptr || change.before->controller == nullptr) return;
  const model::ControllerRef& ref = *change.before->controller;
  const ReplicaSet* set =
      context_.store.replica_set(change.before->namespace_name.view(), ref.name.view());
  if (set == nullptr || !model::controls(*set, *change.before)) return;
  const Deployment* owner = owner_of(*set);
  if (owner != nullptr && owner->recreate) wakeups_.pod_left(*owner);
}

void DeploymentController::run(Now now) {
  wakeups_.run(now);
  for (const Key& key : std::exchange(changed_, {})) queue_.add(key, now);
  const bool may_begin = !stopping_ && budget_.begin(now);
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

void DeploymentController::begin_sync(const Key& key, Now now) {
  if (key == context_.canary) return queue_.done(key, now);
  if (!own_writes_.seen(key, context_.store)) {
    context_.telemetry.count(Count::kDeploymentStaleSyncSkips);
    queue_.done(key, now);
    queue_.add_after(key, kRequeueForOwnWritesNs, now);
    return;
  }
  const auto [sync, is_new] = syncs_.try_emplace(key, context_, own_writes_, views_, budget_, key);
  EBB_CHECK(is_new);
  share_.take(key.namespace_name);
  if (const auto ended = sync->second.start(now)) return end(key, *ended, now);
  await(key, sync->second);
}

void DeploymentController::await(const Key& key, const Sync& sync) {
  for (const auto& call : sync.awaited()) calls_.emplace(call.first, key);
}

void DeploymentController::answered(CallId id, const Answer& answer, Now now) {
  const auto call = calls_.find(id);
  if (call == calls_.end()) return;
  const Key key = call->second;
  calls_.erase(call);
  awaits_answers_ = false;
  Sync& sync = syncs_.at(key);
  if (const auto ended = sync.answered(id, answer, stopping_, now)) return end(key, *ended, now);
  await(key, sync);
}

void DeploymentController::end(const Key& key, const SyncResult& how, Now now) {
  syncs_.erase(key);
  share_.give_back(key.namespace_name);
  queue_.done(key, now);
  if (how.failed) {
    queue_.add_after_failure(key, now);
    return;
  }
  queue_.forget_failures(key);
  if (how.again) queue_.add(key, now);
  if (how.requeue_after_ns) queue_.add_after(key, *how.requeue_after_ns, now);
}

}  // namespace

std::unique_ptr<Controller> make_deployment_controller(const ControllerContext& context) {
  return std::make_unique<DeploymentController>(context);
}

}  // namespace ebb::control
