#include "model/json/decode_workload.h"

#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/objects/reading.h"

namespace ebb::model {
namespace {

using ebb::testing::error_of;
using ebb::testing::read;

std::string object_json(std::string_view kind, std::string_view metadata, std::string_view spec) {
  return fmt::format(
      R"({{"apiVersion":"apps/v1","kind":"{}","metadata":{{"name":"web","uid":"w"{}}},
          "spec":{{{}}}}})",
      kind, metadata, spec);
}
std::string replica_set(std::string_view spec) { return object_json("ReplicaSet", "", spec); }
std::string deployment(std::string_view spec) { return object_json("Deployment", "", spec); }
std::string with_expression(std::string_view expression) {
  return replica_set(fmt::format(R"("selector":{{"matchExpressions":[{}]}})", expression));
}

TEST(DecodeReplicaSet, ReadsEveryFieldOfTheRecord) {
  const auto snapshot = read(R"({
    "apiVersion": "apps/v1", "kind": "ReplicaSet",
    "metadata": {
      "annotations": {"deployment.kubernetes.io/desired-replicas": "4",
                      "deployment.kubernetes.io/max-replicas": "5",
                      "deployment.kubernetes.io/revision": "9000000000"},
      "creationTimestamp": "2026-11-01T07:00:00Z", "deletionTimestamp": "2026-11-01T08:00:00Z",
      "name": "web-1", "namespace": "shop",
      "ownerReferences": [{"apiVersion": "argoproj.io/v1alpha1", "controller": true,
                           "kind": "Rollout", "name": "web", "uid": "d1"}],
      "uid": "r1"},
    "spec": {
      "downscalePodPicker": {"http": {}}, "replicas": 3,
      "selector": {"matchLabels": {"b": "2", "a": "1"},
                   "matchExpressions": [{"key": "c", "operator": "NotIn", "values": ["x", "y"]}]},
      "template": {"metadata": {"labels": {"a": "1", "b": "2"}}}},
    "status": {"availableReplicas": 2}})");
  ASSERT_TRUE(snapshot) << snapshot.error().message;
  EXPECT_EQ(
      testing::describe(*snapshot),
      "ReplicaSet shop/web-1 uid=r1 owner=argoproj.io/Rollout/web/d1 created=2026-11-01T07:00:00Z "
      "deleting=true replicas=3 available=2 selector=a 0 1,b 0 2,c 1 x y, "
      "template=a=1,b=2, picker=true desired=4 max=5 revision=9000000000\n");
}

TEST(DecodeReplicaSet, HasOneReplicaAndNoSelectorUnlessItSaysSo) {
  const auto snapshot = read(replica_set("")).value();
  EXPECT_EQ(testing::describe(snapshot),
            "ReplicaSet default/web uid=w owner=none created=0001-01-01T00:00:00Z deleting=false "
            "replicas=1 available=0 selector= template= picker=false desired=none max=none "
            "revision=none\n");
}

TEST(DecodeReplicaSet, MayHaveNoReplicas) {
  EXPECT_EQ(read(replica_set(R"("replicas":0)")).value().replica_sets.at(0).replicas, 0);
}

TEST(DecodeReplicaSet, KnowsTheFourOperators) {
  using Operator = Requirement::Operator;
  struct Case {
    std::string_view expression;
    Operator op;
    std::size_t values;
  };
  const Case cases[] = {
      {R"({"key":"a","operator":"In","values":["x"]})", Operator::kIn, 1},
      {R"({"key":"a","operator":"NotIn","values":["x","y"]})", Operator::kNotIn, 2},
      {R"({"key":"a","operator":"Exists"})", Operator::kExists, 0},
      {R"({"key":"a","operator":"DoesNotExist","values":[]})", Operator::kDoesNotExist, 0},
  };
  for (const Case& c : cases) {
    const auto snapshot = read(with_expression(c.expression));
    ASSERT_TRUE(snapshot) << snapshot.error().message;
    const auto& requirements = snapshot->replica_sets.at(0).selector.requirements;
    ASSERT_EQ(requirements.size(), 1U) << c.expression;
    EXPECT_EQ(requirements[0].key.view(), "a");
    EXPECT_EQ(requirements[0].op, c.op) << c.expression;
    EXPECT_EQ(requirements[0].values.size(), c.values) << c.expression;
  }
}

