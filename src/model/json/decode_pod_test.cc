#include "model/json/decode_pod.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "schema/core/time.h"
#include "support/objects/reading.h"

namespace ebb::model {
namespace {

using ebb::testing::error_of;
using ebb::testing::read;

std::string pod_json(std::string_view metadata, std::string_view rest) {
  return fmt::format(
      R"({{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"web-1","uid":"u1"{}}}{}}})",
      metadata, rest);
}
std::string with_metadata(std::string_view fields) {
  return pod_json(fmt::format(",{}", fields), "");
}
std::string with_spec(std::string_view fields, std::string_view status = "") {
  return pod_json("", fmt::format(R"(,"spec":{{{}}},"status":{{{}}})", fields, status));
}
std::string with_status(std::string_view fields) { return with_spec("", fields); }
std::string with_conditions(std::string_view conditions) {
  return with_status(fmt::format(R"("conditions":[{}])", conditions));
}
std::string with_annotation(std::string_view key, std::string_view value) {
  return with_metadata(fmt::format(R"("annotations":{{"{}":{}}})", key, value));
}

// A snapshot of one pod, which refers to the snapshot's pool.
struct OnePod {
  explicit OnePod(const std::string& json) : snapshot(read(json).value()) {}
  const Pod* operator->() const { return &snapshot.pods.at(0); }

  Snapshot snapshot;
};

TEST(DecodePod, ReadsEveryFieldOfTheRecord) {
  const auto snapshot = read(R"({
    "apiVersion": "v1", "kind": "Pod",
    "metadata": {
      "annotations": {"controller.kubernetes.io/pod-deletion-cost": "-7",
                      "scheduling.alpha.kubernetes.io/cost": "12"},
      "creationTimestamp": "2026-11-01T07:00:00Z", "deletionTimestamp": "2026-11-01T11:59:00Z",
      "labels": {"app": "web", "kubernetes.io/prefer-for-scale-down": "true"},
      "name": "web-1", "namespace": "shop",
      "ownerReferences": [{"controller": true, "kind": "ReplicaSet", "name": "web", "uid": "r1"}],
      "uid": "u1"},
    "spec": {"initContainers": [{"name": "proxy", "restartPolicy": "Always"}],
             "nodeName": "node-1"},
    "status": {
      "conditions": [{"lastTransitionTime": "2026-11-01T07:00:30Z", "status": "True",
                      "type": "Ready"}],
      "containerStatuses": [{"name": "web", "restartCount": 3}],
      "cost": 40,
      "initContainerStatuses": [{"name": "proxy", "restartCount": 2}],
      "phase": "Running"}})");
  ASSERT_TRUE(snapshot) << snapshot.error().message;
  EXPECT_EQ(testing::describe(*snapshot),
            "Pod shop/web-1 uid=u1 node=node-1 "
            "labels=app=web,kubernetes.io/prefer-for-scale-down=true, owner=ReplicaSet/web/r1 "
            "created=2026-11-01T07:00:00Z ready=true since=2026-11-01T07:00:30Z restarts=3 "
            "sidecar_restarts=2 cost=-7 cost_set=true cost_valid=true annotated_rank=12 "
            "rank_set=true status_rank=40 phase=Running deleting=true prefer=true "
            "numbers=controller.kubernetes.io/pod-deletion-cost=-7,"
            "scheduling.alpha.kubernetes.io/cost=12,\n");
}

TEST(DecodePod, TakesNullAndAbsentFieldsAsUnset) {
  constexpr std::string_view kUnset =
      "Pod default/web-1 uid=u1 node= labels= owner=none created=0001-01-01T00:00:00Z ready=false "
      "since=0001-01-01T00:00:00Z restarts=0 sidecar_restarts=0 cost=0 cost_set=false "
      "cost_valid=false annotated_rank=none rank_set=false status_rank=none phase=unset "
      "deleting=false "
      "prefer=false\n";
  for (const std::string& json :
       {pod_json("", ""), pod_json("", R"(,"spec":null,"status":null)"),
        pod_json(R"(,"namespace":null,"labels":null,"annotations":null,"ownerReferences":null,
                     "creationTimestamp":null,"deletionTimestamp":null)",
                 R"(,"spec":{"nodeName":null,"initContainers":null},"status":{"phase":null,
                     "conditions":null,"containerStatuses":null,"initContainerStatuses":null,
                     "cost":null})"),
        pod_json(
            R"(,"annotations":{"controller.kubernetes.io/pod-deletion-cost":null})",
            R"(,"status":{"conditions":[null],"containerStatuses":[{"restartCount":null}]})")}) {
    EXPECT_EQ(testing::describe(read(json).value()), kUnset) << json;
  }
}

