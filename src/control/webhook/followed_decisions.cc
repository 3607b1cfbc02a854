#include "control/webhook/followed_decisions.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/deadline_queue.h"
#include "control/scaledown/scale_down.h"
#include "schema/core/kind.h"

namespace ebb::control {
namespace {

constexpr std::string_view kStillThere = "still there";
constexpr std::string_view kLaterDecision = "left to a later decision";

// `a, b and 3 more`
std::string some_of(const std::vector<std::string_view>& names) {
  constexpr std::size_t kShown = 10;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ", names[i]);
  }
  if (names.size() > kShown) text += fmt::format(" and {} more", names.size() - kShown);
  return text;
}

}  // namespace

void FollowedDecisions::begin(FollowedDecision followed, Now now) {
  const auto earlier =
      std::find_if(followed_.begin(), followed_.end(),
                   [&](const FollowedDecision& one) { return one.id == followed.id; });
  if (earlier != followed_.end()) {
    FollowedDecision over = std::move(*earlier);
    followed_.erase(earlier);
    finish(std::move(over), kLaterDecision, now);
  }
  followed.until = later_by(now.mono, kFollowNs);
  followed_.push_back(std::move(followed));
}

void FollowedDecisions::written(std::string_view decision, std::size_t unwritten) {
  for (FollowedDecision& one : followed_) {
    if (one.decision.id != decision) continue;
    one.written = true;
    one.unwritten = unwritten;
    changed_.insert(one.id);
  }
}

void FollowedDecisions::pod_changed(const SetId& set) {
  const bool is_followed =
      std::any_of(followed_.begin(), followed_.end(),
                  [&set](const FollowedDecision& one) { return one.id == set; });
  if (is_followed) changed_.insert(set);
}

bool FollowedDecisions::is_there(const Key& set, std::string_view name,
                                 std::string_view uid) const {
  const Pod* const pod = context_.store.pod(set.namespace_name, name);
  return pod != nullptr && pod->uid.view() == uid && pod->active();
}

// Pods that came later do not count: they are not the decision's.
bool FollowedDecisions::has_surplus(const FollowedDecision& followed) const {
  std::size_t there = 0;
  for (const Decision::Victim& victim : followed.decision.victims) {
    there += is_there(followed.set, victim.name, victim.uid) ? 1 : 0;
  }
  for (const PodName& other : followed.others) {
    there += is_there(followed.set, other.name, other.uid) ? 1 : 0;
  }
  return there > static_cast<std::size_t>(std::max<std::int64_t>(followed.decision.to, 0));
}

void FollowedDecisions::run(Now now) {
  const auto changed = std::exchange(changed_, {});
  std::vector<FollowedDecision> over;
  for (auto each = followed_.begin(); each != followed_.end();) {
    const bool is_over = now.mono >= each->until ||
                         (each->written && changed.contains(each->id) && !has_surplus(*each));
    if (!is_over) {
      ++each;
      continue;
    }
    over.push_back(std::move(*each));
    each = followed_.erase(each);
  }
  for (FollowedDecision& one : over) finish(std::move(one), kStillThere, now);
}

void FollowedDecisions::finish_all(Now now) {
  for (FollowedDecision& one : std::exchange(followed_, {})) {
    finish(std::move(one), kStillThere, now);
  }
}

Timestamp FollowedDecisions::wake_at() const {
  Timestamp wake;
  for (const FollowedDecision& one : followed_) {
    wake = sooner(wake, changed_.contains(one.id) ? kRightAway : one.until);
  }
  return wake;
}

void FollowedDecisions::finish(FollowedDecision followed, std::string_view otherwise, Now now) {
  Decision& decision = followed.decision;
  Telemetry& telemetry = context_.telemetry;
  std::int64_t as_chosen = 0;
  for (Decision::Victim& victim : decision.victims) {
    victim.spared = is_there(followed.set, victim.name, victim.uid);
    victim.outcome = victim.spared ? otherwise : "deleted";
    if (victim.spared) continue;
    ++as_chosen;
    telemetry.count(Count::kVictims, victim.rule);
  }
  std::vector<std::string_view> instead;
  for (const PodName& other : followed.others) {
    if (!is_there(followed.set, other.name, other.uid)) instead.push_back(other.name);
  }
  if (followed.unwritten > 0) {
    decision.consulted.push_back(fmt::format(
        "the deletion costs of {} of the chosen pods could not be written in time; they "
        "were left to the order that was there",
        followed.unwritten));
  }
  if (!instead.empty()) {
    decision.consulted.push_back(
        fmt::format("pods that were not chosen and went as well: {}", some_of(instead)));
  }
  telemetry.count(Count::kWebhookVictims, "as_chosen", as_chosen);
  telemetry.count(Count::kWebhookVictims, "other", static_cast<std::int64_t>(instead.size()));
  publish(followed, now);
}

void FollowedDecisions::publish(const FollowedDecision& followed, Now now) {
  const Decision& decision = followed.decision;
  context_.telemetry.decided(decision);
  if (!followed.policy.empty()) {
    reports_->decided({.namespace_name = followed.set.namespace_name, .name = followed.policy},
                      {.time = decision.time,
                       .replica_set = followed.set.name,
                       .victims = decision.going(),
                       .outcome = decision.picker->outcome,
                       .id = decision.id,
                       .problem = decision.picker->problem},
                      followed.breaker_open);
  }
  static const schema::Kind* const kKind = schema::find_kind("apps/v1", "ReplicaSet");
  Event event{.kind = kKind,
              .namespace_name = followed.set.namespace_name,
              .name = followed.set.name,
              .uid = followed.id.uid,
              .reason = std::string(kDecisionReason),
              .message = describe(decision),
              .component = "ebb"};
  const ReplicaSet* const set =
      context_.store.replica_set(followed.set.namespace_name, followed.set.name);
  if (set != nullptr && set->uid.view() == followed.id.uid) {
    event.resource_version = set->resource_version;
  }
  context_.sink.record_event(std::move(event), now);
  if (decisions_ != nullptr) decisions_->add(decision);
}

}  // namespace ebb::control