TEST(DecodeReplicaSet, RefusesExpressionsThatMakeNoSense) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {R"({"operator":"Exists"})", ".key: is missing"},
      {R"({"key":"","operator":"Exists"})", ".key: must not be empty"},
      {R"({"key":"a"})", ".operator: expected In, NotIn, Exists or DoesNotExist, got \"\""},
      {R"({"key":"a","operator":"in","values":["x"]})",
       ".operator: expected In, NotIn, Exists or DoesNotExist, got \"in\""},
      {R"({"key":"a","operator":"In"})", ".values: In needs at least one value"},
      {R"({"key":"a","operator":"NotIn","values":[]})", ".values: NotIn needs at least one value"},
      {R"({"key":"a","operator":"Exists","values":["x"]})", ".values: Exists takes no values"},
      {R"({"key":"a","operator":"DoesNotExist","values":["x"]})",
       ".values: DoesNotExist takes no values"},
      {R"({"key":"a","operator":"In","values":["x",5]})",
       ".values[1]: expected a string, got a number"},
      {R"({"key":"a","operator":"In","values":"x"})", ".values: expected a list, got a string"},
      {R"("a=x")", ": expected an object, got a string"},
  };
  for (const auto& [expression, error] : cases) {
    EXPECT_EQ(error_of(with_expression(expression)),
              fmt::format("ReplicaSet web: spec.selector.matchExpressions[0]{}", error));
  }
}

// Matching it against all pods of a namespace would take seconds.
TEST(DecodeReplicaSet, TreatsASelectorOfTooManyTermsAsAbsent) {
  const auto selector_of = [](std::size_t values, DecodeContext& context) {
    std::string list;
    for (std::size_t i = 0; i < values; ++i) list += fmt::format(R"({}"v{}")", i > 0 ? "," : "", i);
    simdjson::dom::parser parser;
    auto object = parser.parse(
        with_expression(fmt::format(R"({{"key":"a","operator":"In","values":[{}]}})", list)));
    return decode_replica_set(JsonValue(context, object.value())).selector;
  };
  Pool pool;
  DecodeContext most(pool);
  EXPECT_FALSE(selector_of(kMaxSelectorTerms - 1, most).empty());
  EXPECT_FALSE(most.problem());
  DecodeContext too_many(pool);
  EXPECT_TRUE(selector_of(kMaxSelectorTerms, too_many).empty());
  EXPECT_FALSE(too_many.damaged());
  EXPECT_EQ(too_many.problem(),
            "spec.selector: 257 requirements and values; ebb supports at most 256");
}

TEST(DecodeReplicaSet, IgnoresAnnotationsThatAreNotCounts) {
  for (const std::string_view value : {"", "-1", "x", "3.0", "99999999999999999999"}) {
    const std::string metadata = fmt::format(
        R"(,"annotations":{{"deployment.kubernetes.io/desired-replicas":"{0}",
            "deployment.kubernetes.io/max-replicas":"{0}",
            "deployment.kubernetes.io/revision":"{0}"}})",
        value);
    const auto snapshot = read(object_json("ReplicaSet", metadata, "")).value();
    EXPECT_EQ(snapshot.replica_sets.at(0).desired_annotation, std::nullopt) << value;
    EXPECT_EQ(snapshot.replica_sets.at(0).max_annotation, std::nullopt) << value;
    EXPECT_EQ(snapshot.replica_sets.at(0).revision, std::nullopt) << value;
  }
}

TEST(DecodeDeployment, ReadsEveryFieldOfTheRecord) {
  const auto snapshot = read(R"({
    "apiVersion": "apps/v1", "kind": "Deployment",
    "metadata": {"annotations": {"deployment.kubernetes.io/revision": "7"},
                 "deletionTimestamp": "2026-11-01T08:00:00Z",
                 "name": "web", "namespace": "shop", "uid": "d1"},
    "spec": {"downscalePodPicker": {}, "replicas": 6,
             "strategy": {"type": "Recreate", "rollingUpdate": {"maxSurge": 2}}},
    "status": {"replicas": 5}})");
  ASSERT_TRUE(snapshot) << snapshot.error().message;
  EXPECT_EQ(testing::describe(*snapshot),
            "Deployment shop/web uid=d1 deleting=true replicas=6 status_replicas=5 recreate=true "
            "surge=2 picker=true revision=7\n");
}

