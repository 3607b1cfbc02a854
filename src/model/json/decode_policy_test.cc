#include "model/json/decode_policy.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/objects/reading.h"

namespace ebb::model {
namespace {

using ebb::testing::error_of;
using ebb::testing::read;

std::string object_json(std::string_view kind, std::string_view spec) {
  return fmt::format(
      R"({{"apiVersion":"ebb.dev/v1alpha1","kind":"{}","metadata":{{"name":"x"}},"spec":{}}})",
      kind, spec);
}

TEST(DecodePolicy, ReadsTheTargetAndWhichSectionsThereAre) {
  const auto snapshot = read(R"({
    "apiVersion": "ebb.dev/v1alpha1", "kind": "DownscalePolicy",
    "metadata": {"name": "workers", "namespace": "airflow",
                 "creationTimestamp": "2026-11-01T07:00:00Z"},
    "spec": {"targetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "worker"},
             "podPicker": {"http": {"host": "picker"}}, "ranking": {"preset": "x"}}})");
  ASSERT_TRUE(snapshot) << snapshot.error().message;
  EXPECT_EQ(testing::describe(*snapshot),
            "DownscalePolicy airflow/workers created=2026-11-01T07:00:00Z "
            "target=apps/Deployment/worker picker=true ranking=true\n");
  EXPECT_EQ(testing::describe(read(object_json("DownscalePolicy",
                                               R"({"targetRef":{"kind":"ReplicaSet","name":"w"},
                                                   "podPicker":null})"))
                                  .value()),
            "DownscalePolicy default/x created=0001-01-01T00:00:00Z target=apps/ReplicaSet/w "
            "picker=false ranking=false\n");
}

TEST(DecodePolicy, ReadsTheGroupOfItsTarget) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {R"("argoproj.io/v1alpha1")", "argoproj.io"},
      {R"("apps/v1")", "apps"},
      {R"("apps/v1beta2")", "apps"},
      {R"("v1")", ""},
      {R"("")", "apps"},
      {"null", "apps"}};
  for (const auto& [version, group] : cases) {
    const auto snapshot = read(object_json(
        "DownscalePolicy",
        fmt::format(R"({{"targetRef":{{"apiVersion":{},"kind":"K","name":"n"}}}})", version)));
    ASSERT_TRUE(snapshot) << snapshot.error().message;
    EXPECT_EQ(snapshot->policies.at(0).target_group.view(), group) << version;
  }
}

TEST(DecodePolicy, ReadsWhetherDeletionCostsCount) {
  const auto spec = [](std::string_view costs) {
    return object_json(
        "DownscalePolicy",
        fmt::format(R"({{"targetRef":{{"kind":"K","name":"n"}},"deletionCost":{}}})", costs));
  };
  EXPECT_FALSE(read(spec("null")).value().policies.at(0).ignores_deletion_costs);
  EXPECT_FALSE(read(spec(R"("Respect")")).value().policies.at(0).ignores_deletion_costs);
  EXPECT_TRUE(read(spec(R"("Ignore")")).value().policies.at(0).ignores_deletion_costs);
  EXPECT_EQ(error_of(spec(R"("ignore")")),
            "DownscalePolicy x: spec.deletionCost: expected Respect or Ignore, got \"ignore\"");
}

TEST(DecodePodGroupCost, ReadsOwnerAndCosts) {
  EXPECT_EQ(
      testing::describe(read(object_json("PodGroupCost",
                                         R"({"owner":{"kind":"ReplicaSet","name":"web","uid":"r1"},
                                     "costs":{"web-2":-2147483648,"web-1":7,"web-3":null}})"))
                            .value()),
      "PodGroupCost default/x owner=ReplicaSet/web/r1 costs=web-1=7,web-2=-2147483648,\n");
  EXPECT_EQ(testing::describe(
                read(object_json("PodGroupCost", R"({"owner":{"kind":"K","name":"n"}})")).value()),
            "PodGroupCost default/x owner=K/n/ costs=\n");
}

TEST(DecodePodGroupCost, ReadsOfWhichPodsAndGenerationItsStatusSpeaks) {
  EXPECT_EQ(testing::describe(read(R"({"apiVersion":"ebb.dev/v1alpha1","kind":"PodGroupCost",
                                       "metadata":{"name":"x","generation":4,"resourceVersion":"9"},
                                       "spec":{"owner":{"kind":"ReplicaSet","name":"w"}},
                                       "status":{"podSetHash":"h1","recompute":true,
                                                 "observedGeneration":3}})")
                                  .value()),
            "PodGroupCost default/x owner=ReplicaSet/w/ costs= generation=4 observed=3 hash=h1 "
            "recompute=true\n");
}

TEST(DecodeNode, ReadsNameAndLabelsAndNeedsNoUid) {
  EXPECT_EQ(testing::describe(read(R"({"apiVersion":"v1","kind":"Node","metadata":
                                      {"name":"node-1","labels":{"zone":"a","arch":"b"}}})")
                                  .value()),
            "Node node-1 labels=arch=b,zone=a,\n");
}

TEST(DecodePolicy, NamesTheObjectAndTheFieldThatIsWrong) {
  const std::pair<std::string, std::string_view> cases[] = {
      {object_json("DownscalePolicy", "{}"), "DownscalePolicy x: spec.targetRef.kind: is missing"},
      {object_json("DownscalePolicy", R"({"targetRef":{"kind":"Deployment"}})"),
       "DownscalePolicy x: spec.targetRef.name: is missing"},
      {object_json("DownscalePolicy", R"({"targetRef":"web"})"),
       "DownscalePolicy x: spec.targetRef: expected an object, got a string"},
      {object_json("DownscalePolicy",
                   R"({"targetRef":{"apiVersion":"a/b/c","kind":"K","name":"n"}})"),
       "DownscalePolicy x: spec.targetRef.apiVersion: an API version must be GROUP/VERSION, or "
       "VERSION for the core group (e.g. 'apps/v1',  or 'argoproj.io/v1alpha1', regex used for "
       "validation is '([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?"
       "[a-z]([-a-z0-9]*[a-z0-9])?')"},
      {object_json("PodGroupCost", "{}"), "PodGroupCost x: spec.owner.kind: is missing"},
      {object_json("PodGroupCost", R"({"owner":{"kind":"K","name":"n"},"costs":{"a":"1"}})"),
       "PodGroupCost x: spec.costs.a: expected an integer, got a string"},
      {object_json("PodGroupCost", R"({"owner":{"kind":"K","name":"n"},"costs":{"a":1e10}})"),
       "PodGroupCost x: spec.costs.a: expected a 32-bit integer, got 10000000000.0"},
      {object_json("PodGroupCost", R"({"owner":{"kind":"K","name":"n"},"costs":{"a":1,"a":1}})"),
       "PodGroupCost x: spec.costs: key a occurs twice in the same object"},
      {R"({"apiVersion":"v1","kind":"Node","metadata":{}})", "Node: metadata.name: is missing"},
  };
  for (const auto& [json, error] : cases) EXPECT_EQ(error_of(json), error) << json;
}

}  // namespace
}  // namespace ebb::model
