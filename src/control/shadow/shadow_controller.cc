#include "control/shadow/shadow_controller.h"

#include <deque>
#include <map>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/deadline_queue.h"
#include "control/core/key_of.h"
#include "control/core/work_budget.h"
#include "control/picker/picker_sessions.h"
#include "control/policy/picker_choice.h"
#include "control/policy/policy_status.h"
#include "control/scaledown/picker_advice.h"
#include "control/shadow/followed_scale_down.h"
#include "control/shadow/influences.h"
#include "control/shadow/recent_departures.h"
#include "model/records/ownership.h"
#include "schema/core/kind.h"

namespace ebb::control {
namespace {

using shadow::FollowedScaleDown;
using shadow::RecentDepartures;
using End = Decision::Actual::End;

// How long a scale-down is followed.
constexpr Nanoseconds kFollowNs = 30 * kNanosecondsPerSecond;
// How long pods may appear that make a smaller size a scale-down.
constexpr Nanoseconds kSurplusWithinNs = 5 * kNanosecondsPerSecond;
// How long one watch may be behind the other: after a resize, the watch of pods may still show
// earlier departures, and after the last departure, that of ReplicaSets an earlier resize.
constexpr Nanoseconds kStragglersNs = 2 * kNanosecondsPerSecond;
// Scale-downs that are followed at the same time; each holds copies of its pods.
constexpr std::size_t kMaxFollowed = 1'000;
constexpr std::size_t kMaxFollowedInNamespace = 200;
// Of one ReplicaSet: the current one, and one that waits for stragglers.
constexpr std::size_t kMaxFollowedOfSet = 2;
constexpr std::uint64_t kUnitsPerScaleDown = 300;
constexpr std::uint64_t kUnitsPerPod = 5;

constexpr std::string_view kShadowReason = "ShadowDecision";

// The gauges of pickers belong to the ReplicaSet controller if it runs in the same process.
class WithoutGauges final : public Telemetry {
 public:
  explicit WithoutGauges(Telemetry& to) : to_(to) {}
  void logged(Severity severity, int verbosity, std::string_view text,
              std::span<const Field> fields) override {
    to_.logged(severity, verbosity, text, fields);
  }
  [[nodiscard]] bool logs(int verbosity) const override { return to_.logs(verbosity); }
  void count(Count what, std::string_view label, std::int64_t by) override {
    to_.count(what, label, by);
  }
  void observe(Histogram what, std::string_view label, double value) override {
    to_.observe(what, label, value);
  }
  [[nodiscard]] Timestamp moment(Timestamp now) const override { return to_.moment(now); }

 private:
  Telemetry& to_;
};

ControllerContext shadow_context(ControllerContext context) {
  context.policies = PolicyView::kShadow;
  return context;
}

class ShadowController final : public Controller {
 public:
  ShadowController(const ControllerContext& context, ShadowOutputs outputs, ShadowScope scope)
      : context_(shadow_context(context)),
        outputs_(std::move(outputs)),
        scope_(scope),
        without_gauges_(context_.telemetry),
        // Idempotency keys must differ from those of the ReplicaSet controller.
        picker_sessions_(context_.sink,
                         scope == ShadowScope::kEverything ? context_.telemetry : without_gauges_,
                         context_.pickers, context_.seed ^ 0x5ad0U) {}

  [[nodiscard]] std::string_view name() const override { return "shadow"; }

  void pod_changed(const Change<Pod>& change) override;
  void replica_set_changed(const Change<ReplicaSet>& change) override;
  void answered(CallId id, const Answer& answer, Now now) override {
    picker_sessions_.answered(id, answer, now);
  }
  void picker_replied(picker::CallId id, const picker::Reply& reply, Now now) override {
    picker_sessions_.replied(id, reply, now);
  }
  [[nodiscard]] bool still_wants(CallId id) override { return picker_sessions_.wants(id); }
  void run(Now now) override;
  [[nodiscard]] Timestamp wake_at() const override;
  void stop() override {
    stopping_ = true;
    picker_sessions_.drop_all();
    followed_.clear();
  }
  [[nodiscard]] bool idle() const override { return true; }