TEST(DecodePod, KnowsThePhases) {
  const std::pair<std::string_view, Phase> cases[] = {
      {"Pending", Phase::kPending}, {"Running", Phase::kRunning}, {"Succeeded", Phase::kSucceeded},
      {"Failed", Phase::kFailed},   {"Unknown", Phase::kUnknown}, {"", Phase::kOther},
      {"running", Phase::kOther},   {"Dreaming", Phase::kOther},
  };
  for (const auto& [text, phase] : cases) {
    EXPECT_EQ(OnePod(with_status(fmt::format(R"("phase":"{}")", text)))->phase, phase) << text;
  }
}

TEST(DecodePod, TakesTheFirstReadyCondition) {
  const OnePod pod(with_conditions(
      R"({"type":"ContainersReady","status":"False","lastTransitionTime":"2026-11-01T01:00:00Z"},
         {"type":"Ready","status":"True","lastTransitionTime":"2026-11-01T02:00:00Z"},
         {"type":"Ready","status":"False","lastTransitionTime":"2026-11-01T03:00:00Z"})"));
  EXPECT_TRUE(pod->ready);
  EXPECT_EQ(schema::format_time(pod->ready_since), "2026-11-01T02:00:00Z");
}

TEST(DecodePod, IsReadyOnlyIfTheStatusIsTrue) {
  for (const std::string_view status : {"False", "Unknown", "true", ""}) {
    EXPECT_FALSE(
        OnePod(with_conditions(fmt::format(R"({{"type":"Ready","status":"{}"}})", status)))->ready)
        << status;
  }
  const OnePod without_time(with_conditions(R"({"type":"Ready","status":"True"})"));
  EXPECT_TRUE(without_time->ready);
  EXPECT_TRUE(without_time->ready_since.is_zero());
}

TEST(DecodePod, CountsTheContainerThatRestartedMost) {
  EXPECT_EQ(OnePod(with_status(R"("containerStatuses":[{"name":"a","restartCount":2},
                                 {"name":"b","restartCount":9},{"name":"c"}])"))
                ->restarts,
            9);
}

TEST(DecodePod, CountsRestartsOfSidecarsButNotOfOtherInitContainers) {
  const OnePod pod(with_spec(
      R"("initContainers":[{"name":"setup"},{"name":"proxy","restartPolicy":"Always"},
                           {"name":"odd","restartPolicy":"OnFailure"}])",
      R"("initContainerStatuses":[{"name":"setup","restartCount":8},
                                  {"name":"proxy","restartCount":3},
                                  {"name":"odd","restartCount":6},
                                  {"name":"stranger","restartCount":7}])"));
  EXPECT_EQ(pod->sidecar_restarts, 3);
  EXPECT_EQ(pod->restarts, 0);
}

TEST(DecodePod, IsDeletingOnlyFromARealTimeOn) {
  const auto deleting = [](std::string_view time) {
    return OnePod(with_metadata(fmt::format(R"("deletionTimestamp":{})", time)))->deleting;
  };
  EXPECT_TRUE(deleting(R"("2026-11-01T12:00:00Z")"));
  EXPECT_FALSE(deleting(R"("0001-01-01T00:00:00Z")"));
  EXPECT_FALSE(deleting("null"));
}

TEST(DecodePod, IsPreferredForScaleDownByTheLabelWhateverItsValue) {
  EXPECT_TRUE(OnePod(with_metadata(R"("labels":{"kubernetes.io/prefer-for-scale-down":""})"))
                  ->prefer_for_scale_down);
  EXPECT_FALSE(
      OnePod(with_metadata(R"("labels":{"prefer-for-scale-down":"true"})"))->prefer_for_scale_down);
}

// The values themselves are the business of deletion_cost_test.cc.
TEST(DecodePod, TakesAnInvalidDeletionCostAsZeroButRemembersIt) {
  const OnePod invalid(with_annotation(kDeletionCostAnnotation, R"("+5")"));
  EXPECT_TRUE(invalid->deletion_cost_set);
  EXPECT_FALSE(invalid->deletion_cost_valid);
  EXPECT_EQ(invalid->deletion_cost, 0);
  const OnePod empty(with_annotation(kDeletionCostAnnotation, R"("")"));
  EXPECT_TRUE(empty->deletion_cost_set);
  EXPECT_FALSE(empty->deletion_cost_valid);
}

TEST(DecodePod, IgnoresARankThatIsNotAnInteger) {
  const auto rank = [](std::string_view text) {
    return OnePod(with_annotation(kCostRankAnnotation, fmt::format("\"{}\"", text)))
        ->annotated_rank;
  };
  EXPECT_EQ(rank("-3"), -3);
  EXPECT_EQ(rank("0"), 0);
  for (const std::string_view text : {"", "1.5", "3 ", "x", "2147483648"}) {
    EXPECT_EQ(rank(text), std::nullopt) << text;
  }
}

