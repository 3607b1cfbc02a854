#include "control/ranker/pod_rank_writer.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "control/cache/rank_carriers.h"
#include "model/records/scale_down_mark.h"
#include "ranking/publication.h"
#include "ranking/write_order.h"

namespace ebb::control {

using ranking::Publish;

namespace {

constexpr Nanoseconds kTryFieldAgainNs = 3600 * kNanosecondsPerSecond;

// A pod without a deletion cost has cost 0. Ranks count only if every pod has one.
ranking::Unwritten unwritten(Publish publish) {
  return publish == Publish::kPodDeletionCost ? ranking::Unwritten::kZero
                                              : ranking::Unwritten::kNone;
}

}  // namespace

// Drops state that is no longer needed, including that of removed pods.
PodRankWriter::Group& PodRankWriter::refresh(const Key& key, ranking::Pods pods) {
  Group& group = groups_[key];
  group.wanted.clear();
  std::map<std::string, Written, std::less<>> kept;
  if (!group.pods.empty()) {
    for (const Pod* pod : pods) {
      const auto known = group.pods.find(pod->uid.view());
      if (known == group.pods.end() || known->second.write.over(pod->revision)) continue;
      kept.insert(group.pods.extract(known));
    }
  }
  for (const auto& [uid, written] : group.pods) {
    if (written.write.in_flight()) kept.emplace(uid, written);
  }
  group.pods = std::move(kept);
  return group;
}

struct PodRankWriter::Survey {
  std::vector<std::optional<std::int32_t>> published;
  std::vector<bool> settled;  // nothing has to be written there now
};

// The values on the pods, including those in flight. A companion next to another client's value has
// to be removed.
PodRankWriter::Survey PodRankWriter::survey(Group& group, Publish publish, ranking::Pods pods,
                                            Now now, Plan& plan) {
  Survey found{std::vector<std::optional<std::int32_t>>(pods.size()),
               std::vector<bool>(pods.size())};
  for (std::size_t i = 0; i < pods.size(); ++i) {
    const Pod& pod = *pods[i];
    const RankOnPod on_pod = rank_on_pod(pod, publish);
    const auto known = group.pods.find(pod.uid.view());
    const bool is_known = known != group.pods.end();
    const bool unseen = is_known && known->second.write.unseen(pod.revision);
    const bool waits = is_known && !unseen && known->second.write.waits(now);
    found.published[i] = on_pod.rank;
    const bool is_marked = model::has_marked_cost(pod);
    found.settled[i] = unseen || waits || on_pod.foreign || is_marked;
    if (on_pod.foreign) {
      ++plan.foreign;
    } else if (unseen) {
      found.published[i] = known->second.rank;
    }
    if (waits) plan.again = sooner(plan.again, known->second.write.not_before());
    if (on_pod.foreign && carries_ours(pod) && !unseen && !waits && !is_marked) {
      group.wanted.push_back({.pod = std::string(pod.name.view()),
                              .uid = std::string(pod.uid.view()),
                              .kept = publish});
    }
  }
  return found;
}

PodRankWriter::Plan PodRankWriter::publish(const Key& key, Publish publish, ranking::Pods pods,
                                           const ranking::Ranks& ranks, Now now) {
  Plan plan;
  if (publish == Publish::kStatusField && field_ == StatusField::kMissing) {
    field_ = StatusField::kUntried;
  }
  Group& group = refresh(key, pods);
  const Survey found = survey(group, publish, pods, now, plan);
  const std::vector<std::int32_t> values = ranking::settle_values(ranks, found.published);
  const auto want = [&](std::size_t i) {
    const Pod& pod = *pods[i];
    if (found.settled[i] || pod.node.empty()) return;
    group.wanted.push_back({.pod = std::string(pod.name.view()),
                            .uid = std::string(pod.uid.view()),
                            .publish = publish,
                            .rank = values[i]});
  };
  for (const std::size_t i : ranking::write_order(values, found.published, unwritten(publish)))
    want(i);
  for (std::size_t i = 0; i < pods.size(); ++i) {
    if (found.published[i] == values[i] && carries_ours_elsewhere(*pods[i], publish)) want(i);
  }
  plan.writes = group.wanted.size();
  enqueue(key, group);
  return plan;
}

PodRankWriter::Plan PodRankWriter::withdraw(const Key& key, ranking::Pods pods, Now now) {
  Plan plan;
  Group& group = refresh(key, pods);
  // Remaining deletion costs decide before everything else, so the pods that go first keep theirs
  // longest.
  std::vector<const Pod*> lowest_first(pods.begin(), pods.end());
  std::erase_if(lowest_first,
                [](const Pod* pod) { return !carries_ours(*pod) || model::has_marked_cost(*pod); });
  std::stable_sort(lowest_first.begin(), lowest_first.end(), [](const Pod* a, const Pod* b) {
    return rank_on_pod(*a, Publish::kPodDeletionCost).rank <
           rank_on_pod(*b, Publish::kPodDeletionCost).rank;
  });
  for (const Pod* pod : lowest_first) {
    const auto known = group.pods.find(pod->uid.view());
    if (known != group.pods.end() && known->second.write.unseen(pod->revision)) continue;
    if (known != group.pods.end() && known->second.write.waits(now)) {
      plan.again = sooner(plan.again, known->second.write.not_before());
      continue;
    }
    group.wanted.push_back(
        {.pod = std::string(pod->name.view()), .uid = std::string(pod->uid.view())});
  }
  plan.writes = group.wanted.size();
  enqueue(key, group);
  if (group.pods.empty() && group.wanted.empty()) groups_.erase(key);
  return plan;
}

void PodRankWriter::forget(const Key& key) {
  const auto found = groups_.find(key);
  if (found == groups_.end()) return;
  found->second.wanted.clear();
  std::erase_if(found->second.pods, [](const auto& one) { return !one.second.write.in_flight(); });
  if (found->second.pods.empty()) groups_.erase(found);
}

void PodRankWriter::enqueue(const Key& key, Group& group) {
  if (group.wanted.empty() || group.queued) return;
  group.queued = true;
  queue_.push_back(key);
}

void PodRankWriter::send() {
  std::size_t in_vain = 0;  // consecutive groups that wait for something other than a slot
  while (slots_.any() && in_vain < queue_.size()) {
    const Key key = std::move(queue_.front());
    queue_.pop_front();
    const auto found = groups_.find(key);
    if (found == groups_.end()) continue;
    Group& group = found->second;
    if (!group.wanted.empty()) in_vain = send_one(key, group) ? 0 : in_vain + 1;
    group.queued = !group.wanted.empty();
    if (group.queued) queue_.push_back(key);
  }
}

bool PodRankWriter::send_one(const Key& key, Group& group) {
  const bool to_status = group.wanted.front().publish == Publish::kStatusField;
  // One pod is used to test whether the server knows the field.
  if (to_status && field_ == StatusField::kTried) return false;
  const Wanted wanted = std::move(group.wanted.front());
  group.wanted.pop_front();
  if (to_status && field_ == StatusField::kMissing) return true;
  const Pod* const pod = context_.store.pod(key.namespace_name, wanted.pod);
  if (pod == nullptr || pod->uid.view() != wanted.uid || pod->deleting) return true;
  // The webhook's cost stays until the webhook puts the value before it back.
  if (model::has_marked_cost(*pod)) return true;
  // Another client may have set a value while this one waited.
  if (wanted.publish && rank_on_pod(*pod, *wanted.publish).foreign) return true;
  if (to_status && field_ == StatusField::kUntried) field_ = StatusField::kTried;
  const CallId id =
      context_.sink.send(Call::Kind::kPatientWrite,
                         wanted.publish ? publish_request(*pod, *wanted.publish, wanted.rank)
                                        : withdraw_request(*pod, wanted.kept));
  slots_.take();
  Written& written = group.pods[wanted.uid];
  written.write.begin();
  written.rank = wanted.publish ? std::optional(wanted.rank) : std::nullopt;
  sent_.emplace(id, Sent{.group = key, .wanted = wanted, .made_from = pod->revision});
  return true;
}

// A write made from an older state of the pod would be refused.
bool PodRankWriter::wants(CallId id) const {
  const auto found = sent_.find(id);
  if (found == sent_.end()) return true;
  const Sent& sent = found->second;
  const Pod* const pod = context_.store.pod(sent.group.namespace_name, sent.wanted.pod);
  return pod != nullptr && pod->uid.view() == sent.wanted.uid && pod->revision == sent.made_from;
}

void PodRankWriter::learn_of_status_field(const Sent& sent, const Answer& answer, Now now) {
  if (sent.wanted.publish != Publish::kStatusField) return;
  if (answer.succeeded()) {
    field_was_missing_ = !carries_status_rank(answer.response.body.str());
    field_ = field_was_missing_ ? StatusField::kMissing : StatusField::kThere;
    try_field_again_ = later_by(now.mono, kTryFieldAgainNs);
  } else if (field_ == StatusField::kTried) {
    field_ = StatusField::kUntried;
  }
}

std::optional<RankWriteResult> PodRankWriter::answered(CallId id, const Answer& answer, Now now) {
  auto found = sent_.extract(id);
  if (found.empty()) return std::nullopt;
  const Sent sent = std::move(found.mapped());
  slots_.give_back();
  learn_of_status_field(sent, answer, now);
  RankWriteResult end{.group = sent.group};
  Group& group = groups_[sent.group];
  Written& written = group.pods[sent.wanted.uid];
  if (answer.succeeded()) {
    written.write.succeeded(answer);
    // The cache may show it already, and then nothing else wakes the group.
    end.requeue = sent.wanted.publish.has_value();
    context_.telemetry.count(Count::kRankWrites,
                             sent.wanted.publish ? to_string(*sent.wanted.publish) : "withdrawn");
  } else if (answer.outcome == Answer::Outcome::kNotSent) {
    group.pods.erase(sent.wanted.uid);
    end.requeue_after_ns = kNotSentAgainNs;
  } else {
    written.write.failed(now);
    end.requeue_after_ns = elapsed_ns(now.mono, written.write.not_before());
    if (!object_has_moved_on(answer) && !answer.unknown()) end.refusal = error_text(answer);
  }
  return end;
}

}  // namespace ebb::control
