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

bool Fence::needs_list(const SetId& set, Now now) const {
  if (!safeguards_.lists_unknown_decisions) return false;
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
    if (decisions_.saw_mark(set_id, *mark, removal.pod_uid, now)) outdate(set_id);
  }
  Waiting one{.id = id, .set = name, .removal = removal};
  const FenceVerdict verdict = judge(one, now);
  if (depends_on_unseen_marks(verdict) && needs_list(set_id, now)) {
    return wait_for_list(set_id, std::move(one), now);
  }
  answer(one, verdict, now);
}

void Fence::wait_for_list(const SetId& set, Waiting one, Now now) {
  Listing& listing = listings_[set];
  if (listing.call) {
    if (listing.next.empty()) listing.next_deadline = later_by(now.mono, kListWithinNs);
    listing.next.push_back(std::move(one));
    return;
  }
  listing.waiting.push_back(std::move(one));
  listing.deadline = later_by(now.mono, kListWithinNs);
  send_list(set, listing, now);
}

// For those that wait, of which there is at least one.
void Fence::send_list(const SetId& set, Listing& listing, Now now) {
  const model::ObjectName& name = listing.waiting.front().set;
  const ReplicaSet* const found = targeted_set(name, set.uid);
  if (found == nullptr || now.mono >= listing.deadline) return;
  listing.sent = now.mono;
  listing.outdated = false;
  listing.call = context_.sink.send_within(elapsed_ns(now.mono, listing.deadline),
                                           Call::Kind::kRead, live_pods_request(*found));
  calls_.emplace(*listing.call, ListedSet{.id = set, .name = name});
}

void Fence::outdate(const SetId& set) {
  const auto found = listings_.find(set);
  if (found == listings_.end()) return;
  found->second.listed = {};
  found->second.outdated = true;
}

bool Fence::answered(CallId id, const Answer& answer, Now now) {
  const auto found = calls_.find(id);
  if (found == calls_.end()) return false;
  const auto [set, name] = found->second;
  calls_.erase(found);
  const auto listing = listings_.find(set);
  const bool is_awaited = listing != listings_.end() && listing->second.call == id;
  if (answer.succeeded()) {
    const auto live =
        read_live_pods(answer.response.body.str(), {.name = name.name, .uid = set.uid});
    if (live) {
      if (is_awaited && !listing->second.outdated) listing->second.listed = listing->second.sent;
      for (const LivePod& pod : live->pods) {
        if (const auto mark = model::parse_mark(pod.mark)) {
          decisions_.saw_mark(set, *mark, pod.uid, now);
        }
      }
    }
  }
  if (is_awaited) list_ended(set, now);
  return true;
}

void Fence::list_ended(const SetId& set, Now now) {
  Listing& listing = listings_.at(set);
  listing.call.reset();
  const std::vector<Waiting> over = std::exchange(listing.waiting, std::exchange(listing.next, {}));
  listing.deadline = listing.next_deadline;
  if (!listing.waiting.empty()) send_list(set, listing, now);
  for (const Waiting& one : over) answer(one, judge(one, now), now);
  if (listing.call) return;
  for (const Waiting& one : std::exchange(listing.waiting, {})) answer(one, judge(one, now), now);
}

void Fence::run(Now now) {
  std::vector<SetId> late;
  for (auto each = listings_.begin(); each != listings_.end();) {
    const Listing& listing = each->second;
    const bool is_over = !listing.call && now.mono >= later_by(listing.listed, kListCountsNs);
    if (listing.call && now.mono >= listing.deadline) late.push_back(each->first);
    each = is_over ? listings_.erase(each) : std::next(each);
  }
  for (const SetId& set : late) list_ended(set, now);
}

Timestamp Fence::wake_at() const {
  Timestamp wake;
  for (const auto& [set, listing] : listings_) {
    wake = sooner(wake, listing.call ? listing.deadline : later_by(listing.listed, kListCountsNs));
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

FenceVerdict Fence::judge(const Waiting& one, Now now) {
  const ReplicaSet* const set = targeted_set(one.set, one.removal.set_uid);
  if (set == nullptr || context_.store.mixed()) return FenceVerdict::kUnconcerned;
  const SetId id{.namespace_name = one.set.namespace_name, .uid = one.removal.set_uid};
  const KnownDecision* const decision = decisions_.newest(id);
  const std::size_t others = decision == nullptr ? 0 : count_others(*set, id, *decision, now);
  const auto allowed = allowed_.find(id);
  const bool was_allowed =
      allowed != allowed_.end() && allowed->second.contains(one.removal.pod_uid);
  return was_allowed ? FenceVerdict::kAllowedBefore
                     : judge_delete({.removal = one.removal,
                                     .decision = decision,
                                     .replicas = set->replicas,
                                     .others = others,
                                     .mono = now.mono,
                                     .window_ns = settings_.fence_window_ns});
}

void Fence::answer(const Waiting& one, FenceVerdict verdict, Now now) {
  const SetId id{.namespace_name = one.set.namespace_name, .uid = one.removal.set_uid};
  const KnownDecision* const decision = decisions_.newest(id);
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
