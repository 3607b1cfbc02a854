// The rules detect violations, on hand-made decisions and writes.
#include "sim/rules/rank_rules.h"

#include <optional>

#include <boost/json/object.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/api/requests.h"
#include "model/records/pod.h"
#include "ranking/publication.h"
#include "schema/core/json.h"
#include "sim/core/objects.h"
#include "sim/rules/rank_rest.h"
#include "sim/world/world.h"
#include "support/sim/by_hand.h"

namespace ebb::sim {
namespace {

using boost::json::object;
using control::Call;
using control::RankOutcome;

std::string path_of(const schema::Kind& kind, std::string_view name,
                    std::string_view subresource = {}) {
  return model::object_path(
      kind, {.namespace_name = std::string(kNamespace), .name = std::string(name)}, subresource);
}

std::string collection(const schema::Kind& kind) {
  return model::collection_path(kind, kNamespace);
}

// A ReplicaSet that wants two of its four pods, which all serve.
struct Scene {
  Scene() {
    create(replica_sets(), replica_set_object({.name = "web", .replicas = 2}));
    uid = world.truth.sets().begin()->first;
    for (int i = 0; i < 4; ++i) {
      object pod = pod_object(fmt::format("web-{}", i), "web");
      schema::ensure_object(pod, {"metadata"})["ownerReferences"] =
          boost::json::array{{{"apiVersion", "apps/v1"},
                              {"kind", "ReplicaSet"},
                              {"name", "web"},
                              {"uid", uid},
                              {"controller", true}}};
      create(pods(), pod);
    }
    world.run_for(10 * kSecond);  // until they are ready
  }

  void create(const schema::Kind& kind, const object& made) {
    EXPECT_EQ(world.request("user", model::create_request(collection(kind), made)).code, 201);
  }
  void patch(const schema::Kind& kind, std::string_view name, const object& change,
             std::string_view subresource = {}) {
    EXPECT_EQ(
        world.request("user", model::merge_patch_request(path_of(kind, name, subresource), change))
            .code,
        200);
  }
  void ask_for_ranks(const object& ranking) {
    create(policies(), ranking_policy_object("ranks", "ReplicaSet", "web", ranking, {}));
  }
  // From web-0 on; made by the ranker, for the pods that are there.
  void rank(const std::vector<int>& costs, bool recompute = false) {
    object by_name;
    for (std::size_t i = 0; i < costs.size(); ++i) by_name[fmt::format("web-{}", i)] = costs[i];
    create(group_costs(),
           {{"apiVersion", "ebb.dev/v1alpha1"},
            {"kind", "PodGroupCost"},
            {"metadata",
             {{"name", "web"}, {"labels", {{"app.kubernetes.io/managed-by", "ebb-ranker"}}}}},
            {"spec",
             {{"owner", {{"kind", "ReplicaSet"}, {"name", "web"}, {"uid", uid}}},
              {"costs", by_name}}}});
    control::Store store;
    world.inventory.fill(store);
    patch(group_costs(), "web",
          {{"status",
            {{"podSetHash",
              ranking::pod_set_hash(store.pods_of({kNamespace, "ReplicaSet", "web", uid}))},
             {"recompute", recompute},
             {"observedGeneration", 1}}}},
          "status");
  }

  struct Told {
    std::optional<RankOutcome> outcome{};
    bool recompute = false;
    Nanoseconds waited_ns = 0;
    std::vector<std::string> problems{"it is like that"};
  };
  void decide(const std::vector<std::string>& names, const Told& told) {
    control::Store store;
    world.inventory.fill(store);
    const PickerRules::View view{process, store, settings};
    control::Decision decision;
    decision.uid = uid;
    decision.replica_set = "web";
    decision.time = world.time.now();
    decision.victims = testing::victims(world, names);
    if (told.outcome) {
      const bool ranked = *told.outcome == RankOutcome::kRanked;
      decision.ranking = control::Decision::Ranking();
      decision.ranking->outcome = *told.outcome;
      decision.ranking->carrier = ranked ? "PodGroupCost web" : "";
      decision.ranking->problems = told.problems;
      decision.ranking->recompute = told.recompute;
      decision.ranking->waited_ns = told.waited_ns;
    }
    world.picker_rules.deciding(view, world.time.now());
    world.rank_rules.deciding(view, world.time.now());
    world.picker_rules.decided(decision);
    world.rank_rules.decided(decision);
    world.picker_rules.check_decisions();
    world.rank_rules.check_decisions();
  }

