#include "control/ranker/group_cost_writer.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "ranking/publication.h"

namespace ebb::control {
namespace {

// By then the cache shows the write, or the write was overtaken and never will be shown.
constexpr Nanoseconds kRequeueAfterNs = 5 * kNanosecondsPerSecond;
// How many names of removed pods a PodGroupCost may contain in addition to those of existing pods.
constexpr std::size_t kMaxDeadNames = 64;

std::optional<std::int32_t> cost_of(const GroupCost* cost, std::string_view pod) {
  if (cost == nullptr) return std::nullopt;
  const auto found = std::lower_bound(
      cost->costs.begin(), cost->costs.end(), pod,
      [](const GroupCost::Entry& entry, std::string_view name) { return entry.pod.view() < name; });
  if (found == cost->costs.end() || found->pod.view() != pod) return std::nullopt;
  return found->cost;
}

struct Difference {
  CostChanges changes{};
  bool matters = false;
};

Difference compare(const GroupCost* cost, ranking::Pods pods, const ranking::Ranks& ranks) {
  std::vector<std::optional<std::int32_t>> published;
  published.reserve(pods.size());
  for (const Pod* pod : pods) published.push_back(cost_of(cost, pod->name.view()));
  const std::vector<std::int32_t> values = ranking::settle_values(ranks, published);
  Difference difference;
  std::size_t found = 0;
  for (std::size_t i = 0; i < pods.size(); ++i) {
    if (published[i]) ++found;
    if (published[i] == values[i]) continue;
    difference.changes.emplace(pods[i]->name.view(), values[i]);
    // Pods without a node go first, whatever their rank.
    difference.matters = difference.matters || published[i] || !pods[i]->node.empty();
  }
  if (cost == nullptr || found == cost->costs.size()) return difference;
  const std::size_t dead = cost->costs.size() - found;
  difference.matters = difference.matters || dead > pods.size() + kMaxDeadNames;
  if (!difference.matters) return difference;
  std::vector<std::string_view> names;
  names.reserve(pods.size());
  for (const Pod* pod : pods) names.push_back(pod->name.view());
  std::sort(names.begin(), names.end());
  for (const GroupCost::Entry& entry : cost->costs) {
    if (std::binary_search(names.begin(), names.end(), entry.pod.view())) continue;
    difference.changes.emplace(entry.pod.view(), std::nullopt);
  }
  return difference;
}

}  // namespace

bool GroupCostWriter::may_write(const Key& group, const GroupCost* cost, Now now, Plan& plan) {
  const auto known = writes_.find(group);
  if (known == writes_.end()) return true;
  const RankWrite& write = known->second.write;
  if (cost != nullptr && cost->uid == known->second.deleted) {
    plan.again = later_by(now.mono, kRequeueAfterNs);
    return false;
  }
  // The created object is not in the cache: not yet, or not any more.
  const model::Revision shown =
      cost != nullptr ? cost->revision_seen : context_.store.seen(Resource::kGroupCosts);
  if (write.over(shown)) return true;
  if (write.in_flight()) return false;
  if (write.unseen(shown)) {
    plan.again = later_by(now.mono, kRequeueAfterNs);
    return false;
  }
  if (write.waits(now)) plan.again = write.not_before();
  return !write.waits(now);
}

void GroupCostWriter::send(const Key& group, model::ApiRequest request, Sent sent, Plan& plan) {
  plan.starved = !slots_.any();
  if (plan.starved) return;
  plan.wrote = true;
  slots_.take();
  writes_[group].write.begin();
  sent.group = group;
  sent_.emplace(context_.sink.send(Call::Kind::kPatientWrite, std::move(request)), std::move(sent));
}

GroupCostWriter::Plan GroupCostWriter::publish(const ReplicaSet& set, ranking::Pods pods,
                                               const ranking::Ranks& ranks, bool recompute,
                                               Now now) {
  Plan plan;
  const Key key{.namespace_name = std::string(set.namespace_name.view()),
                .name = std::string(set.name.view())};
  const GroupCost* const cost = context_.store.group_cost(key.namespace_name, key.name);
  plan.foreign = cost != nullptr && !is_rankers(*cost);
  if (plan.foreign || !may_write(key, cost, now, plan)) return plan;
  if (cost != nullptr && cost->owner_uid != set.uid) {
    // It belongs to an earlier ReplicaSet of the same name.
    send(key, delete_group_cost(*cost), {.deletes = cost->uid}, plan);
    return plan;
  }
  const Difference difference = compare(cost, pods, ranks);
  GroupCostStatus status{.pod_set_hash = ranking::pod_set_hash(pods), .recompute = recompute};
  if (cost == nullptr) {
    if (difference.matters) {
      send(key, create_group_cost(set, difference.changes),
           {.status = std::move(status), .spec = true, .creates = true}, plan);
    }
  } else if (difference.matters) {
    send(key, patch_group_cost(*cost, difference.changes),
         {.status = std::move(status), .spec = true}, plan);
  } else if (cost->observed_generation != cost->generation || cost->recompute != recompute ||
             (recompute && cost->pod_set_hash.view() != status.pod_set_hash)) {
    status.generation = cost->generation;
    const auto known = writes_.find(key);
    if (known != writes_.end() && known->second.written_status == status &&
        known->second.written_at == cost->revision_seen) {
      return plan;
    }
    auto request =
        patch_group_cost_status(key.namespace_name, key.name, cost->revision_seen, status);
    send(key, std::move(request), {.status = std::move(status)}, plan);
  }
  return plan;
}

GroupCostWriter::Plan GroupCostWriter::withdraw(const Key& group, Now now) {
  Plan plan;
  const GroupCost* const cost = context_.store.group_cost(group.namespace_name, group.name);
  if (cost == nullptr || !is_rankers(*cost)) {
    const auto known = writes_.find(group);
    if (known != writes_.end() && !known->second.write.in_flight()) writes_.erase(known);
    return plan;
  }
  if (may_write(group, cost, now, plan)) {
    send(group, delete_group_cost(*cost), {.deletes = cost->uid}, plan);
  }
  return plan;
}

std::optional<RankWriteResult> GroupCostWriter::answered(CallId id, const Answer& answer, Now now) {
  auto found = sent_.extract(id);
  if (found.empty()) return std::nullopt;
  Sent sent = std::move(found.mapped());
  slots_.give_back();
  RankWriteResult end{.group = sent.group};
  Slot& slot = writes_[sent.group];
  RankWrite& write = slot.write;
  if (answer.succeeded()) {
    write.succeeded(answer);
    slot.deleted = sent.deletes;
    end.requeue = sent.deletes.empty();
    context_.telemetry.count(Count::kRankWrites,
                             sent.deletes.empty() ? "PodGroupCost" : "withdrawn");
    const auto written = read_written(answer);
    if (!sent.spec) {
      slot.written_status = std::move(sent.status);
      slot.written_at = written ? written->revision : 0;
    } else if (written) {
      // The status follows at once, in the slot of the spec.
      sent.status->generation = generation_of(answer);
      auto request = patch_group_cost_status(sent.group.namespace_name, sent.group.name,
                                             written->revision, *sent.status);
      Plan plan;
      send(sent.group, std::move(request), {.status = std::move(sent.status)}, plan);
    }
  } else if (answer.outcome == Answer::Outcome::kNotSent) {
    write.dropped();
    end.requeue_after_ns = kNotSentAgainNs;
  } else {
    write.failed(now);
    end.requeue_after_ns = elapsed_ns(now.mono, write.not_before());
    // For a request that needs no existing object, a 404 means that the kind itself is unknown.
    const bool moved_on =
        object_has_moved_on(answer) && !(sent.creates && answer.response.code == 404);
    if (!moved_on && !answer.unknown()) end.refusal = error_text(answer);
  }
  return end;
}

}  // namespace ebb::control