TEST(DecodePod, TakesTheOwnerThatIsController) {
  const OnePod pod(with_metadata(
      R"("ownerReferences":[{"kind":"Job","name":"j","uid":"1"},
         {"controller":false,"kind":"Set","name":"s","uid":"2"},
         {"apiVersion":"apps/v1","controller":true,"kind":"ReplicaSet","name":"web","uid":"3"}])"));
  ASSERT_NE(pod->controller, nullptr);
  EXPECT_EQ(pod->controller->group.view(), "apps");
  EXPECT_EQ(pod->controller->name.view(), "web");
  EXPECT_EQ(pod->controller->uid.view(), "3");
  EXPECT_EQ(OnePod(with_metadata(R"("ownerReferences":[{"kind":"Job","name":"j","uid":"1"}])"))
                ->controller,
            nullptr);
}

TEST(DecodePod, NamesThePodAndTheFieldThatIsWrong) {
  const std::pair<std::string, std::string_view> cases[] = {
      {R"({"apiVersion":"v1","kind":"Pod"})", "Pod: metadata.name: is missing"},
      {R"({"apiVersion":"v1","kind":"Pod","metadata":[]})",
       "Pod: metadata: expected an object, got a list"},
      {R"({"apiVersion":"v1","kind":"Pod","metadata":{"uid":"u1"}})",
       "Pod: metadata.name: is missing"},
      {R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"shop"}})",
       "Pod shop/a: metadata.uid: is missing"},
      {R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","uid":""}})",
       "Pod a: metadata.uid: must not be empty"},
      {R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":5,"uid":"u"}})",
       "Pod: metadata.name: expected a string, got a number"},
      {with_metadata(R"("creationTimestamp":"yesterday")"),
       "Pod web-1: metadata.creationTimestamp: expected a time such as 2026-11-01T12:00:00Z, got "
       "\"yesterday\""},
      {with_metadata(R"("deletionTimestamp":17)"),
       "Pod web-1: metadata.deletionTimestamp: expected a time such as 2026-11-01T12:00:00Z, got "
       "a number"},
      {with_metadata(R"("labels":{"app":1})"),
       "Pod web-1: metadata.labels.app: expected a string, got a number"},
      {with_annotation(kDeletionCostAnnotation, "5"),
       "Pod web-1: metadata.annotations[controller.kubernetes.io/pod-deletion-cost]: expected a "
       "string, got a number"},
      {with_metadata(R"("ownerReferences":[{"controller":true,"kind":"X","name":"x"}])"),
       "Pod web-1: metadata.ownerReferences[0].uid: is missing"},
      {with_metadata(R"("ownerReferences":[{"controller":true,"kind":"X","name":"x","uid":"1"},
                                           {"controller":true,"kind":"X","name":"y","uid":"2"}])"),
       "Pod web-1: metadata.ownerReferences[1]: is a second controller; an object has at most one"},
      {with_metadata(R"("ownerReferences":[{"controller":true,"apiVersion":1,"kind":"X","name":"x",
                        "uid":"1"}])"),
       "Pod web-1: metadata.ownerReferences[0].apiVersion: expected a string, got a number"},
      {with_metadata(R"("ownerReferences":[{"controller":"yes"}])"),
       "Pod web-1: metadata.ownerReferences[0].controller: expected a boolean, got a string"},
      {with_spec(R"("nodeName":["node-1"])"),
       "Pod web-1: spec.nodeName: expected a string, got a list"},
      {with_conditions(R"({"type":"Ready","status":true})"),
       "Pod web-1: status.conditions[0].status: expected a string, got a boolean"},
      {with_conditions(R"({"type":"Ready","status":"True","lastTransitionTime":""})"),
       "Pod web-1: status.conditions[0].lastTransitionTime: expected a time such as "
       "2026-11-01T12:00:00Z, got \"\""},
      {with_status(R"("containerStatuses":[{},{"restartCount":-1}])"),
       "Pod web-1: status.containerStatuses[1].restartCount: must not be negative, got -1"},
      {with_status(R"("cost":"5")"), "Pod web-1: status.cost: expected an integer, got a string"},
      {pod_json(R"(,"uid":"u2")", ""), "Pod web-1: metadata.uid: occurs twice in the same object"},
  };
  for (const auto& [json, error] : cases) EXPECT_EQ(error_of(json), error) << json;
}

}  // namespace
}  // namespace ebb::model
