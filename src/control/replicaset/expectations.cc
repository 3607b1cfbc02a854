#include "control/replicaset/expectations.h"

#include <algorithm>
#include <utility>

#include "base/deadline_queue.h"
#include "control/core/call.h"

namespace ebb::control {

void Expectations::clear() {
  const std::uint64_t list_id = list_id_;
  *this = Expectations();
  list_id_ = list_id + 1;  // invalidates answers that are still to come
}

void Expectations::expect_creations(std::size_t count, Now now) {
  clear();
  creations_ = count;
  since_ = now.mono;
}

void Expectations::expect_deletions(const std::vector<PodName>& pods, Now now) {
  clear();
  for (const PodName& pod : pods) deletions_[pod.uid].name = pod.name;
  since_ = now.mono;
}

void Expectations::created(std::string uid, model::Revision revision) {
  not_created(1);
  awaited_.emplace(std::move(uid), revision);
}

void Expectations::not_created(std::size_t count) { creations_ -= std::min(creations_, count); }

void Expectations::creation_unknown(Now now) {
  not_created(1);
  ++unknown_creations_;
  creations_settled_at_ = later_by(now.mono, kWriteDeadlineNs);
}

void Expectations::creation_pointless() {
  not_created(1);
  ++pointless_creations_;
}

void Expectations::deletion_granted(std::string_view uid) {
  const auto found = deletions_.find(uid);
  if (found != deletions_.end()) found->second.state = Deletion::State::kGranted;
}

void Expectations::deletion_missed(std::string_view uid, Now now) {
  const auto found = deletions_.find(uid);
  if (found == deletions_.end()) return;
  Deletion& deletion = found->second;
  deletion.state = Deletion::State::kMissed;
  deletion.settled_at = std::max(deletion.settled_at, later_by(now.mono, kMissedConfirmedAfterNs));
}

void Expectations::deletion_refused(std::string_view uid, Now now) {
  const auto found = deletions_.find(uid);
  if (found == deletions_.end()) return;
  if (found->second.settled_at > now.mono) {
    found->second.state = Deletion::State::kGivenUp;
  } else {
    forget(found);
  }
}

void Expectations::deletion_unknown(std::string_view uid, Now now) {
  const auto found = deletions_.find(uid);
  if (found == deletions_.end()) return;
  Deletion& deletion = found->second;
  deletion.state = Deletion::State::kUnknown;
  deletion.next_try = later_by(now.mono, retry_delay_ns(deletion.unknown++));
  deletion.settled_at = later_by(now.mono, kWriteDeadlineNs);
}

void Expectations::deletion_sent(std::string_view uid) {
  const auto found = deletions_.find(uid);
  if (found == deletions_.end() || found->second.sent) return;
  found->second.sent = true;
  ++sent_;
}

void Expectations::forget(Deletions::iterator deletion) {
  if (deletion->second.sent) --sent_;
  deletions_.erase(deletion);
}

std::size_t Expectations::deletions_sent_besides(std::string_view uid) const {
  const auto found = deletions_.find(uid);
  return sent_ - (found != deletions_.end() && found->second.sent ? 1 : 0);
}

void Expectations::saw_pod(std::string_view uid) {
  const auto found = awaited_.find(uid);
  if (found != awaited_.end()) awaited_.erase(found);
}

void Expectations::saw_pod_leave(std::string_view uid) {
  saw_pod(uid);
  const auto found = deletions_.find(uid);
  if (found != deletions_.end()) forget(found);
}

bool Expectations::saw_pods_leave(const std::set<std::string>& uids) {
  const std::size_t before = deletions_.size();
  for (auto each = deletions_.begin(); each != deletions_.end();) {
    const auto deletion = each++;
    if (uids.contains(deletion->first)) saw_pod_leave(std::string(deletion->first));
  }
  return deletions_.size() < before;
}

// A pod that was created and deleted again may never show up in the cache.
void Expectations::saw_all_up_to(model::Revision revision) {
  std::erase_if(awaited_, [&](const auto& awaited) {
    return awaited.second != 0 && awaited.second <= revision;
  });
}

model::Revision Expectations::awaited_up_to() const {
  model::Revision last = 0;
  for (const auto& [uid, revision] : awaited_) last = std::max(last, revision);
  return last;
}

bool Expectations::satisfied() const {
  return creations_ == 0 && unknown_creations_ == 0 && pointless_creations_ == 0 &&
         awaited_.empty() && deletions_.empty();
}

bool Expectations::expects_deletion_of(std::string_view uid) const {
  return deletions_.find(uid) != deletions_.end();
}

bool Expectations::missed_deletion_of(std::string_view uid) const {
  const auto found = deletions_.find(uid);
  return found != deletions_.end() && found->second.state == Deletion::State::kMissed;
}

bool Expectations::anything_in_flight() const {
  return creations_ > 0 || std::any_of(deletions_.begin(), deletions_.end(), [](const auto& one) {
           return one.second.state == Deletion::State::kInFlight;
         });
}

bool Expectations::expired(Now now) const {
  return !satisfied() && elapsed_ns(since_, now.mono) >= kExpectationsLastNs;
}

Timestamp Expectations::list_at() const {
  if (listing_ || satisfied()) return {};
  bool in_doubt = unknown_creations_ > 0;
  Timestamp settled_at = creations_settled_at_;
  for (const auto& [uid, deletion] : deletions_) {
    in_doubt = in_doubt || deletion.state == Deletion::State::kGivenUp ||
               deletion.state == Deletion::State::kMissed;
    settled_at = std::max(settled_at, deletion.settled_at);
  }
  const Timestamp due = in_doubt ? settled_at : later_by(since_, kExpectationsLastNs);
  return std::max(due, list_not_before_);
}

Timestamp Expectations::next_step() const {
  if (satisfied()) return {};
  Timestamp next;
  for (const auto& [uid, deletion] : deletions_) {
    if (deletion.state == Deletion::State::kUnknown) next = sooner(next, deletion.next_try);
  }
  return anything_in_flight() ? next : sooner(next, list_at());
}

bool Expectations::has_repeats(Now now) const {
  return std::any_of(deletions_.begin(), deletions_.end(), [&](const auto& one) {
    return one.second.state == Deletion::State::kUnknown && one.second.next_try <= now.mono;
  });
}

std::vector<PodName> Expectations::take_repeats(Now now) {
  std::vector<PodName> due;
  for (auto& [uid, deletion] : deletions_) {
    if (deletion.state != Deletion::State::kUnknown || deletion.next_try > now.mono) continue;
    deletion.state = Deletion::State::kInFlight;
    due.push_back({deletion.name, uid});
  }
  return due;
}

void Expectations::give_up_repeating() {
  for (auto& [uid, deletion] : deletions_) {
    if (deletion.state == Deletion::State::kUnknown) deletion.state = Deletion::State::kGivenUp;
  }
}

bool Expectations::wants_list(Now now) const {
  if (anything_in_flight()) return false;
  const Timestamp due = list_at();
  return !due.is_zero() && due <= now.mono;
}

std::uint64_t Expectations::list_sent(Now now) {
  listing_ = true;
  listed_at_ = now.mono;
  return list_id_;
}

void Expectations::list_failed(std::uint64_t list_id, Now now) {
  if (list_id != list_id_) return;
  listing_ = false;
  list_not_before_ = later_by(now.mono, retry_delay_ns(list_failures_++));
}

bool Expectations::listed(std::uint64_t list_id, const LivePods& pods, const PodPredicate& known,
                          const PodPredicate& counted, Now now) {
  if (list_id != list_id_) return false;
  listing_ = false;
  list_failures_ = 0;
  list_not_before_ = {};
  unknown_creations_ = 0;
  pointless_creations_ = 0;
  awaited_.clear();
  std::map<std::string_view, const LivePod*> alive;
  for (const LivePod& pod : pods.pods) {
    if (pod.deleting) continue;
    alive.emplace(pod.uid, &pod);
    // A pod that the cache has shown counts as seen, even if it is gone again.
    if (!known(pod.name, pod.uid)) awaited_.emplace(pod.uid, pods.revision);
  }
  // Writes that may have landed after the list stay open.
  const auto is_settled = [&](const Deletion& deletion) {
    return deletion.state != Deletion::State::kInFlight && deletion.settled_at <= listed_at_;
  };
  for (auto one = deletions_.begin(); one != deletions_.end();) {
    const auto here = one++;
    const auto& [uid, deletion] = *here;
    if (!is_settled(deletion)) continue;
    if (alive.contains(uid) || !counted(deletion.name, uid)) forget(here);
  }
  for (auto& [uid, deletion] : deletions_) {
    if (is_settled(deletion)) deletion.state = Deletion::State::kGranted;
  }
  since_ = now.mono;
  return true;
}

}  // namespace ebb::control
