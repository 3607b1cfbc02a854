#include "control/webhook/fence.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/deadline_queue.h"
#include "control/cache/live_pods.h"
#include "control/policy/picker_choice.h"

namespace ebb::control {

bool Fence::is_controller(const AdmissionReview& review) const {
  const auto& users = settings_.controller_users;
  return std::find(users.begin(), users.end(), review.user) != users.end();
}

const ReplicaSet* Fence::targeted_set(const model::ObjectName& name, std::string_view uid) const {
  const ReplicaSet* const set = context_.store.replica_set(name.namespace_name, name.name);
  if (set == nullptr || set->uid.view() != uid) return nullptr;
  const Policy* const policy = policy_for(*set, context_.store);
  return policy == nullptr || policy->shadow ? nullptr : set;
}

// A decision that is still in its window is taken for the newest: a newer one has left its mark on
// pods, or is about to.
bool Fence::needs_list(const SetId& set, Now now) const {
  if (!safeguards_.lists_unknown_decisions) return false;
  const KnownDecision* const known = decisions_.newest(set);
  if (known != nullptr && is_in_window(*known, now.mono, settings_.fence_window_ns)) return false;
  const auto found = listings_.find(set);
  return found == listings_.end() || found->second.listed.is_zero() ||
         now.mono >= later_by(found->second.listed, kListCountsNs);
}

void Fence::review(ReviewId id, const AdmissionReview& review, Now now) {
  const ReviewedDelete& removal = *review.removal;
  const model::ObjectName name{.namespace_name = review.namespace_name, .name = removal.set};
  if (review.dry_run || !is_controller(review)) return allow(id, FenceVerdict::kUnconcerned, now);
  const ReplicaSet* const set = targeted_set(name, removal.set_uid);
  if (set == nullptr) return allow(id, FenceVerdict::kUnconcerned, now);
  const SetId set_id{.namespace_name = review.namespace_name, .uid = removal.set_uid};
  if (const auto mark = model::parse_mark(removal.mark)) {
    decisions_.saw_mark(set_id, *mark, removal.pod_uid, now);
  }
  const Waiting one{.id = id, .set = name, .removal = removal};
  if (passes_by_itself(removal) || set->replicas <= 0 || !needs_list(set_id, now)) {
    return judge(one, now);
  }
  Listing& listing = listings_[set_id];
  listing.waiting.push_back(one);
  if (!listing.deadline.is_zero()) return;
  listing.deadline = later_by(now.mono, kListWithinNs);
  calls_.emplace(
      context_.sink.send_within(kListWithinNs, Call::Kind::kRead, live_pods_request(*set)),
      ListedSet{.id = set_id, .name = name});
}

void Fence::resized(const SetId& set) {
  const auto found = listings_.find(set);
  if (found != listings_.end()) found->second.listed = {};
}

bool Fence::answered(CallId id, const Answer& answer, Now now) {
  const auto found = calls_.find(id);
  if (found == calls_.end()) return false;
  const auto [set, name] = found->second;
  calls_.erase(found);
  if (answer.succeeded()) {
    const auto live =
        read_live_pods(answer.response.body.str(), {.name = name.name, .uid = set.uid});
    if (live) {
      listings_[set].listed = now.mono;
      for (const LivePod& pod : live->pods) {
        if (const auto mark = model::parse_mark(pod.mark)) {
          decisions_.saw_mark(set, *mark, pod.uid, now);
        }
      }
    }
  }
  list_ended(set, now);
  return true;
}

void Fence::list_ended(const SetId& set, Now now) {
  const auto found = listings_.find(set);
  if (found == listings_.end()) return;
  found->second.deadline = {};
  for (const Waiting& one : std::exchange(found->second.waiting, {})) judge(one, now);
}

void Fence::run(Now now) {
  std::vector<SetId> late;
  for (auto each = listings_.begin(); each != listings_.end();) {
    const Listing& listing = each->second;
    const bool is_over =
        listing.deadline.is_zero() && now.mono >= later_by(listing.listed, kListCountsNs);
    if (!listing.deadline.is_zero() && now.mono >= listing.deadline) late.push_back(each->first);
    each = is_over ? listings_.erase(each) : std::next(each);
  }
  for (const SetId& set : late) list_ended(set, now);
}

Timestamp Fence::wake_at() const {
  Timestamp wake;
  for (const auto& [set, listing] : listings_) {
    wake = sooner(wake, listing.deadline.is_zero() ? later_by(listing.listed, kListCountsNs)
                                                   : listing.deadline);
  }
  return wake;
}

// Counts only pods that are not about to go.
std::size_t Fence::count_others(const ReplicaSet& set, const SetId& id,
                                const KnownDecision& decision, Now now) {
  auto& allowed = allowed_[id];
  std::erase_if(allowed, [now](const auto& one) {
    return now.mono >= later_by(one.second, kDeleteWithinNs);
  });
  std::size_t others = 0;
  for (const Pod* pod : context_.store.pods_of(set)) {
    if (pod->active() && !decision.victims.contains(pod->uid.view()) &&
        !allowed.contains(pod->uid.view())) {
      ++others;
    }
  }
  if (allowed.empty()) allowed_.erase(id);
  return others;
}

void Fence::judge(const Waiting& one, Now now) {
  const ReplicaSet* const set = targeted_set(one.set, one.removal.set_uid);
  if (set == nullptr || context_.store.mixed()) {
    return allow(one.id, FenceVerdict::kUnconcerned, now);
  }
  const SetId id{.namespace_name = one.set.namespace_name, .uid = one.removal.set_uid};
  const KnownDecision* const decision = decisions_.newest(id);
  const std::size_t others = decision == nullptr ? 0 : count_others(*set, id, *decision, now);
  const auto allowed = allowed_.find(id);
  const bool was_allowed =
      allowed != allowed_.end() && allowed->second.contains(one.removal.pod_uid);
  const FenceVerdict verdict = was_allowed ? FenceVerdict::kEnoughOthers
                                           : judge_delete({.removal = one.removal,
                                                           .decision = decision,
                                                           .replicas = set->replicas,
                                                           .others = others,
                                                           .mono = now.mono,
                                                           .window_ns = settings_.fence_window_ns});
  if (verdict != FenceVerdict::kRefused || !safeguards_.fences_deletes) {
    const bool is_victim = decision != nullptr && decision->victims.contains(one.removal.pod_uid);
    if (decision != nullptr && !is_victim) allowed_[id][one.removal.pod_uid] = now.mono;
    return allow(one.id, verdict, now);
  }
  if (!reviews_.is_open(one.id)) return;
  context_.telemetry.count(Count::kFencedDeletes, to_string(verdict));
  reviews_.refuse(one.id,
                  fmt::format("this pod was not chosen in scale-down {}; the chosen pods go first",
                              decision->id),
                  "delete refused", now);
}

void Fence::allow(ReviewId id, FenceVerdict verdict, Now now) {
  if (!reviews_.is_open(id)) return;
  context_.telemetry.count(Count::kFencedDeletes, to_string(verdict));
  reviews_.allow(id, "delete allowed", now);
}

}  // namespace ebb::control