 private:
  struct Resize {
    Key key{};
    std::string uid{};
    model::Revision revision = 0;
    std::int32_t from = 0;
    std::int32_t to = 0;
  };
  using ScaleDowns = std::vector<std::unique_ptr<FollowedScaleDown>>;  // oldest first

  // The ReplicaSet that controls the pod, if it is compared.
  [[nodiscard]] const ReplicaSet* owner_of(const Pod& pod) const;
  [[nodiscard]] bool is_compared(const ReplicaSet& set) const;
  void pod_left(const ReplicaSet& set, const Change<Pod>& change);

  void resized(const Resize& resize, Now now);
  [[nodiscard]] bool has_room(const std::string& namespace_name) const;
  void begin(const ReplicaSet& set, const Resize& resize, Now now);
  void advance(const Key& key, Now now);
  // Returns whether it is over.
  [[nodiscard]] bool step(const Key& key, FollowedScaleDown& down, Now now);
  void gather(FollowedScaleDown& down, const ReplicaSet& set, Now now);
  void consult_picker(FollowedScaleDown& down, const ReplicaSet& set, Now now);
  [[nodiscard]] static Timestamp deadline_of(const FollowedScaleDown& down);
  void record(const Key& key, FollowedScaleDown& down, End end, Now now);
  void report_to_policy(const Key& key, const FollowedScaleDown& down, const Decision& decision);
  void forget(const Key& key);

