// Properties of the order for random pods, gates, answers and times. A failure prints its seed
// and a small example; RC_PARAMS="seed=..." runs it again.
#include <algorithm>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "order/lineup.h"
#include "order/related.h"
#include "order/select.h"
#include "support/order/drafts.h"

namespace ebb::order {
namespace {

using model::Pod;
using testing::any_scene;
using testing::any_time;
using testing::PodDraft;
using testing::Scene;
using testing::SceneDraft;

using Uids = std::vector<std::string>;

Uids first_of(const Lineup& lineup, std::size_t count) {
  Uids uids;
  for (std::size_t i = 0; i < count; ++i) uids.emplace_back(lineup[i].pod->uid.view());
  return uids;
}

Uids victims_of(const Scene& scene, std::size_t surplus) {
  Lineup lineup = line_up(scene.question());
  lineup.order_first(surplus);
  return first_of(lineup, surplus);
}

std::size_t any_surplus(const SceneDraft& draft) {
  return *rc::gen::inRange<std::size_t>(0, draft.pods.size() + 1);
}

// With every combination of gates, with and without ranks and an answer.
RC_GTEST_PROP(RemovalOrder, AgreesWithAPairwiseReadingOfTheRules, ()) {
  SceneDraft draft = *rc::gen::scale(0.4, any_scene());
  for (draft.gates = 0; draft.gates < 1U << model::kGateNames.size(); ++draft.gates) {
    for (const bool ranked : {false, true}) {
      for (const bool answered : {false, true}) {
        draft.ranked = ranked;
        draft.answered = answered;
        const Scene scene(draft);
        Uids expected;
        for (const std::size_t i : naive_order(scene.naive)) {
          expected.emplace_back(scene.naive.pods[i].uid.view());
        }
        if (scene.removal_order() != expected) RC_FAIL(rc::toString(draft));
      }
    }
  }
}

RC_GTEST_PROP(RemovalOrder, IsTotal, ()) {
  const SceneDraft draft = *any_scene();
  const Scene scene(draft);
  const Lineup lineup = line_up(scene.question());
  const auto order = [&](std::size_t i, std::size_t j) {
    return compare(lineup[i], lineup[j], lineup.context());
  };
  const std::size_t count = std::min<std::size_t>(lineup.size(), 12);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < count; ++j) {
      RC_ASSERT((order(i, j) == 0) == (i == j));
      RC_ASSERT((order(i, j) < 0) == (order(j, i) > 0));
      for (std::size_t k = 0; k < count; ++k) {
        RC_ASSERT(!(order(i, j) < 0 && order(j, k) < 0) || order(i, k) < 0);
      }
    }
  }
}

RC_GTEST_PROP(RemovalOrder, DoesNotDependOnHowPodsAreListed, ()) {
  SceneDraft draft = *any_scene();
  const std::size_t surplus = any_surplus(draft);
  const Uids victims = victims_of(Scene(draft), surplus);
  for (std::size_t i = draft.pods.size(); i > 1; --i) {
    std::swap(draft.pods[i - 1], draft.pods[*rc::gen::inRange<std::size_t>(0, i)]);
  }
  RC_ASSERT(victims_of(Scene(draft), surplus) == victims);
}

RC_GTEST_PROP(RemovalOrder, TakesExactlyTheSurplusFromTheCandidates, ()) {
  const SceneDraft draft = *any_scene();
  const std::size_t surplus = any_surplus(draft);
  std::set<std::string> candidates;
  for (const PodDraft& pod : draft.pods) candidates.insert(pod.uid);
  const Uids victims = victims_of(Scene(draft), surplus);
  const std::set<std::string> distinct(victims.begin(), victims.end());
  RC_ASSERT(victims.size() == surplus);
  RC_ASSERT(distinct.size() == surplus);
  RC_ASSERT(std::includes(candidates.begin(), candidates.end(), distinct.begin(), distinct.end()));
}

RC_GTEST_PROP(RemovalOrder, OrderingSomeGivesTheBeginningOfTheWholeOrder, ()) {
  const SceneDraft draft = *any_scene();
  const std::size_t count = any_surplus(draft);
  const Scene scene(draft);
  Lineup lineup = line_up(scene.question());
  lineup.order_first(count);
  const std::size_t known = std::min(count + 1, lineup.size());  // and the first that stays
  Uids whole = scene.removal_order();
  whole.resize(known);
  RC_ASSERT(first_of(lineup, known) == whole);
}

RC_GTEST_PROP(RemovalOrder, SameQuestionGetsTheSameAnswer, ()) {
  const SceneDraft draft = *any_scene();
  RC_ASSERT(Scene(draft).removal_order() == Scene(draft).removal_order());
}

// Clocks can be wrong in every way; they only ever decide what rules 1 to 7 leave open.
RC_GTEST_PROP(RemovalOrder, StrangeTimesDoNotTouchRulesOneToSeven, ()) {
  const SceneDraft draft = *any_scene();
  SceneDraft shifted = draft;
  shifted.now = *any_time();
  for (PodDraft& pod : shifted.pods) {
    pod.ready_since = *any_time();
    pod.created = *any_time();
  }
  const Scene scene(draft);
  const Scene other(shifted);
  const Lineup before = line_up(scene.question());
  const Lineup after = line_up(other.question());
  for (std::size_t i = 0; i < draft.pods.size(); ++i) {
    for (std::size_t j = 0; j < draft.pods.size(); ++j) {
      const int ruled = naive_rules_1_to_7(scene.naive, i, j);
      if (ruled == 0) continue;
      RC_ASSERT((compare(before[i], before[j], before.context()) < 0) == (ruled < 0));
      RC_ASSERT((compare(after[i], after[j], after.context()) < 0) == (ruled < 0));
    }
  }
}

// A pod in another namespace, of another owner, or no longer active.
void estrange(Pod& pod, testing::World& world, int way) {
  switch (way) {
    case 0:
      pod.namespace_name = world.intern("elsewhere");
      break;
    case 1:
      pod.labels = world.labels({{"app", "another"}});
      break;
    case 2:
      pod.phase = model::Phase::kFailed;
      break;
    default:
      pod.deleting = true;
  }
}

RC_GTEST_PROP(RemovalOrder, StrangersChangeNothing, ()) {
  const SceneDraft draft = *any_scene();
  RC_PRE(!draft.pods.empty());
  Scene scene(draft);
  const Uids alone = scene.removal_order();

  std::vector<Pod> all = scene.naive.pods;
  const auto strangers = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 4));
  for (const int way : strangers) {
    Pod stranger = all[*rc::gen::inRange<std::size_t>(0, draft.pods.size())];
    stranger.uid = scene.world.intern("stranger");
    estrange(stranger, scene.world, way);
    all.push_back(stranger);
  }
  model::ReplicaSet set = scene.world.replica_set("web");
  set.controller = scene.world.owner("Deployment", "web", "web-deployment-uid");
  const model::ReplicaSet* const sets[] = {&set};
  scene.co_located = count_related(set, sets, testing::pointers(all), scene.candidates);
  RC_ASSERT(scene.removal_order() == alone);
}

}  // namespace
}  // namespace ebb::order
