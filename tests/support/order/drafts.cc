#include "support/order/drafts.h"

#include <limits>
#include <ostream>

#include <fmt/format.h>

namespace ebb::testing {
namespace {

using model::Phase;
using model::Pod;
using model::Verdict;

constexpr Nanoseconds kLongest = std::numeric_limits<Nanoseconds>::max();

rc::Gen<std::int32_t> any_number() {
  return rc::gen::weightedOneOf<std::int32_t>(
      {{9, rc::gen::inRange<std::int32_t>(-1, 3)},
       {1, rc::gen::elementOf(
               std::vector<std::int32_t>{INT32_MIN, INT32_MIN + 1, INT32_MAX - 1, INT32_MAX})}});
}

rc::Gen<std::int32_t> any_count() {
  return rc::gen::weightedOneOf<std::int32_t>(
      {{9, rc::gen::inRange<std::int32_t>(0, 3)}, {1, rc::gen::just<std::int32_t>(INT32_MAX)}});
}

// Short ones, ones that begin alike for longer than a word, and bytes above 127.
rc::Gen<std::string> any_uid() {
  return rc::gen::apply(
      [](const std::string& beginning, int number) {
        return fmt::format("{}{}", beginning, number);
      },
      rc::gen::elementOf(std::vector<std::string>{"", "a", "b", "\xff", "same-beginning-"}),
      rc::gen::inRange(0, 500));
}

rc::Gen<bool> seldom() { return rc::gen::weightedElement<bool>({{4, false}, {1, true}}); }

Timestamp at(Nanoseconds since_epoch_ns) { return Timestamp::from_nanoseconds(since_epoch_ns); }

std::string show(Timestamp time) {
  return time.is_zero() ? "unset" : fmt::format("now-{}ns", elapsed_ns(time, kNow));
}

}  // namespace

rc::Gen<Timestamp> any_time() {
  return rc::gen::weightedOneOf<Timestamp>(
      {{8, rc::gen::elementOf(std::vector<Timestamp>{ago(kHour), ago(5 * kHour),
                                                     ago(5 * kHour + kSecond), ago(8 * kHour)})},
       {1, rc::gen::map(rc::gen::inRange(0, 62),
                        [](int power) { return ago(Nanoseconds{1} << power); })},
       {1, rc::gen::map(rc::gen::inRange(0, 62),
                        [](int power) { return ago((Nanoseconds{1} << power) - 1); })},
       {2, rc::gen::elementOf(std::vector<Timestamp>{
               {}, kNow, ago(-1), ago(-kHour), at(0), at(kLongest), at(-kLongest)})}});
}

rc::Gen<PodDraft> any_pod() {
  return rc::gen::build<PodDraft>(
      rc::gen::set(&PodDraft::uid, any_uid()),
      rc::gen::set(&PodDraft::node,
                   rc::gen::weightedElement<int>({{1, 0}, {4, 1}, {4, 2}, {2, 3}})),
      rc::gen::set(&PodDraft::phase, rc::gen::weightedElement<Phase>({{12, Phase::kRunning},
                                                                      {1, Phase::kPending},
                                                                      {1, Phase::kUnknown},
                                                                      {1, Phase::kOther}})),
      rc::gen::set(&PodDraft::ready, rc::gen::map(seldom(), [](bool b) { return !b; })),
      rc::gen::set(&PodDraft::labelled, seldom()),
      rc::gen::set(&PodDraft::deletion_cost,
                   rc::gen::weightedOneOf<std::int32_t>(
                       {{3, rc::gen::just<std::int32_t>(0)}, {1, any_number()}})),
      rc::gen::set(&PodDraft::cost_rank, any_number()),
      rc::gen::set(&PodDraft::verdict,
                   rc::gen::element(Verdict::kChosen, Verdict::kTied, Verdict::kUnnamed)),
      rc::gen::set(&PodDraft::ready_since, any_time()),
      rc::gen::set(&PodDraft::restarts, any_count()),
      rc::gen::set(&PodDraft::sidecar_restarts, any_count()),
      rc::gen::set(&PodDraft::created, any_time()));
}

rc::Gen<SceneDraft> any_scene() {
  return rc::gen::build<SceneDraft>(
      rc::gen::set(&SceneDraft::pods,
                   rc::gen::uniqueBy<std::vector<PodDraft>>(
                       any_pod(), [](const PodDraft& draft) { return draft.uid; })),
      rc::gen::set(&SceneDraft::now,
                   rc::gen::weightedOneOf<Timestamp>({{6, rc::gen::just(kNow)}, {1, any_time()}})),
      rc::gen::set(&SceneDraft::gates, rc::gen::inRange(0U, 1U << model::kGateNames.size())),
      rc::gen::set(&SceneDraft::label_in_template, seldom()), rc::gen::set(&SceneDraft::ranked),
      rc::gen::set(&SceneDraft::answered));
}

void showValue(const PodDraft& draft, std::ostream& out) {
  out << fmt::format(
      "\n  uid {:?} node {} {} ready {} since {} label {} cost {} rank {} verdict {} restarts "
      "{}/{} "
      "created {}",
      draft.uid, draft.node, to_string(draft.phase), draft.ready, show(draft.ready_since),
      draft.labelled, draft.deletion_cost, draft.cost_rank, static_cast<int>(draft.verdict),
      draft.restarts, draft.sidecar_restarts, show(draft.created));
}

void showValue(const SceneDraft& draft, std::ostream& out) {
  out << fmt::format("now {} gates {:#b} label in template {} ranked {} answered {}",
                     show(draft.now), draft.gates, draft.label_in_template, draft.ranked,
                     draft.answered);
  for (const PodDraft& pod : draft.pods) showValue(pod, out);
}

Scene::Scene(const SceneDraft& draft) {
  std::vector<std::int32_t> ranks;
  std::vector<Verdict> verdicts;
  for (const PodDraft& each : draft.pods) {
    Pod pod = world.pod(each.uid);
    pod.node = each.node == 0 ? model::Interned() : world.intern(fmt::format("node-{}", each.node));
    pod.phase = each.phase;
    pod.ready = each.ready;
    pod.prefer_for_scale_down = each.labelled;
    pod.deletion_cost = each.deletion_cost;
    pod.ready_since = each.ready_since;
    pod.restarts = each.restarts;
    pod.sidecar_restarts = each.sidecar_restarts;
    pod.created = each.created;
    naive.pods.push_back(pod);
    ranks.push_back(each.cost_rank);
    verdicts.push_back(each.verdict);
  }
  for (const Pod& pod : naive.pods) ++co_located[pod.node];
  for (const Pod& pod : naive.pods) naive.crowds.push_back(co_located.at(pod.node));
  candidates = pointers(naive.pods);
  // No ranks for no pods: an empty list means that there are none.
  if (draft.ranked && !ranks.empty()) naive.cost_ranks = ranks;
  if (draft.answered && !verdicts.empty()) naive.verdicts = verdicts;
  naive.now = draft.now;
  naive.label_in_template = draft.label_in_template;
  for (std::size_t i = 0; i < model::kGateNames.size(); ++i) {
    naive.gates.set(static_cast<model::Gate>(i), (draft.gates >> i & 1U) != 0);
  }
}

order::Question Scene::question() const {
  order::Question question{candidates, co_located, naive.now, naive.gates, naive.label_in_template,
                           {},         {}};
  if (naive.cost_ranks) question.cost_ranks = *naive.cost_ranks;
  if (naive.verdicts) question.verdicts = *naive.verdicts;
  return question;
}

std::vector<std::string> Scene::removal_order() const {
  order::Lineup lineup = order::line_up(question());
  lineup.order_first(lineup.size());
  std::vector<std::string> uids;
  for (std::size_t i = 0; i < lineup.size(); ++i) uids.emplace_back(lineup[i].pod->uid.view());
  return uids;
}

}  // namespace ebb::testing
