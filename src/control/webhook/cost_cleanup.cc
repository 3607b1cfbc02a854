#include "control/webhook/cost_cleanup.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/deadline_queue.h"
#include "control/core/key_of.h"
#include "control/webhook/webhook_cost.h"
#include "model/records/ownership.h"

namespace ebb::control {

bool is_cost_over(const CleanupQuestion& question) {
  if (!question.has_set || question.age_ns >= CostCleanup::kLongestNs) return true;
  const auto wanted = static_cast<std::size_t>(std::max(question.replicas, 0));
  if (question.active > wanted) return false;
  return question.replicas <= question.size || question.age_ns >= CostCleanup::kUnusedNs;
}

void CostCleanup::pod_changed(const Change<Pod>& change) {
  const Pod* const pod = change.after != nullptr ? change.after : change.before;
  const bool is_marked = change.after != nullptr && !pod->scale_down_mark.empty();
  // The usual case, without building a key.
  if (!is_marked && (change.before == nullptr || change.before->scale_down_mark.empty())) return;
  const Key key = key_of(*pod);
  if (!is_marked) {
    marked_.erase(key);
    return;
  }
  Marked& marked = marked_[key];
  const bool is_same = marked.uid == pod->uid.view() && change.before != nullptr &&
                       change.before->scale_down_mark == pod->scale_down_mark;
  if (!is_same) marked = {.uid = std::string(pod->uid.view())};
}

bool CostCleanup::elect(Now now) {
  if (!settings_.cleanup_lease) return !stopping_;
  if (elector_ && elector_->lost(now.mono) && !stopping_) {
    elector_.reset();
    // The answer to a renewal that is late does not matter any more.
    lease_call_.reset();
  }
  if (!elector_ && !stopping_) {
    // A new elector, because a lost lease is never regained by the same one.
    LeaseSettings lease = *settings_.cleanup_lease;
    if (++elections_ > 1) lease.identity += fmt::format("_{}", elections_);
    elector_.emplace(std::move(lease), context_.seed + static_cast<std::uint64_t>(elections_),
                     context_.telemetry);
  }
  if (!elector_) return false;
  if (stopping_ && writes_.empty() && !std::exchange(releasing_, true)) elector_->release();
  if (!lease_call_) {
    if (auto wanted = elector_->take_wanted(now)) {
      lease_call_ = context_.sink.send_within(elector_->call_deadline_ns(), Call::Kind::kLease,
                                              std::move(*wanted));
    }
  }
  return elector_->leads(now.mono);
}

bool CostCleanup::answered(CallId id, const Answer& answer, Now now) {
  if (lease_call_ == id) {
    lease_call_.reset();
    elector_->answered(answer, now);
    return true;
  }
  const auto found = writes_.find(id);
  if (found == writes_.end()) return false;
  const Key pod = found->second;
  writes_.erase(found);
  if (answer.succeeded()) context_.telemetry.count(Count::kCostsRestored);
  const auto marked = marked_.find(pod);
  if (marked == marked_.end()) return true;
  // Also after a success: the cache is about to show it.
  marked->second.in_flight = false;
  marked->second.not_before = later_by(now.mono, kRetryNs);
  return true;
}

CleanupQuestion CostCleanup::question_about(const Pod& pod, const model::ScaleDownMark& mark,
                                            const Marked& marked, Now now) const {
  // The time in the cost counts across restarts; a wrong clock, or a forged cost, at most cuts the
  // wait short.
  const Nanoseconds by_wall = elapsed_ns(time_of_cost(mark.cost), now.wall);
  CleanupQuestion question{.size = mark.size,
                           .age_ns = std::max(elapsed_ns(marked.first_seen, now.mono), by_wall)};
  const auto* const owner = pod.controller;
  if (owner == nullptr || owner->kind.view() != model::kReplicaSetKind) return question;
  const ReplicaSet* const set =
      context_.store.replica_set(pod.namespace_name.view(), owner->name.view());
  if (set == nullptr || set->uid.view() != owner->uid.view()) return question;
  question.has_set = true;
  question.replicas = set->replicas;
  const auto pods = context_.store.pods_of(*set);
  question.active = static_cast<std::size_t>(
      std::count_if(pods.begin(), pods.end(), [](const Pod* one) { return one->active(); }));
  return question;
}

void CostCleanup::check(const Key& key, Marked& marked, Now now) {
  if (marked.first_seen.is_zero()) marked.first_seen = now.mono;
  if (marked.in_flight || now.mono < marked.not_before) return;
  const Pod* const pod = context_.store.pod(key.namespace_name, key.name);
  if (pod == nullptr || pod->deleting) return;
  const auto mark = model::mark_on(*pod);
  if (!mark || !is_cost_over(question_about(*pod, *mark, marked, now))) return;
  marked.in_flight = true;
  writes_.emplace(context_.sink.send(Call::Kind::kPatientWrite, restore_cost_request(*pod)), key);
}

void CostCleanup::run(Now now) {
  const bool leads = elect(now);
  if (now.mono < check_at_) return;
  check_at_ = later_by(now.mono, kCheckEveryNs);
  if (context_.store.mixed() || !safeguards_.puts_costs_back) return;
  for (auto& [key, marked] : marked_) {
    if (leads && !stopping_) {
      check(key, marked, now);
    } else if (marked.first_seen.is_zero()) {
      marked.first_seen = now.mono;
    }
  }
}

Timestamp CostCleanup::wake_at() const {
  Timestamp wake = marked_.empty() || stopping_ ? Timestamp() : check_at_;
  if (!settings_.cleanup_lease) return wake;
  if (!elector_) return stopping_ ? wake : kRightAway;
  if (stopping_ && writes_.empty() && !releasing_) return kRightAway;
  return sooner(wake, elector_->wake_at());
}

bool CostCleanup::idle() const {
  return writes_.empty() && !lease_call_ && (!elector_ || (stopping_ && elector_->released()));
}

}  // namespace ebb::control
