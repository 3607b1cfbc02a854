#include "control/webhook/scale_down_reviews.h"

#include <algorithm>
#include <utility>

#include <boost/unordered/unordered_flat_set.hpp>
#include <fmt/format.h>

#include "base/check.h"
#include "base/deadline_queue.h"
#include "control/cache/rollout.h"
#include "control/core/claim.h"
#include "control/policy/picker_choice.h"
#include "control/webhook/webhook_cost.h"

namespace ebb::control {
namespace {

// Numbers of decisions start at different places in different processes, because their ids appear
// side by side on pods.
constexpr std::uint64_t kFirstNumbers = 100'000;

}  // namespace

ScaleDownReviews::ScaleDownReviews(const ControllerContext& context,
                                   const WebhookSettings& settings, const Safeguards& safeguards,
                                   Parts parts)
    : context_(context),
      settings_(settings),
      safeguards_(safeguards),
      parts_(parts),
      sessions_(context.sink, context.telemetry, context.pickers, context.seed),
      decided_(context.seed % kFirstNumbers) {}

const ReplicaSet* ScaleDownReviews::find_set(const Key& key, std::string_view uid) const {
  const ReplicaSet* const set = context_.store.replica_set(key.namespace_name, key.name);
  return set != nullptr && set->uid.view() == uid ? set : nullptr;
}

ScaleDownReviews::Asked ScaleDownReviews::ask(const ReplicaSet& set, std::int32_t size) const {
  Asked asked{.set = set};
  asked.set.replicas = size;
  std::vector<const Pod*> pods = context_.store.pods_of(set);
  const auto orphans = context_.store.orphans_in(set.namespace_name.view());
  pods.insert(pods.end(), orphans.begin(), orphans.end());
  asked.active = claim_pods(asked.set, pods).active;
  const auto wanted = static_cast<std::size_t>(std::max(size, 0));
  asked.surplus = asked.active.size() > wanted ? asked.active.size() - wanted : 0;
  return asked;
}

std::optional<std::string_view> ScaleDownReviews::why_not_by_policy(const ReplicaSet& set) const {
  const Policy* const policy = policy_for(set, context_.store);
  if (policy == nullptr) return "no policy";
  if (policy->shadow) return "shadow";
  return std::nullopt;
}

std::optional<std::string_view> ScaleDownReviews::why_not(const AdmissionReview& review,
                                                          const ReplicaSet* set) const {
  if (review.dry_run) return "dry run";
  if (review.resize->to >= review.resize->from) return "not smaller";
  if (set == nullptr) return "unknown";
  if (const auto reason = why_not_by_policy(*set)) return reason;
  if (set->deleting || set->selector.empty()) return "no surplus";
  if (context_.store.unread_pod_of(*set) != nullptr) return "not ready";
  return std::nullopt;
}

bool ScaleDownReviews::is_by_deployment(const AdmissionReview& review) const {
  const auto& users = settings_.controller_users;
  return !review.resize->by_scale &&
         std::find(users.begin(), users.end(), review.user) != users.end();
}

ScaleDownReviews::Waiting ScaleDownReviews::waiting_for(ReviewId id, const AdmissionReview& review,
                                                        const ReplicaSet& set, Now now) const {
  const Nanoseconds reserve = std::min(settings_.budget_ns / 4, kMaxWriteReserveNs);
  const bool by_deployment = is_by_deployment(review);
  return {.id = id,
          .deadline = later_by(now.mono, settings_.budget_ns),
          .pick_until = later_by(now.mono, settings_.budget_ns - reserve),
          .by_deployment = by_deployment,
          .may_refuse =
              by_deployment && review.resize->desired_changed && !is_rolling(set, context_.store)};
}

// After a quick scale-up the same size may need other victims.
bool ScaleDownReviews::still_suffices(const InProgress& one, const Asked& asked) const {
  boost::unordered_flat_set<std::string_view> victims;
  for (const PodName& victim : one.down.victims) victims.insert(victim.uid);
  const auto left = std::count_if(asked.active.begin(), asked.active.end(), [&](const Pod* pod) {
    return victims.contains(pod->uid.view());
  });
  return static_cast<std::size_t>(left) >= asked.surplus;
}

ScaleDownReviews::InProgress* ScaleDownReviews::shared_with(const SetId& id, std::int32_t size,
                                                            const Asked& asked, Now now) {
  for (auto& [number, one] : decisions_) {
    if (one.id != id) continue;
    if (one.phase == Phase::kPicking) return &one;
    if (one.size == size && now.mono < later_by(one.decided, kReuseNs) &&
        still_suffices(one, asked)) {
      return &one;
    }
  }
  return nullptr;
}

void ScaleDownReviews::review(ReviewId id, const AdmissionReview& review, Now now) {
  const ReviewedResize& resize = *review.resize;
  const Key key{.namespace_name = review.namespace_name, .name = review.name};
  const SetId set_id{.namespace_name = review.namespace_name, .uid = resize.set_uid};
  const ReplicaSet* const set = find_set(key, resize.set_uid);
  if (const auto reason = why_not(review, set)) return parts_.reviews.allow(id, *reason, now);
  if (resize.to <= 0) {
    parts_.known.forget(set_id);
    return parts_.reviews.allow(id, "all go", now);
  }
  const auto size = static_cast<std::int32_t>(resize.to);
  const Asked asked = ask(*set, size);
  if (asked.surplus == 0) return parts_.reviews.allow(id, "no surplus", now);

  InProgress* one = shared_with(set_id, size, asked, now);
  if (one != nullptr && one->phase == Phase::kWritten) {
    return parts_.reviews.allow(id, "reused", now);
  }
  Waiting waiting = waiting_for(id, review, *set, now);
  const bool is_rollout =
      is_rolling(*set, context_.store) || (waiting.by_deployment && !resize.desired_changed);
  const bool asks_picker =
      !is_rollout || (context_.pickers.during_rollouts && !waiting.by_deployment);
  Number number = next_;
  if (one == nullptr) {
    ++next_;
    one = &decisions_.emplace(number, InProgress{.key = key, .id = set_id, .size = size})
               .first->second;
  } else {
    number = std::find_if(decisions_.begin(), decisions_.end(), [one](const auto& each) {
               return &each.second == one;
             })->first;
  }
  one->waiting.push_back(waiting);
  if (one->phase != Phase::kPicking) return;
  one->asks_picker = one->asks_picker || asks_picker;
  // The smaller size decides for both: its victims include enough for the larger one.
  if (size < one->size || (one->waiting.size() == 1 && size != one->size)) {
    one->size = size;
    sessions_.drop(key);
  }
  advance(number, now);
}

std::optional<ScaleDownReviews::Asked> ScaleDownReviews::ask_again(Number number, Now now) {
  InProgress& one = decisions_.at(number);
  const auto give_up = [&](std::string_view outcome) {
    let_all_go(one, outcome, now);
    erase(number);
    return std::nullopt;
  };
  const ReplicaSet* const set = find_set(one.key, one.id.uid);
  if (set == nullptr || context_.store.mixed()) return give_up("not ready");
  if (const auto reason = why_not_by_policy(*set)) return give_up(*reason);
  Asked asked = ask(*set, one.size);
  if (asked.surplus == 0) return give_up("no surplus");
  return asked;
}

void ScaleDownReviews::advance(Number number, Now now) {
  const std::optional<Asked> still_asked = ask_again(number, now);
  if (!still_asked) return;
  const Asked& asked = *still_asked;
  InProgress& one = decisions_.at(number);
  RankAdvice ranks = advise_on_ranks(asked.set, asked.active, asked.surplus, context_.store,
                                     context_.gates, budget_);
  if (!one.asks_picker) {
    // Without ranks there is nothing to add to the order that is there.
    if (ranks.outcome != RankOutcome::kRanked) {
      let_all_go(one, "rollout", now);
      return erase(number);
    }
    return decide(number, asked, std::move(ranks), {.surplus = asked.surplus}, now);
  }
  PickerAdvice picker_advice =
      advise_on_picker(asked.set, asked.active, asked.surplus, context_, sessions_, now);
  if (picker_advice.awaited) return hold(number, now);
  decide(number, asked, std::move(ranks), std::move(picker_advice), now);
}

void ScaleDownReviews::hold(Number number, Now now) {
  InProgress& one = decisions_.at(number);
  for (Waiting& waiting : one.waiting) {
    if (waiting.by_deployment && !may_hold(waiting, now)) refuse_or_let_go(one, waiting, now);
  }
  remove_answered(one);
  if (one.waiting.empty() && one.keep_until.is_zero()) erase(number);
}

bool ScaleDownReviews::may_hold(Waiting& waiting, Now now) {
  if (waiting.has_place || now.mono < waiting.moment_until) return true;
  const bool had_moment = !std::exchange(waiting.moment_until, {}).is_zero();
  if (had_moment) limits_.give_back_moment();
  waiting.has_place = limits_.take_place();
  if (waiting.has_place) return true;
  if (had_moment) {
    limits_.count_vain(now);
    return false;
  }
  if (!limits_.take_moment(now)) return false;
  waiting.moment_until = later_by(now.mono, CallLimits::kMomentNs);
  return true;
}

void ScaleDownReviews::refuse_or_let_go(InProgress& one, Waiting& waiting, Now now) {
  if (waiting.may_refuse && limits_.may_refuse(now)) {
    one.keep_until = later_by(now.mono, kKeepNs);
    parts_.reviews.refuse(
        waiting.id,
        fmt::format("the pods of ReplicaSet {} that go are still being chosen; try again",
                    one.key.name),
        "refused", now);
    return end_waiting(waiting, {}, now);
  }
  context_.telemetry.count(Count::kWebhookDecisions, "busy");
  end_waiting(waiting, "busy", now);
}

void ScaleDownReviews::end_waiting(Waiting& waiting, std::string_view outcome, Now now) {
  if (!outcome.empty()) parts_.reviews.allow(waiting.id, outcome, now);
  if (std::exchange(waiting.has_place, false)) limits_.give_back();
  if (!std::exchange(waiting.moment_until, {}).is_zero()) limits_.give_back_moment();
  waiting.over = true;
}

void ScaleDownReviews::remove_answered(InProgress& one) {
  std::erase_if(one.waiting, [](const Waiting& waiting) { return waiting.over; });
}

void ScaleDownReviews::let_all_go(InProgress& one, std::string_view outcome, Now now) {
  for (Waiting& waiting : one.waiting) end_waiting(waiting, outcome, now);
  one.waiting.clear();
}

void ScaleDownReviews::erase(Number number) {
  const auto found = decisions_.find(number);
  if (found->second.phase == Phase::kPicking) sessions_.drop(found->second.key);
  decisions_.erase(found);
}

void ScaleDownReviews::report_advice(const Advice& advice, FollowedDecision& followed) {
  const PickerAdvice& picker_advice = advice.picker_advice;
  const std::string_view cause =
      advice.ranks.outcome ? fallback_cause(*advice.ranks.outcome) : std::string_view();
  if (!cause.empty()) context_.telemetry.count(Count::kFallbacks, cause);
  if (!picker_advice.picker) return;
  const picker::Outcome outcome = picker_advice.picker->outcome;
  context_.telemetry.count(Count::kConsultations, to_string(outcome));
  if (is_fallback(outcome)) context_.telemetry.count(Count::kFallbacks, to_string(outcome));
  followed.policy = picker_advice.policy;
  followed.breaker_open = outcome == picker::Outcome::kBreakerOpen ||
                          picker_advice.breaker == Breakers::Change::kOpened;
}

// The stock controller deletes those first, whatever was chosen.
void ScaleDownReviews::note_lower_survivors(const Asked& asked, std::int32_t cost,
                                            Decision& decision) const {
  boost::unordered_flat_set<std::string_view> victims;
  for (const Decision::Victim& victim : decision.victims) victims.insert(victim.uid);
  const auto lower = std::count_if(asked.active.begin(), asked.active.end(), [&](const Pod* pod) {
    return !victims.contains(pod->uid.view()) && pod->present_cost <= cost;
  });
  if (lower == 0) return;
  decision.consulted.push_back(
      fmt::format("{} of the pods that stay have a deletion cost of at most {}, so the choice may "
                  "be missed",
                  lower, cost));
}

void ScaleDownReviews::decide(Number number, const Asked& asked, RankAdvice ranks,
                              PickerAdvice picker_advice, Now now) {
  InProgress& one = decisions_.at(number);
  // The picker may have been asked about fewer; the order decides on the rest.
  picker_advice.surplus = asked.surplus;
  Advice advice{std::move(ranks), 0, std::move(picker_advice)};
  FollowedDecision followed{.set = one.key, .id = one.id};
  report_advice(advice, followed);
  one.down = choose_victims(asked.set, asked.active, std::move(advice), context_, now.wall);
  Decision& decision = one.down.decision;
  const auto moment = static_cast<std::uint64_t>(now.wall.since_epoch_ns() / 1'000'000);
  decision.id = fmt::format("{}-{}-{:x}", one.id.uid, ++decided_, moment);
  const auto lowest = safeguards_.undercuts_costs ? parts_.known.lowest_cost(one.id) : std::nullopt;
  one.cost = cost_of_decision(now.wall, lowest);
  one.decided = now.mono;
  note_lower_survivors(asked, one.cost, decision);

  std::vector<std::string> victims;
  boost::unordered_flat_set<std::string_view> uids;
  for (const PodName& victim : one.down.victims) {
    victims.push_back(victim.uid);
    uids.insert(victim.uid);
  }
  for (const Pod* pod : asked.active) {
    if (uids.contains(pod->uid.view())) continue;
    followed.others.push_back({std::string(pod->name.view()), std::string(pod->uid.view())});
  }
  parts_.known.decided(one.id, {.decision = decision.id, .size = one.size, .cost = one.cost},
                       std::move(victims), now);
  followed.decision = decision;
  parts_.followed.begin(std::move(followed), now);
  one.phase = Phase::kWriting;
  send_writes(number, now);
}

void ScaleDownReviews::decide_without_picker(Number number, Now now) {
  sessions_.drop(decisions_.at(number).key);
  const std::optional<Asked> still_asked = ask_again(number, now);
  if (!still_asked) return;
  const Asked& asked = *still_asked;
  PickerAdvice picker_advice{.surplus = asked.surplus};
  if (auto choice = choose_picker(asked.set, context_.store)) {
    picker_advice.policy = std::move(choice->policy);
    Decision::Picker& record = picker_advice.picker.emplace(Decision::Picker{});
    record.carrier = std::move(choice->carrier);
    record.outcome = picker::Outcome::kTimeout;
    record.duration_ns = settings_.budget_ns;
    if (choice->settings) record.endpoint = choice->settings->endpoint();
  }
  decisions_.at(number).timed_out = true;
  decide(number, asked,
         advise_on_ranks(asked.set, asked.active, asked.surplus, context_.store, context_.gates,
                         budget_),
         std::move(picker_advice), now);
}

void ScaleDownReviews::replied(picker::CallId id, const picker::Reply& reply, Now now) {
  sessions_.replied(id, reply, now);
  advance_picked(now);
}

void ScaleDownReviews::drop(ReviewId id, Now now) {
  for (auto& [number, one] : decisions_) {
    for (Waiting& waiting : one.waiting) {
      if (waiting.id != id) continue;
      end_waiting(waiting, {}, now);
      // The call may come again.
      one.keep_until = later_by(now.mono, kKeepNs);
    }
    remove_answered(one);
  }
}

void ScaleDownReviews::advance_picked(Now now) {
  std::vector<Number> numbers;
  for (const Key& key : sessions_.take_finished()) {
    for (const auto& [number, one] : decisions_) {
      if (one.key == key && one.phase == Phase::kPicking && !one.waiting.empty()) {
        numbers.push_back(number);
      }
    }
  }
  for (const Number number : numbers) advance(number, now);
}

void ScaleDownReviews::run(Now now) {
  sessions_.run(now);
  advance_picked(now);
  std::vector<Number> numbers;
  for (const auto& [number, one] : decisions_) numbers.push_back(number);
  for (const Number number : numbers) {
    const InProgress& one = decisions_.at(number);
    switch (one.phase) {
      case Phase::kPicking:
        check_picking(number, now);
        break;
      case Phase::kWriting:
        check_writing(number, now);
        break;
      case Phase::kWritten:
        if (now.mono >= later_by(one.decided, kReuseNs) && one.in_flight == 0) erase(number);
        break;
    }
  }
}

void ScaleDownReviews::check_picking(Number number, Now now) {
  InProgress& one = decisions_.at(number);
  const bool must_decide =
      std::any_of(one.waiting.begin(), one.waiting.end(), [now](const Waiting& waiting) {
        return !waiting.by_deployment && now.mono >= waiting.pick_until;
      });
  if (must_decide) return decide_without_picker(number, now);
  for (Waiting& waiting : one.waiting) {
    if (now.mono >= waiting.pick_until || (waiting.by_deployment && !may_hold(waiting, now))) {
      refuse_or_let_go(one, waiting, now);
    }
  }
  remove_answered(one);
  if (one.waiting.empty() && now.mono >= one.keep_until) erase(number);
}

void ScaleDownReviews::stop() { sessions_.drop_all(); }

Timestamp ScaleDownReviews::wake_at() const {
  Timestamp wake = sessions_.wake_at();
  for (const auto& [number, one] : decisions_) {
    if (one.phase == Phase::kWritten) {
      if (one.in_flight == 0) wake = sooner(wake, later_by(one.decided, kReuseNs));
      continue;
    }
    if (one.waiting.empty()) {
      wake = sooner(wake, one.phase == Phase::kPicking ? one.keep_until : kRightAway);
    }
    for (const Waiting& waiting : one.waiting) {
      wake = sooner(wake, one.phase == Phase::kPicking ? waiting.pick_until : waiting.deadline);
      if (one.phase == Phase::kPicking && !waiting.has_place) {
        wake = sooner(wake, waiting.moment_until);
      }
    }
  }
  return wake;
}

}  // namespace ebb::control