TEST(DecodeDeployment, RollsWithASurgeOfAQuarterUnlessItSaysOtherwise) {
  EXPECT_EQ(testing::describe(read(deployment("")).value()),
            "Deployment default/web uid=w deleting=false replicas=1 status_replicas=0 "
            "recreate=false surge=25% picker=false revision=none\n");
}

TEST(DecodeDeployment, TakesASurgeAsNumberOrPercentage) {
  struct Case {
    std::string_view json;
    std::int32_t value;
    bool percent;
  };
  constexpr std::int32_t kMax = std::numeric_limits<std::int32_t>::max();
  const Case cases[] = {{"0", 0, false},
                        {"3", 3, false},
                        {R"("0%")", 0, true},
                        {R"("100%")", 100, true},
                        {R"("150%")", 150, true},
                        {R"("2147483648%")", kMax, true},
                        {R"("99999999999999999999%")", kMax, true},
                        {"null", 25, true}};
  for (const Case& c : cases) {
    const auto snapshot = read(
        deployment(fmt::format(R"("strategy":{{"rollingUpdate":{{"maxSurge":{}}}}})", c.json)));
    ASSERT_TRUE(snapshot) << snapshot.error().message;
    EXPECT_EQ(snapshot->deployments.at(0).max_surge.value, c.value) << c.json;
    EXPECT_EQ(snapshot->deployments.at(0).max_surge.percent, c.percent) << c.json;
  }
}

TEST(DecodeDeployment, RefusesASurgeThatIsNeither) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {R"("3")", R"(expected a number or a percentage such as 25%, got "3")"},
      {R"("")", R"(expected a number or a percentage such as 25%, got "")"},
      {R"("%")", R"(expected a number or a percentage such as 25%, got "%")"},
      {R"("-5%")", R"(expected a number or a percentage such as 25%, got "-5%")"},
      {R"("5 %")", R"(expected a number or a percentage such as 25%, got "5 %")"},
      {R"("9999999999")", R"(expected a number or a percentage such as 25%, got "9999999999")"},
      {R"("-9999999999%")", R"(expected a number or a percentage such as 25%, got "-9999999999%")"},
      {"-1", "must not be negative, got -1"},
      {"1.5", "expected a 32-bit integer, got 1.5"},
      {"true", "expected an integer, got a boolean"},
  };
  for (const auto& [json, error] : cases) {
    EXPECT_EQ(error_of(deployment(
                  fmt::format(R"("strategy":{{"rollingUpdate":{{"maxSurge":{}}}}})", json))),
              fmt::format("Deployment web: spec.strategy.rollingUpdate.maxSurge: {}", error));
  }
}

TEST(DecodeWorkload, NamesTheObjectAndTheFieldThatIsWrong) {
  const std::pair<std::string, std::string_view> cases[] = {
      {R"({"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"web"}})",
       "ReplicaSet web: metadata.uid: is missing"},
      {R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"}})",
       "Deployment web: metadata.uid: is missing"},
      {replica_set(R"("replicas":-2)"),
       "ReplicaSet web: spec.replicas: must not be negative, got -2"},
      {deployment(R"("replicas":"3")"),
       "Deployment web: spec.replicas: expected an integer, got a string"},
      {replica_set(R"("selector":{"matchLabels":["a"]})"),
       "ReplicaSet web: spec.selector.matchLabels: expected an object, got a list"},
      {replica_set(R"("template":{"metadata":{"labels":{"a":{}}}})"),
       "ReplicaSet web: spec.template.metadata.labels.a: expected a string, got an object"},
      {replica_set(R"("replicas":1,"replicas":2)"),
       "ReplicaSet web: spec.replicas: occurs twice in the same object"},
  };
  for (const auto& [json, error] : cases) EXPECT_EQ(error_of(json), error) << json;
}

}  // namespace
}  // namespace ebb::model
