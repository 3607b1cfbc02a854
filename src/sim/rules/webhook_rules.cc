#include "sim/rules/webhook_rules.h"

#include <algorithm>

#include <fmt/format.h>

#include "control/controller/webhook_settings.h"
#include "control/policy/picker_choice.h"
#include "model/records/deletion_cost.h"
#include "model/records/scale_down_mark.h"
#include "schema/core/json.h"
#include "sim/core/objects.h"

namespace ebb::sim {
namespace {

using schema::text_at;

const control::WebhookSettings kSettings;
constexpr std::size_t kMaxTryAgainPerSecond = 5;
// A decision is known to the replica that made it before its first mark is written, and to the
// others a moment later.
constexpr Nanoseconds kMoment = 100 * kMillisecond;
// The delete of a pod that an earlier decision chose may have been reviewed before the newer one.
constexpr Nanoseconds kOvertaken = kSecond;

bool is_ready(const boost::json::object& pod) {
  const boost::json::array* const conditions = schema::array_at(pod, {"status", "conditions"});
  if (conditions == nullptr) return false;
  return std::any_of(conditions->begin(), conditions->end(), [](const boost::json::value& each) {
    return each.is_object() && text_at(each.get_object(), {"type"}) == "Ready" &&
           text_at(each.get_object(), {"status"}) == "True";
  });
}

std::string_view decision_of(std::string_view mark) {
  const auto parsed = model::parse_mark(mark);
  return parsed ? parsed->decision : std::string_view();
}

// Decisions that two replicas made at the same time have the same cost, and count as one.
bool has_cost(std::string_view mark, std::int32_t cost) {
  const auto parsed = model::parse_mark(mark);
  return parsed && parsed->cost == cost;
}

}  // namespace

void WebhookRules::apply(const model::ObjectEvent& event, std::string_view user) {
  if (event.kind->name != "Pod") return;
  const boost::json::object& object = *event.object;
  const std::string uid(text_at(object, {"metadata", "uid"}));
  PodCost& pod = pods_[uid];
  const bool is_new = pod.name.empty();
  const PodCost before = pod;
  const bool gone = event.type == model::ObjectEvent::Type::kDeleted;
  pod.name = text_at(object, {"metadata", "name"});
  pod.cost = annotation(object, model::kDeletionCostAnnotation);
  pod.mark = annotation(object, model::kScaleDownAnnotation);
  pod.deleting = gone || !text_at(object, {"metadata", "deletionTimestamp"}).empty();
  const PodTruth* const truth = truth_.pod(uid);
  if (truth != nullptr) pod.set_uid = truth->controller;
  if (is_new || (pod.cost != before.cost && !ebb_writes_)) pod.expected = pod.cost;
  if (const auto mark = model::parse_mark(pod.mark); mark && pod.mark != before.mark) {
    add_decision(pod.set_uid, *mark);
  }
  if (pod.deleting && !before.deleting && user == kStockReplicaSets) check_choice(before, uid);
  if (gone) pods_.erase(uid);
}

// Stock controllers must be able to tell it from earlier ones whose marks are left.
void WebhookRules::add_decision(const std::string& set_uid, const model::ScaleDownMark& mark) {
  auto& decisions = decisions_[set_uid];
  const std::string id(mark.decision);
  if (decisions.contains(id)) return;
  for (const auto& [other, made] : decisions) {
    if (!demands_choice_ || made.cost > mark.cost) continue;
    if (elapsed_ns(made.first_marked, time_.now()) < kMoment) continue;  // not seen yet
    invariants_.violate("costs", fmt::format("decision {} has the cost {}, which is not below {} "
                                             "of the earlier {}",
                                             id, mark.cost, made.cost, other));
  }
  decisions.emplace(
      id, Made{.id = id, .size = mark.size, .cost = mark.cost, .first_marked = time_.now()});
}

const WebhookRules::Made* WebhookRules::newest(const std::string& set_uid) const {
  const auto found = decisions_.find(set_uid);
  if (found == decisions_.end()) return nullptr;
  const Made* last = nullptr;
  for (const auto& [id, made] : found->second) {
    if (last == nullptr || made.first_marked > last->first_marked) last = &made;
  }
  return last;
}

bool WebhookRules::has_active_policy(const SetTruth& set) const {
  control::Store store;
  inventory_.fill(store);
  const control::ReplicaSet* const record = store.replica_set(set.namespace_name, set.name);
  if (record == nullptr) return false;
  const control::Policy* const policy = control::policy_for(*record, store);
  return policy != nullptr && !policy->shadow;
}

// The stock controller deletes this pod.
void WebhookRules::check_choice(const PodCost& pod, const std::string& uid) {
  if (!demands_choice_) return;
  const PodTruth* const truth = truth_.pod(uid);
  const SetTruth* const set = truth == nullptr ? nullptr : truth_.set(truth->controller);
  const Made* const made = set == nullptr ? nullptr : newest(set->uid);
  if (made == nullptr || has_cost(pod.mark, made->cost)) return;
  // Another replica may have allowed the last pod that could be spared a moment ago.
  const Timestamp last_other = std::exchange(last_others_[set->uid], time_.now());
  if (!last_other.is_zero() && elapsed_ns(last_other, time_.now()) < kMoment) return;
  const Nanoseconds age = elapsed_ns(made->first_marked, time_.now());
  if (age < kMoment || age > kSettings.fence_window_ns - kMoment) return;
  if (!truth_.counts(*truth, *set) || !truth->ready) return;
  if (!pod.mark.empty() && age < kOvertaken) return;
  std::int64_t others = 0;
  std::int64_t chosen = 0;
  for (const PodTruth* each : truth_.pods_of(*set)) {
    const auto found = pods_.find(each->uid);
    const bool is_chosen = found != pods_.end() && has_cost(found->second.mark, made->cost);
    ++(is_chosen ? chosen : others);
  }
  const std::int64_t left = std::min<std::int64_t>(set->replicas, made->size);
  if (chosen == 0 || left <= 0 || others > left || !has_active_policy(*set)) return;
  for (const auto& [replica, state] : replicas_) {
    if (elapsed_ns(state.since, made->first_marked) < 2 * kSecond) return;  // not ready yet
  }
  invariants_.violate(
      "choice", fmt::format("{} goes, which decision {} did not choose, {} ms after it; {} chosen "
                            "pods and {} others are left, and {} are wanted",
                            pod.name, made->id, age / kMillisecond, chosen, others, left));
}

void WebhookRules::judged(const Verdict& verdict) {
  Replica& replica = replicas_[&verdict.by];
  const Nanoseconds took = elapsed_ns(verdict.begun, time_.now());
  if (took > kSettings.budget_ns + kMoment && !replica.disturbed) {
    return invariants_.violate(
        "I5", fmt::format("a review was answered after {} ms", took / kMillisecond));
  }
  if (schema::is_true_at(verdict.response, {"allowed"})) return;
  const std::string_view message = text_at(verdict.response, {"status", "message"});
  if (text_at(verdict.request, {"operation"}) != "DELETE") {
    return check_refused_resize(verdict.request, replica);
  }
  constexpr std::string_view kBefore = "scale-down ";
  const std::size_t begin = message.find(kBefore);
  const std::string_view decision =
      begin == std::string_view::npos
          ? std::string_view()
          : message.substr(begin + kBefore.size(), message.find(';') - begin - kBefore.size());
  check_refused_delete(verdict.request, decision, replica);
}

void WebhookRules::check_refused_delete(const boost::json::object& request,
                                        std::string_view decision, Replica& replica) {
  const auto wrong = [&](std::string_view why) {
    invariants_.violate("fence", fmt::format("the delete of {} is refused for {}: {}",
                                             text_at(request, {"name"}), decision, why));
  };
  const boost::json::object* const pod = schema::object_at(request, {"oldObject"});
  if (text_at(request, {"userInfo", "username"}) != kStockReplicaSets) {
    return wrong("it is not one of a stock controller");
  }
  if (pod == nullptr || !is_ready(*pod)) return wrong("the pod is not ready");
  if (decision_of(annotation(*pod, model::kScaleDownAnnotation)) == decision) {
    return wrong("the pod was chosen");
  }
  const auto [first, is_first] =
      replica.first_refusals.try_emplace(std::string(decision), time_.now());
  if (elapsed_ns(first->second, time_.now()) > kSettings.fence_window_ns) {
    return wrong("the window is over");
  }
}

void WebhookRules::check_refused_resize(const boost::json::object& request, Replica& replica) {
  constexpr std::string_view kDesired = "deployment.kubernetes.io/desired-replicas";
  const boost::json::object* const before = schema::object_at(request, {"oldObject"});
  const boost::json::object* const after = schema::object_at(request, {"object"});
  const bool is_scaling = before != nullptr && after != nullptr &&
                          annotation(*before, kDesired) != annotation(*after, kDesired);
  if (text_at(request, {"userInfo", "username"}) != kStockDeployments ||
      !text_at(request, {"subResource"}).empty() || !is_scaling) {
    return invariants_.violate("I5", "a resize that must never be refused is refused");
  }
  auto& last = replica.try_again;
  last.push_back(time_.now());
  while (elapsed_ns(last.front(), time_.now()) >= kSecond) last.pop_front();
  if (last.size() <= kMaxTryAgainPerSecond) return;
  invariants_.violate("I5", fmt::format("{} resizes are refused within a second", last.size()));
}

void WebhookRules::check_request(const picker::Call& call) {
  invariants_.check_secrets(*call.body, "the body of a picker request");
}

std::string WebhookRules::unsettled() const {
  for (const auto& [uid, pod] : pods_) {
    if (pod.deleting) continue;
    if (!pod.mark.empty()) return fmt::format("pod {} is still marked: {}", pod.name, pod.mark);
    if (pod.cost != pod.expected) {
      return fmt::format("pod {} has the deletion cost \"{}\" instead of \"{}\"", pod.name,
                         pod.cost, pod.expected);
    }
  }
  return {};
}

}  // namespace ebb::sim
