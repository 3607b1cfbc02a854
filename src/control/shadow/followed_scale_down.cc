#include "control/shadow/followed_scale_down.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "control/cache/pool_compaction.h"
#include "order/lineup.h"
#include "order/reason.h"

namespace ebb::control::shadow {

FollowedScaleDown::FollowedScaleDown(const ReplicaSet& set, model::Revision revision,
                                     std::int32_t to, Now now)
    : set_(set), revision_(revision), began_(now) {
  PoolCompaction(pool_).move(set_);
  set_.replicas = std::max(to, 0);
}

void FollowedScaleDown::saw(const Pod& pod) {
  const auto known = pods_.find(pod.uid.view());
  if (known == pods_.end()) {
    // Another scale-down follows, and this pod came after it began.
    if (ended() && (pod.revision == 0 || pod.revision >= end_revision_)) return;
    pods_.emplace(std::string(pod.uid.view()),
                  Candidate{.pod = copy_active(pod, pool_), .seen = pod.revision});
    return;
  }
  Candidate& candidate = known->second;
  candidate.seen = std::max(candidate.seen, pod.revision);
  // The watch of pods was behind; later states did not influence the acting controller.
  const bool counts = pod.revision != 0 && pod.revision <= revision_;
  if (counts && !candidate.left) candidate.pod = copy_active(pod, pool_);
}

void FollowedScaleDown::saw_leave(const Pod& last, model::Revision revision, bool deleted) {
  const auto known = pods_.find(last.uid.view());
  if (known == pods_.end() || known->second.left) return;
  Candidate& candidate = known->second;
  // After a new list, the last state is the one that was known, and not that of the deletion.
  const bool unknown = revision <= candidate.seen;
  candidate.left = Candidate::Left{
      .revision = unknown ? 0 : revision, .deleted = deleted, .number = departures_++};
}

void FollowedScaleDown::add_departure(const Departure& departure) {
  Candidate candidate{.pod = copy_active(departure.pod, pool_), .seen = departure.pod.revision};
  candidate.left = Candidate::Left{
      .revision = departure.revision, .deleted = departure.deleted, .number = departures_++};
  if (left_before(*candidate.left)) return;
  pods_.emplace(std::string(departure.pod.uid.view()), candidate);
}

void FollowedScaleDown::end_at(model::Revision revision, Timestamp mono) {
  if (ended()) return;
  end_revision_ = revision;
  ended_at_ = mono;
}

bool FollowedScaleDown::left_before(const Candidate::Left& left) const {
  return left.revision != 0 && revision_ != 0 && left.revision <= revision_;
}

bool FollowedScaleDown::left_after(const Candidate::Left& left) const {
  return ended() && left.revision != 0 && end_revision_ != 0 && left.revision >= end_revision_;
}

// Pods that finished or were released meanwhile need not be removed.
bool FollowedScaleDown::belongs(const Candidate& candidate) const {
  if (!candidate.left) return true;
  if (left_before(*candidate.left)) return false;
  return candidate.left->deleted || left_after(*candidate.left);
}

bool FollowedScaleDown::has_gone(const Candidate& candidate) const {
  return candidate.left && candidate.left->deleted && belongs(candidate) &&
         !left_after(*candidate.left);
}

std::vector<FollowedScaleDown::Candidate*> FollowedScaleDown::candidates() {
  std::vector<Candidate*> found;
  found.reserve(pods_.size());
  for (auto& [uid, candidate] : pods_) {
    if (belongs(candidate)) found.push_back(&candidate);
  }
  return found;
}

std::vector<const model::Pod*> FollowedScaleDown::pods() {
  std::vector<const model::Pod*> found;
  found.reserve(pods_.size());
  for (const Candidate* candidate : candidates()) found.push_back(&candidate->pod);
  return found;
}

std::size_t FollowedScaleDown::surplus() const {
  const auto there = static_cast<std::size_t>(std::count_if(
      pods_.begin(), pods_.end(), [this](const auto& entry) { return belongs(entry.second); }));
  const auto wanted = static_cast<std::size_t>(set_.replicas);
  return there > wanted ? there - wanted : 0;
}

std::size_t FollowedScaleDown::went() const {
  return static_cast<std::size_t>(std::count_if(
      pods_.begin(), pods_.end(), [this](const auto& entry) { return has_gone(entry.second); }));
}

std::vector<const FollowedScaleDown::Candidate*> FollowedScaleDown::removed() const {
  std::vector<const Candidate*> found;
  for (const auto& [uid, candidate] : pods_) {
    if (has_gone(candidate)) found.push_back(&candidate);
  }
  std::sort(found.begin(), found.end(), [](const Candidate* a, const Candidate* b) {
    return a->left->number < b->left->number;
  });
  return found;
}

model::Revision FollowedScaleDown::last_departure() const {
  model::Revision last = 0;
  for (const Candidate* candidate : removed()) last = std::max(last, candidate->left->revision);
  return last;
}

namespace {

using Candidate = FollowedScaleDown::Candidate;

// The advice for the pods that are candidates in the end.
Advice advice_for(const FollowedScaleDown::Influences& influences,
                  const std::vector<Candidate*>& candidates) {
  Advice advice{
      .ranks = influences.ranks, .waited_for_ranks_ns = 0, .picker_advice = influences.picker};
  advice.ranks.ranks.clear();
  advice.picker_advice.verdicts.clear();
  for (const Candidate* candidate : candidates) {
    if (influences.has_ranks) advice.ranks.ranks.push_back(candidate->rank);
    if (influences.has_verdicts) advice.picker_advice.verdicts.push_back(candidate->verdict);
  }
  return advice;
}

}  // namespace

Decision compare(FollowedScaleDown& down, model::FeatureGates gates, Decision::Actual::End end) {
  EBB_CHECK(down.influences.has_value());
  const std::vector<Candidate*> candidates = down.candidates();
  const std::vector<const model::Pod*> pods = down.pods();
  const std::size_t surplus = down.surplus();
  EBB_CHECK(surplus > 0 && surplus <= pods.size());
  Advice advice = advice_for(*down.influences, candidates);
  const Timestamp now = down.began().wall;
  order::NodeCounts co_located = down.influences->others;
  for (const model::Pod* pod : pods) ++co_located[pod->node];
  order::Lineup lineup = line_up(down.set(), pods, co_located, advice, gates, now);
  lineup.order_first(lineup.size());
  Decision decision = record_choice(down.set(), lineup, surplus, advice, gates, now);

  std::map<const model::Pod*, std::size_t> places;
  for (std::size_t place = 0; place < lineup.size(); ++place) {
    places.emplace(lineup[place].pod, place);
  }
  Decision::Actual& actual = decision.actual.emplace(Decision::Actual{});
  actual.end = end;
  std::set<std::string_view> gone;
  for (const Candidate* candidate : down.removed()) {
    const model::Pod& pod = candidate->pod;
    const std::size_t place = places.at(&pod);
    gone.insert(pod.uid.view());
    Decision::Actual::Removed& removed =
        actual.removed.emplace_back(Decision::Actual::Removed{.name = std::string(pod.name.view()),
                                                              .uid = std::string(pod.uid.view()),
                                                              .node = std::string(pod.node.view()),
                                                              .agreed = place < surplus});
    if (removed.agreed) continue;
    order::Reason reason = order::why_it_stays(lineup, place, surplus);
    removed.rule = reason.rule;
    removed.because = std::move(reason.because);
  }
  for (Decision::Victim& victim : decision.victims) {
    victim.spared = !gone.contains(victim.uid);
    victim.outcome = victim.spared ? "stayed" : "went";
  }
  return decision;
}

}  // namespace ebb::control::shadow