  // By the ranker, and executed.
  void write(model::ApiRequest request) {
    const Call call{.id = 1,
                    .kind = Call::Kind::kPatientWrite,
                    .request = std::move(request),
                    .deadline_ns = control::kWriteDeadlineNs};
    control::Store store;
    world.inventory.fill(store);
    const Invariants::Tag tag = world.invariants.sent(ranker, call, store);
    world.rank_rules.sent(tag, ranker, call);
    world.invariants.executing(tag);
    world.invariants.executed(tag, world.request("ranker", call.request));
  }
  void write_on(std::string_view pod, object annotations) {
    write(model::merge_patch_request(path_of(pods(), pod),
                                     {{"metadata",
                                       {{"uid", world.truth.pod(kNamespace, pod)->uid},
                                        {"annotations", std::move(annotations)}}}}));
  }
  [[nodiscard]] std::string broken() const {
    return world.violated() ? world.invariants.violation()->rule : "";
  }

  World world{{.seed = 1}};
  control::ProcessSettings settings;
  std::string uid;
  Invariants::ProcessId process = world.invariants.new_process();
  Invariants::ProcessId ranker = world.invariants.new_process(Role::kRanks);
};

const object kYoungest{{"strategies", boost::json::array{{{"name", "Youngest"}}}}};
const object kRecomputed{{"strategies", boost::json::array{{{"name", "AntiAffinity"}}}}};

TEST(RankRules, WantTheOrderOfRanksThatAreComplete) {
  Scene right;
  right.rank({1, 4, 2, 3});
  right.decide({"web-1", "web-3"}, {.outcome = RankOutcome::kRanked});
  EXPECT_EQ(right.broken(), "");
  Scene wrong;
  wrong.rank({1, 4, 2, 3});
  wrong.decide({"web-1", "web-2"}, {.outcome = RankOutcome::kRanked});
  EXPECT_EQ(wrong.broken(), "I7");
}

TEST(RankRules, RefuseToIgnoreUsableRanks) {
  for (const auto outcome : {RankOutcome::kIncomplete, RankOutcome::kStale, RankOutcome::kRollout,
                             RankOutcome::kUnpublished, RankOutcome::kNotNeeded}) {
    Scene scene;
    scene.rank({1, 4, 2, 3});
    scene.decide({"web-1", "web-3"}, {.outcome = outcome});
    EXPECT_EQ(scene.broken(), "ranks") << to_string(outcome);
  }
  Scene silent;
  silent.rank({1, 4, 2, 3});
  silent.decide({"web-1", "web-3"}, {});
  EXPECT_EQ(silent.broken(), "ranks");
}

TEST(RankRules, LetNoRanksCountThatAreIncompleteOrOfOtherPods) {
  Scene incomplete;
  incomplete.rank({1, 4, 2});
  incomplete.decide({"web-1", "web-3"}, {.outcome = RankOutcome::kRanked});
  EXPECT_TRUE(incomplete.world.violated());

  Scene stale;
  stale.rank({1, 4, 2, 3}, true);
  stale.patch(group_costs(), "web", {{"status", {{"podSetHash", "0123456789abcdef"}}}}, "status");
  stale.settings.gates.set(model::Gate::kLogarithmicScaleDown, false);
  stale.decide({"web-1"}, {.outcome = RankOutcome::kRanked, .recompute = true});
  EXPECT_TRUE(stale.world.violated());
}

TEST(RankRules, LetOnlyOneGoWhereARemovalMakesAllRanksWorthless) {
  Scene one;
  one.rank({1, 4, 2, 3}, true);
  one.decide({"web-1"}, {.outcome = RankOutcome::kRanked, .recompute = true});
  EXPECT_EQ(one.broken(), "");
  Scene two;
  two.rank({1, 4, 2, 3}, true);
  two.decide({"web-1", "web-3"}, {.outcome = RankOutcome::kRanked, .recompute = true});
  EXPECT_EQ(two.broken(), "ranks");
}

const Scene::Told kOneInVain{
    .outcome = RankOutcome::kUnpublished, .recompute = true, .waited_ns = 30 * kSecond};

// In the default order the pods differ only in node and name. The surplus is two. Only one goes if
// the missing ranks would have to be recomputed after each removal.
std::vector<std::string> default_order(Scene& scene, std::size_t count) {
  for (int first = 0; first < 4; ++first) {
    for (int second = 0; second < 4; ++second) {
      if (first == second) continue;
      std::vector<std::string> names{fmt::format("web-{}", first)};
      if (count == 2) names.push_back(fmt::format("web-{}", second));
      Scene probe;
      if (count == 1) probe.ask_for_ranks(kRecomputed);
      probe.decide(names, count == 1 ? kOneInVain : Scene::Told());
      if (probe.broken().empty()) return names;
    }
  }
  scene.world.invariants.violate("test", "there is no default order");
  return {};
}

TEST(RankRules, WantRanksToBeWaitedForAndAReasonToBeGiven) {
  struct Case {
    Scene::Told told;
    std::string broken;
  };
  const Case cases[] = {
      {{.outcome = RankOutcome::kUnpublished, .waited_ns = 5 * kSecond}, ""},
      {{.outcome = RankOutcome::kUnpublished, .waited_ns = 4 * kSecond}, "ranks"},
      {{.outcome = RankOutcome::kUnpublished, .waited_ns = 5 * kSecond, .problems = {}}, "ranks"},
      {{}, "ranks"},
  };
  for (const Case& each : cases) {
    Scene scene;
    object ranking = kYoungest;
    ranking["waitSeconds"] = 5;
    scene.ask_for_ranks(ranking);
    scene.decide(default_order(scene, 2), each.told);
    EXPECT_EQ(scene.broken(), each.broken);
  }
}

TEST(RankRules, WantThirtySecondsBetweenTwoRemovalsWithoutNewerRanks) {
  Scene scene;
  scene.ask_for_ranks(kRecomputed);
  const auto names = default_order(scene, 1);
  scene.decide(names, kOneInVain);
  scene.world.run_for(30 * kSecond);
  scene.decide(names, kOneInVain);
  EXPECT_EQ(scene.broken(), "");
  scene.world.run_for(29 * kSecond);
  scene.decide(names, kOneInVain);
  EXPECT_EQ(scene.broken(), "ranks");
}

TEST(RankRules, LetARankerDeleteAndCreateNoPods) {
  Scene deletes;
  const std::string uid = deletes.world.truth.pod(kNamespace, "web-0")->uid;
  deletes.write(model::delete_request(path_of(pods(), "web-0"), {.uid = uid}));
  EXPECT_EQ(deletes.broken(), "ranker");
  Scene relabels;
  relabels.write(model::merge_patch_request(path_of(pods(), "web-0"),
                                            {{"metadata", {{"uid", uid}, {"labels", object()}}}}));
  EXPECT_EQ(relabels.broken(), "ranker");
  Scene scales;
  scales.write(
      model::merge_patch_request(path_of(replica_sets(), "web"), {{"spec", {{"replicas", 1}}}}));
  EXPECT_EQ(scales.broken(), "ranker");
}

TEST(RankRules, LetARankerChangeItsOwnValuesAndNoOthers) {
  for (const std::string_view key : {model::kCostRankAnnotation, model::kDeletionCostAnnotation}) {
    Scene own;
    own.write_on("web-0", {{key, "3"}, {model::kPublishedCostAnnotation, "3"}});
    own.write_on("web-0", {{key, "4"}, {model::kPublishedCostAnnotation, "4"}});
    own.write_on("web-0", {{key, nullptr}, {model::kPublishedCostAnnotation, nullptr}});
    EXPECT_EQ(own.broken(), "");
    Scene other;
    other.patch(pods(), "web-0", {{"metadata", {{"annotations", object{{key, "3"}}}}}});
    other.write_on("web-0", {{key, "4"}, {model::kPublishedCostAnnotation, "4"}});
    EXPECT_EQ(other.broken(), "ranker");
  }
}

TEST(RankRules, LetACompanionSpeakOfTheCarrierThatItNames) {
  const auto write = [](Scene& scene, std::string_view key) {
    scene.write_on("web-0", {{model::kDeletionCostAnnotation, "3"},
                             {model::kPublishedCostAnnotation, "PodDeletionCost=3"}});
    scene.patch(pods(), "web-0",
                {{"metadata", {{"annotations", object{{model::kCostRankAnnotation, "3"}}}}}});
    scene.write_on("web-0", {{key, nullptr}, {model::kPublishedCostAnnotation, nullptr}});
  };
  Scene own;
  write(own, model::kDeletionCostAnnotation);
  EXPECT_EQ(own.broken(), "");
  Scene other;
  write(other, model::kCostRankAnnotation);
  EXPECT_EQ(other.broken(), "ranker");
}

TEST(RankRules, LetDeletionCostsOfTheRankerCountForAllPodsOrForNone) {
  object ranking = kYoungest;
  ranking["publish"] = "PodDeletionCost";
  Scene probe;
  const auto by_default = default_order(probe, 2);
  Scene::Told told{.outcome = RankOutcome::kIncomplete};
  for (const bool ours : {false, true}) {
    Scene scene;
    scene.ask_for_ranks(ranking);
    object annotations{{model::kDeletionCostAnnotation, "9"}};
    if (ours) annotations[model::kPublishedCostAnnotation] = "PodDeletionCost=9";
    scene.patch(pods(), by_default[0], {{"metadata", {{"annotations", annotations}}}});
    scene.decide(by_default, told);
    EXPECT_EQ(scene.broken(), ours ? "" : "I7");
  }
}

TEST(RankRules, LetARankerLeavePodGroupCostsOfOthersAlone) {
  Scene scene;
  scene.rank({1, 2, 3, 4});
  const object change{{"spec", {{"costs", {{"web-0", 5}}}}}};
  scene.write(model::merge_patch_request(path_of(group_costs(), "web"), change));
  EXPECT_EQ(scene.broken(), "");
  scene.patch(group_costs(), "web", {{"metadata", {{"labels", nullptr}}}});
  scene.write(model::merge_patch_request(path_of(group_costs(), "web"), change));
  EXPECT_EQ(scene.broken(), "ranker");
}

void say_ranked(Scene& scene, std::string_view status) {
  scene.patch(
      policies(), "ranks",
      {{"status",
        {{"conditions", boost::json::array{{{"type", "Ranked"},
                                            {"status", status},
                                            {"reason", "Test"},
                                            {"message", ""},
                                            {"lastTransitionTime", "2026-01-01T00:00:00Z"}}}}}}},
      "status");
}

// The youngest has the highest: all were made at the same moment.
TEST(UnsettledRanks, AreNoneOnceWhatIsPublishedIsInOrderAndThePolicySaysSo) {
  Scene scene;
  scene.ask_for_ranks(
      {{"strategies", boost::json::array{{{"name", "Weight"}, {"args", {{"label", "weight"}}}}}}});
  for (int i = 0; i < 4; ++i) {
    scene.patch(pods(), fmt::format("web-{}", i),
                {{"metadata", {{"labels", {{"weight", std::to_string(i)}}}}}});
  }
  EXPECT_EQ(unsettled_ranks(scene.world.inventory), "PodGroupCost web is missing");
  scene.rank({10, 20, 30, 40});
  EXPECT_EQ(unsettled_ranks(scene.world.inventory),
            "DownscalePolicy ranks has the wrong condition Ranked:  ()");
  say_ranked(scene, "True");
  EXPECT_EQ(unsettled_ranks(scene.world.inventory), "");
  scene.patch(group_costs(), "web", {{"spec", {{"costs", {{"web-1", 35}}}}}});
  EXPECT_EQ(unsettled_ranks(scene.world.inventory),
            "the status of PodGroupCost web is of generation 1 of 2");
  scene.patch(group_costs(), "web", {{"status", {{"observedGeneration", 2}}}}, "status");
  EXPECT_EQ(unsettled_ranks(scene.world.inventory),
            "PodGroupCost web: web-2 and web-1 have 30 and 35, but their ranks are 2 and 1");
}

TEST(UnsettledRanks, AreThoseThatNoPolicyAsksFor) {
  Scene scene;
  EXPECT_EQ(unsettled_ranks(scene.world.inventory), "");
  scene.write_on("web-0",
                 {{model::kCostRankAnnotation, "3"}, {model::kPublishedCostAnnotation, "3"}});
  EXPECT_EQ(unsettled_ranks(scene.world.inventory), "pod web-0 has a rank that no policy asks for");
  scene.rank({1, 2, 3, 4});
  EXPECT_EQ(unsettled_ranks(scene.world.inventory),
            "PodGroupCost web exists, but no policy asks for it");
}

}  // namespace
}  // namespace ebb::sim
