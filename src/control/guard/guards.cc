#include "control/guard/guards.h"

#include <algorithm>

#include "base/check.h"
#include "base/deadline_queue.h"
#include "control/replicaset/replica_set_status.h"

namespace ebb::control {
namespace {

constexpr Nanoseconds kManagerDeadlineNs = 5 * kNanosecondsPerSecond;

bool same_status(const Deployment& a, const Deployment& b) {
  return a.observed_generation == b.observed_generation && a.status_replicas == b.status_replicas;
}

bool has_canary_label(const ReplicaSet& set) {
  return set.labels != nullptr &&
         std::any_of(set.labels->labels.begin(), set.labels->labels.end(),
                     [](const model::Label& label) { return label.key.view() == kCanaryLabel; });
}

// Deployment records have no labels. A false positive costs a short wait.
bool has_canary_label(const Deployment& deployment) {
  return deployment.json.find(kCanaryLabel) != std::string::npos;
}

}  // namespace

Guards::Guards(const ProcessSettings& settings, const Store& store, Telemetry& telemetry)
    : safeguards_(settings.safeguards), store_(store) {
  EBB_CHECK(settings.sole_controller.has_value());
  const SoleControllerOptions& options = *settings.sole_controller;
  canary_ = {.namespace_name = options.namespace_name, .name = options.canary_name};
  const bool arms = safeguards_.arms_canary_again;
  if (settings.replica_sets) {
    guards_.emplace_back(GuardedKind::kReplicaSets, options, arms, telemetry);
  }
  if (settings.deployments) {
    guards_.emplace_back(GuardedKind::kDeployments, options, arms, telemetry);
  }
}

CanaryGuard* Guards::guard_of(GuardedKind guarded) {
  const auto found = std::find_if(guards_.begin(), guards_.end(), [guarded](const auto& guard) {
    return guard.guarded() == guarded;
  });
  return found == guards_.end() ? nullptr : &*found;
}

std::optional<Guards::Wanted> Guards::take_wanted(Now now) {
  for (std::size_t index = 0; index < guards_.size(); ++index) {
    if (auto wanted = guards_[index].take_wanted(now)) {
      calls_.emplace(next_ticket_, std::pair(std::optional(index), wanted->ticket));
      return Wanted{next_ticket_++, std::move(wanted->request), wanted->deadline_ns};
    }
  }
  if (!reads_manager_lease()) return std::nullopt;
  if (auto request = manager_.take_wanted(now)) {
    calls_.emplace(next_ticket_, std::pair(std::nullopt, 0));
    return Wanted{next_ticket_++, std::move(*request), kManagerDeadlineNs};
  }
  return std::nullopt;
}

bool Guards::reads_manager_lease() const {
  return !stopping_ && std::any_of(guards_.begin(), guards_.end(),
                                   [](const auto& guard) { return !guard.acting(); });
}

std::optional<Canary> Guards::in_store(GuardedKind guarded) const {
  const auto read = [](const auto* object) -> std::optional<Canary> {
    if (object == nullptr) return std::nullopt;
    return Canary{.uid = std::string(object->uid.view()),
                  .created = object->created,
                  .generation = object->generation,
                  .observed = object->observed_generation};
  };
  if (guarded == GuardedKind::kReplicaSets) {
    return read(store_.replica_set(canary_.namespace_name, canary_.name));
  }
  return read(store_.deployment(canary_.namespace_name, canary_.name));
}

void Guards::answered(std::uint64_t ticket, const Answer& answer, Now now) {
  const auto found = calls_.find(ticket);
  EBB_CHECK(found != calls_.end());
  const auto [index, inner] = found->second;
  calls_.erase(found);
  if (!index) {
    if (!manager_.answered(answer, now)) return;
    for (CanaryGuard& guard : guards_) guard.wait_anew(now);
    return;
  }
  CanaryGuard& guard = guards_[*index];
  // Without the safeguard, the watch is used instead.
  const auto watched = safeguards_.polls_canary ? std::nullopt : in_store(guard.guarded());
  if (!watched) return guard.answered(inner, answer, now);
  guard.answered(inner, {.outcome = Answer::Outcome::kUnknown}, now);
  guard.saw(*watched, now.mono, now);
}

Timestamp Guards::wake_at(Timestamp mono) const {
  Timestamp wake = reads_manager_lease() ? manager_.wake_at() : Timestamp();
  for (const CanaryGuard& guard : guards_) {
    wake = sooner(wake, guard.wake_at());
    const Timestamp ends = guard.permission_ends_at();
    if (ends > mono) wake = sooner(wake, ends);
  }
  return wake;
}

void Guards::begin_leading(Now now) {
  for (CanaryGuard& guard : guards_) guard.begin_leading(now);
}

void Guards::run(Now now) {
  for (CanaryGuard& guard : guards_) {
    Seen& seen = seen_of(guard.guarded());
    guard.set_manager_stopped(safeguards_.awaits_stopped_manager &&
                              manager_.looks_stopped(now.mono));
    if (const auto& own = guard.canary()) {
      guard.set_younger(seen.canaries.any_older_than({own->created, own->uid}));
    }
    // An acting controller knows better which writes are its own.
    const bool foreign = std::exchange(seen.foreign_write, false);
    if (foreign && !guard.acting()) guard.saw_foreign_write(now);
    guard.report(now);
  }
}

bool Guards::may_write(GuardedKind guarded, Timestamp mono) const {
  if (!safeguards_.sole_controller) return true;
  return std::all_of(guards_.begin(), guards_.end(), [guarded, mono](const CanaryGuard& guard) {
    return guard.guarded() != guarded || guard.may_write(mono);
  });
}

bool Guards::forbidden() const {
  return std::any_of(guards_.begin(), guards_.end(),
                     [](const auto& guard) { return guard.forbidden(); });
}

Nanoseconds Guards::saw_foreign_write(Now now) {
  CanaryGuard* const guard = guard_of(GuardedKind::kReplicaSets);
  if (guard == nullptr) return 0;
  guard->saw_foreign_write(now);
  return guard->options().suspicion_ns;
}

void Guards::stop() {
  stopping_ = true;
  for (CanaryGuard& guard : guards_) guard.stop();
}

bool Guards::stopped() const {
  return std::all_of(guards_.begin(), guards_.end(),
                     [](const auto& guard) { return guard.stopped(); });
}

bool Guards::is_own_canary(std::string_view namespace_name, std::string_view name) const {
  return namespace_name == canary_.namespace_name && name == canary_.name;
}

void Guards::Canaries::set(const Key& key, Seniority seniority) {
  erase(key);
  by_age_.insert(seniority);
  by_key_.emplace(key, std::move(seniority));
}

void Guards::Canaries::erase(const Key& key) {
  const auto known = by_key_.find(key);
  if (known == by_key_.end()) return;
  by_age_.erase(by_age_.find(known->second));
  by_key_.erase(known);
}

template <class Object>
void Guards::note_canary(GuardedKind guarded, const Change<Object>& change, bool is_canary) {
  const Object& object = change.after != nullptr ? *change.after : *change.before;
  auto& canaries = seen_of(guarded).canaries;
  if (canaries.empty() && !is_canary) return;
  const Key key{std::string(object.namespace_name.view()), std::string(object.name.view())};
  if (is_canary && change.after != nullptr) {
    canaries.set(key, Seniority(object.created, std::string(object.uid.view())));
  } else {
    canaries.erase(key);
  }
}

void Guards::pod_changed(const Change<Pod>& change) {
  if (!watches_others_ || change.before != nullptr || change.after->controller == nullptr) return;
  if (change.after->controller->kind.view() == "ReplicaSet") {
    note_foreign_write(GuardedKind::kReplicaSets);
  }
}

void Guards::replica_set_changed(const Change<ReplicaSet>& change) {
  const ReplicaSet& set = change.after != nullptr ? *change.after : *change.before;
  if (is_own_canary(set.namespace_name.view(), set.name.view())) return;
  note_canary(GuardedKind::kReplicaSets, change, has_canary_label(set));
  if (change.after == nullptr) return;
  if (change.before != nullptr && !same_status(*change.before, set)) {
    note_foreign_write(GuardedKind::kReplicaSets);
  }
  if (change.before == nullptr && set.controller != nullptr &&
      set.controller->kind.view() == "Deployment") {
    note_foreign_write(GuardedKind::kDeployments);
  }
}

void Guards::deployment_changed(const Change<Deployment>& change) {
  const Deployment& deployment = change.after != nullptr ? *change.after : *change.before;
  if (is_own_canary(deployment.namespace_name.view(), deployment.name.view())) return;
  note_canary(GuardedKind::kDeployments, change, has_canary_label(deployment));
  if (change.before != nullptr && change.after != nullptr &&
      !same_status(*change.before, deployment)) {
    note_foreign_write(GuardedKind::kDeployments);
  }
}

}  // namespace ebb::control