  ControllerContext context_;
  ShadowOutputs outputs_;
  ShadowScope scope_;
  WithoutGauges without_gauges_;
  PickerSessions picker_sessions_;
  RecentDepartures departures_;
  std::unordered_set<std::string> terminating_;  // uids of pods that are being deleted
  std::map<Key, ScaleDowns> followed_;           // never empty
  std::deque<Resize> resizes_;                   // since the last run()
  std::set<Key> touched_;                        // followed ones with news
  DeadlineQueue<Key> deadlines_;
  WorkBudget budget_;
  std::uint64_t decisions_ = 0;
  bool stopping_ = false;
};

// Whether the acting controller counts the pod against the size.
bool counts(const ReplicaSet& set, const Pod& pod) {
  return pod.active() && model::controls(set, pod) && pod.labels != nullptr &&
         set.selector.matches(*pod.labels);
}

bool ShadowController::is_compared(const ReplicaSet& set) const {
  if (set.name.view() == context_.canary.name &&
      set.namespace_name.view() == context_.canary.namespace_name) {
    return false;
  }
  if (scope_ == ShadowScope::kEverything) return true;
  const Policy* const policy = policy_for(set, context_.store);
  return policy != nullptr && policy->shadow;
}

const ReplicaSet* ShadowController::owner_of(const Pod& pod) const {
  if (pod.controller == nullptr || pod.controller->kind.view() != model::kReplicaSetKind) {
    return nullptr;
  }
  const ReplicaSet* const set =
      context_.store.replica_set(pod.namespace_name.view(), pod.controller->name.view());
  return set != nullptr && model::controls(*set, pod) && is_compared(*set) ? set : nullptr;
}

void ShadowController::pod_changed(const Change<Pod>& change) {
  if (stopping_) return;
  if (change.after != nullptr) {
    const ReplicaSet* const set = owner_of(*change.after);
    if (set != nullptr && counts(*set, *change.after)) {
      const auto found = followed_.find(key_of(*set));
      if (found == followed_.end()) return;
      for (const auto& down : found->second) down->saw(*change.after);
      touched_.insert(found->first);
      return;
    }
  }
  if (change.before == nullptr) {
    if (change.after->deleting && owner_of(*change.after) != nullptr) {
      terminating_.emplace(change.after->uid.view());
    }
    return;
  }
  if (const ReplicaSet* set = owner_of(*change.before)) pod_left(*set, change);
}

void ShadowController::pod_left(const ReplicaSet& set, const Change<Pod>& change) {
  const Pod& before = *change.before;
  const bool deleted = change.after == nullptr || change.after->deleting;
  const model::Revision revision = (change.after != nullptr ? *change.after : before).revision;
  const auto found = followed_.find(key_of(set));
  if (found != followed_.end()) {
    for (const auto& down : found->second) down->saw_leave(before, revision, deleted);
    touched_.insert(found->first);
  }
  // A pod that was being deleted left when that began. Its last state does not tell: some API
  // servers show only the end.
  const std::string uid(before.uid.view());
  const bool left_before = before.finished() || (change.after != nullptr && before.deleting) ||
                           terminating_.contains(uid);
  if (!left_before) departures_.add(set.uid.view(), before, revision, deleted);
  if (change.after == nullptr) {
    terminating_.erase(uid);
  } else if (change.after->deleting) {
    terminating_.insert(uid);
  }
}

void ShadowController::replica_set_changed(const Change<ReplicaSet>& change) {
  if (stopping_) return;
  if (change.after == nullptr) {
    const Key key = key_of(*change.before);
    forget(key);
    if (change.before->controller == nullptr || context_.store.siblings_of(*change.before).empty())
      picker_sessions_.forget_workload(workload_of(*change.before));
    return;
  }
  const ReplicaSet& after = *change.after;
  if (change.before == nullptr) return;
  if (change.before->replicas == after.replicas) {
    // The watch has progressed, which a complete scale-down may wait for.
    if (followed_.contains(key_of(after))) touched_.insert(key_of(after));
    return;
  }
  resizes_.push_back({.key = key_of(after),
                      .uid = std::string(after.uid.view()),
                      .revision = after.revision_seen,
                      .from = change.before->replicas,
                      .to = after.replicas});
}

void ShadowController::forget(const Key& key) {
  picker_sessions_.drop(key);
  followed_.erase(key);
  touched_.erase(key);
  deadlines_.erase(key);
}

void ShadowController::run(Now now) {
  departures_.run(now.mono);
  if (stopping_) return;
  picker_sessions_.run(now);
  for (const Key& key : picker_sessions_.take_finished()) touched_.insert(key);
  for (const Key& key : deadlines_.take_due(now.mono)) touched_.insert(key);
  if (!budget_.begin(now)) return;
  while (!resizes_.empty() && !budget_.spent()) {
    const Resize resize = std::move(resizes_.front());
    resizes_.pop_front();
    resized(resize, now);
  }
  while (!touched_.empty() && !budget_.spent()) {
    const Key key = std::move(touched_.extract(touched_.begin()).value());
    advance(key, now);
  }
}

Timestamp ShadowController::wake_at() const {
  if (stopping_) return departures_.wake_at();
  const bool has_work = !resizes_.empty() || !touched_.empty();
  const Timestamp work = has_work ? budget_.when(kRightAway) : Timestamp();
  return sooner(sooner(work, departures_.wake_at()),
                sooner(deadlines_.next(), picker_sessions_.wake_at()));
}

void ShadowController::resized(const Resize& resize, Now now) {
  budget_.spend(kUnitsPerScaleDown);
  const auto found = followed_.find(resize.key);
  if (found != followed_.end()) {
    FollowedScaleDown& current = *found->second.back();
    // ebb would have asked again, too.
    if (current.awaits_picker) picker_sessions_.drop(resize.key);
    current.end_at(resize.revision, now.mono);
    // At once: further resizes need its place.
    advance(resize.key, now);
  }
  if (resize.to >= resize.from) return;
  const ReplicaSet* const set =
      context_.store.replica_set(resize.key.namespace_name, resize.key.name);
  if (set == nullptr || set->uid.view() != resize.uid || set->deleting || !is_compared(*set))
    return;
  // Its pods cannot be counted.
  if (context_.store.unread_pod_of(*set) != nullptr) return;
  if (has_room(resize.key.namespace_name)) begin(*set, resize, now);
}

bool ShadowController::has_room(const std::string& namespace_name) const {
  if (followed_.size() >= kMaxFollowed) return false;
  std::size_t in_namespace = 0;
  for (auto each = followed_.lower_bound({.namespace_name = namespace_name, .name = {}});
       each != followed_.end() && each->first.namespace_name == namespace_name; ++each) {
    ++in_namespace;
  }
  return in_namespace < kMaxFollowedInNamespace;
}

void ShadowController::begin(const ReplicaSet& set, const Resize& resize, Now now) {
  auto down = std::make_unique<FollowedScaleDown>(set, resize.revision, resize.to, now);
  const std::vector<const Pod*> pods = context_.store.pods_of(set);
  budget_.spend(pods.size() * (set.selector.cost() + kUnitsPerPod));
  for (const Pod* pod : pods) {
    if (counts(set, *pod)) down->saw(*pod);
  }
  if (const auto* departures = departures_.of(set.uid.view())) {
    budget_.spend(departures->size() * kUnitsPerPod);
    for (const shadow::Departure& departure : *departures) down->add_departure(departure);
  }
  if (const Policy* policy = policy_for(set, context_.store, context_.policies)) {
    down->policy = policy->name.view();
  }
  ScaleDowns& all = followed_[resize.key];
  if (all.size() >= kMaxFollowedOfSet) all.erase(all.begin());
  all.push_back(std::move(down));
  // At once: more resizes may wait, and the pods are those of this one.
  if (all.back()->surplus() > 0) gather(*all.back(), set, now);
  touched_.insert(resize.key);
}

void ShadowController::gather(FollowedScaleDown& down, const ReplicaSet& set, Now now) {
  down.influences = shadow::gather_influences(down, set, context_, budget_);
  consult_picker(down, set, now);
}

void ShadowController::consult_picker(FollowedScaleDown& down, const ReplicaSet& set, Now now) {
  const auto candidates = down.candidates();
  PickerAdvice advice =
      advise_on_picker(set, down.pods(), down.surplus(), context_, picker_sessions_, now);
  down.awaits_picker = advice.awaited;
  down.influences->has_verdicts = !advice.verdicts.empty();
  for (std::size_t i = 0; i < advice.verdicts.size(); ++i) {
    candidates[i]->verdict = advice.verdicts[i];
  }
  down.influences->picker = std::move(advice);
}

void ShadowController::advance(const Key& key, Now now) {
  const auto found = followed_.find(key);
  if (found == followed_.end()) return;
  ScaleDowns& all = found->second;
  Timestamp next;
  for (auto each = all.begin(); each != all.end();) {
    if (step(key, **each, now)) {
      each = all.erase(each);
    } else {
      next = sooner(next, deadline_of(**each));
      ++each;
    }
  }
  if (all.empty()) return forget(key);
  // A picker that is awaited beyond the deadline wakes the controller.
  deadlines_.set(key, next > now.mono ? next : Timestamp());
}

Timestamp ShadowController::deadline_of(const FollowedScaleDown& down) {
  if (down.ended()) return later_by(down.ended_at(), kStragglersNs);
  if (!down.complete_since.is_zero()) return later_by(down.complete_since, kStragglersNs);
  return later_by(down.began().mono, down.influences ? kFollowNs : kSurplusWithinNs);
}

bool ShadowController::step(const Key& key, FollowedScaleDown& down, Now now) {
  const ReplicaSet* const set = context_.store.replica_set(key.namespace_name, key.name);
  if (set == nullptr || set->uid.view() != down.set().uid.view() || set->deleting) return true;
  budget_.spend(kUnitsPerPod + down.candidates().size());
  if (!down.ended() && !down.influences && down.surplus() > 0) gather(down, *set, now);
  if (!down.ended() && down.awaits_picker &&
      picker_sessions_.state(key) == PickerSessions::State::kOver) {
    consult_picker(down, *set, now);
  }
  if (down.ended() && down.awaits_picker) return true;
  const bool complete = down.influences && down.complete();
  if (!complete) {
    down.complete_since = {};
  } else if (down.complete_since.is_zero()) {
    down.complete_since = now.mono;
  }
  // Pods that went after another resize do not belong to this scale-down.
  const bool sizes_seen = context_.store.seen(Resource::kReplicaSets) >= down.last_departure();
  const bool all_seen = down.ended() && context_.store.seen(Resource::kPods) != 0 &&
                        context_.store.seen(Resource::kPods) >= down.end_revision();
  const bool over = (complete && sizes_seen) || all_seen;
  if (!over && now.mono < deadline_of(down)) return false;
  if (down.awaits_picker) return false;
  if (!down.influences || down.surplus() == 0 || down.went() == 0) {
    if (context_.telemetry.logs(2)) {
      context_.telemetry.log(
          Severity::kInfo, 2,
          fmt::format("shadow: no pods of ReplicaSet {}/{} went", key.namespace_name, key.name),
          {{"replicaSet", ObjectName{key.namespace_name, key.name}}});
    }
    return true;
  }
  record(key, down, complete ? End::kComplete : down.ended() ? End::kResized : End::kTimeout, now);
  return true;
}

void ShadowController::record(const Key& key, FollowedScaleDown& down, End end, Now now) {
  Decision decision = shadow::compare(down, context_.gates, end);
  // The time makes it unique: a predecessor may have used the same number.
  const auto moment = static_cast<std::uint64_t>(decision.time.since_epoch_ns() / 1'000'000);
  decision.id = fmt::format("{}-shadow-{}-{:x}", decision.uid, ++decisions_, moment);
  const auto agreed = static_cast<std::int64_t>(decision.actual->agreed());
  const auto others = static_cast<std::int64_t>(decision.actual->removed.size()) - agreed;
  context_.telemetry.count(Count::kShadowDecisions);
  if (agreed > 0) context_.telemetry.count(Count::kShadowVictims, "agreed", agreed);
  if (others > 0) context_.telemetry.count(Count::kShadowVictims, "other", others);
  context_.telemetry.decided(decision);
  report_to_policy(key, down, decision);
  const ReplicaSet* const set = context_.store.replica_set(key.namespace_name, key.name);
  context_.sink.record_event(
      {.kind = schema::find_kind("apps/v1", model::kReplicaSetKind),
       .namespace_name = key.namespace_name,
       .name = key.name,
       .uid = decision.uid,
       .resource_version = set->resource_version,
       .reason = std::string(kShadowReason),
       .message = decision.agreement_text() + decision.ranking_text() + decision.picker_text(),
       .component = "ebb"},
      now);
  if (outputs_.decisions != nullptr) outputs_.decisions->add(std::move(decision));
}

void ShadowController::report_to_policy(const Key& key, const FollowedScaleDown& down,
                                        const Decision& decision) {
  if (down.policy.empty()) return;
  const Policy* const policy = context_.store.policy(key.namespace_name, down.policy);
  if (policy == nullptr) return;
  const Key of_policy = key_of(*policy);
  budget_.spend(units_to_parse(policy->json.size()));
  outputs_.reports->compared(of_policy, shadow_counts(*policy),
                             static_cast<std::int64_t>(decision.actual->removed.size()),
                             static_cast<std::int64_t>(decision.actual->agreed()));
  if (!decision.picker || down.influences->picker.policy.empty()) return;
  const picker::Outcome outcome = decision.picker->outcome;
  outputs_.reports->decided(of_policy,
                            {.time = decision.time,
                             .replica_set = key.name,
                             .victims = decision.victims.size(),
                             .outcome = outcome,
                             .id = decision.id,
                             .problem = decision.picker->problem},
                            outcome == picker::Outcome::kBreakerOpen ||
                                down.influences->picker.breaker == Breakers::Change::kOpened);
}

}  // namespace

std::unique_ptr<Controller> make_shadow_controller(const ControllerContext& context,
                                                   ShadowOutputs outputs, ShadowScope scope) {
  return std::make_unique<ShadowController>(context, std::move(outputs), scope);
}

}  // namespace ebb::control
