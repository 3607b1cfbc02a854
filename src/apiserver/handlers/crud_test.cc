// Creating, reading, updating and patching objects, as clients see it.
#include <gtest/gtest.h>

#include "support/apiserver/api_server_scene.h"

namespace ebb::apiserver {
namespace {

using ebb::testing::ApiServerScene;
using ebb::testing::config_map_json;
using ebb::testing::pod_json;
using ebb::testing::replica_set_json;

constexpr std::string_view kPods = "/api/v1/namespaces/default/pods";
constexpr std::string_view kSets = "/apis/apps/v1/namespaces/default/replicasets";
constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";

std::string in(std::string_view collection, std::string_view rest) {
  return std::string(collection) + "/" + std::string(rest);
}

TEST(Create, GivesTheObjectWhatTheServerDecides) {
  ApiServerScene cluster;
  const auto made = cluster.post(kPods, pod_json("web"));
  ASSERT_EQ(made.code, 201) << made.message();
  EXPECT_EQ(made.text("kind"), "Pod");
  EXPECT_EQ(made.text("metadata/namespace"), "default");
  EXPECT_EQ(made.text("metadata/uid").size(), 36U);
  EXPECT_EQ(made.text("metadata/creationTimestamp"), "2026-09-21T14:13:20Z");
  EXPECT_EQ(made.at("metadata/generation"), 1);
  EXPECT_EQ(made.text("status/phase"), "Pending");
  EXPECT_EQ(made.text("status/qosClass"), "BestEffort");
  EXPECT_EQ(made.text("spec/restartPolicy"), "Always");
  EXPECT_EQ(made.body, cluster.get(in(kPods, "web")).body);
}

TEST(Write, IsNotCheckedForDeletionCostsWhileTheirGateIsOff) {
  constexpr std::string_view kMerge = "merge-patch";
  constexpr std::string_view kCost =
      R"({"metadata":{"annotations":{"controller.kubernetes.io/pod-deletion-cost":"much"}}})";
  constexpr std::string_view kTemplate =
      R"({"spec":{"template":{"metadata":{"annotations":
          {"controller.kubernetes.io/pod-deletion-cost":"much"}}}}})";
  for (const bool on : {true, false}) {
    Settings settings;
    settings.gates.set(model::Gate::kPodDeletionCost, on);
    ApiServerScene cluster(settings);
    ASSERT_EQ(cluster.post(kPods, pod_json("web")).code, 201);
    ASSERT_EQ(cluster.post(kSets, replica_set_json("web", 1)).code, 201);
    const int wanted = on ? 422 : 200;
    EXPECT_EQ(cluster.patch(in(kPods, "web/status"), kMerge, kCost).code, wanted);
    EXPECT_EQ(cluster.patch(in(kPods, "web"), kMerge, kCost).code, wanted);
    EXPECT_EQ(cluster.patch(in(kSets, "web"), kMerge, kTemplate).code, wanted);
  }
}

TEST(Create, IgnoresWhatClientsSayOfStatusAndIdentity) {
  ApiServerScene cluster;
  const auto made = cluster.post(kPods, R"({"metadata":{"name":"web","uid":"mine","generation":7,
                             "creationTimestamp":"2020-01-01T00:00:00Z",
                             "deletionTimestamp":"2020-01-01T00:00:00Z"},
                 "spec":{"containers":[{"name":"app","image":"app:1"}]},
                 "status":{"phase":"Running"}})");
  ASSERT_EQ(made.code, 201) << made.message();
  EXPECT_NE(made.text("metadata/uid"), "mine");
  EXPECT_EQ(made.at("metadata/generation"), 1);
  EXPECT_TRUE(made.at("metadata/deletionTimestamp").is_null());
  EXPECT_EQ(made.text("status/phase"), "Pending");
}

TEST(Create, RefusesASecondObjectOfTheSameName) {
  ApiServerScene cluster;
  ASSERT_EQ(cluster.post(kPods, pod_json("web")).code, 201);
  const auto second = cluster.post(kPods, pod_json("web"));
  EXPECT_EQ(second.code, 409);
  EXPECT_EQ(second.text("reason"), "AlreadyExists");
  EXPECT_EQ(second.message(), "pods \"web\" already exists");
}

TEST(Create, FindsAnInvalidObjectBeforeAnExistingOne) {
  ApiServerScene cluster;
  ASSERT_EQ(cluster.post(kSets, replica_set_json("web", 1)).code, 201);
  EXPECT_EQ(cluster.post(kSets, replica_set_json("web", -1)).code, 422);
}

TEST(Create, MakesUpANameFromAPrefix) {
  ApiServerScene cluster;
  const std::string body =
      R"({"metadata":{"generateName":"web-"},"spec":{"containers":[{"name":"a","image":"b"}]}})";
  const auto first = cluster.post(kPods, body);
  const auto second = cluster.post(kPods, body);
  ASSERT_EQ(first.code, 201) << first.message();
  EXPECT_EQ(first.text("metadata/name").substr(0, 4), "web-");
  EXPECT_EQ(first.text("metadata/name").size(), 9U);
  EXPECT_NE(first.text("metadata/name"), second.text("metadata/name"));
}

TEST(Create, NeedsANamespaceThatExists) {
  ApiServerScene cluster;
  const auto made = cluster.post("/api/v1/namespaces/nowhere/pods", pod_json("web"));
  EXPECT_EQ(made.code, 404);
  EXPECT_EQ(made.message(), "namespaces \"nowhere\" not found");
}

TEST(Create, RefusesABodyForAnotherNamespace) {
  ApiServerScene cluster;
  const auto made =
      cluster.post(kMaps, R"({"metadata":{"name":"a","namespace":"kube-system"},"data":{}})");
  EXPECT_EQ(made.code, 400);
}

TEST(Create, WithDryRunShowsTheResultAndStoresNothing) {
  ApiServerScene cluster;
  const Revision before = cluster.server.published();
  const auto made = cluster.post(std::string(kPods) + "?dryRun=All", pod_json("web"));
  EXPECT_EQ(made.code, 201);
  EXPECT_EQ(made.text("metadata/name"), "web");
  EXPECT_EQ(cluster.get(in(kPods, "web")).code, 404);
  EXPECT_EQ(cluster.server.published(), before);
}

TEST(Create, RefusesUnknownFieldsOnlyWhenAskedToBeStrict) {
  ApiServerScene cluster;
  const std::string body = R"({"metadata":{"name":"a"},"data":{"x":"y"},"dada":{}})";
  EXPECT_EQ(cluster.post(std::string(kMaps) + "?fieldValidation=Strict", body).code, 400);
  const auto warned = cluster.post(kMaps, body);
  EXPECT_EQ(warned.code, 201);
  ASSERT_EQ(warned.warnings.size(), 1U);
  EXPECT_EQ(warned.warnings[0], "unknown field \"dada\"");
  EXPECT_TRUE(warned.at("dada").is_null());
}

TEST(Create, RefusesUnknownFormats) {
  ApiServerScene cluster;
  model::ApiRequest request;
  request.method = model::Method::kPost;
  request.path = kPods;
  request.content_type = "application/cbor";
  request.body = "k8s";
  EXPECT_EQ(cluster.send(request).code, 415);
  request.method = model::Method::kPatch;
  request.path = in(kPods, "web");
  request.content_type = "application/apply-patch+cbor";
  EXPECT_EQ(cluster.send(request).code, 415);
  ASSERT_EQ(cluster.post(kPods, pod_json("web")).code, 201);
  EXPECT_EQ(cluster.send(request).code, 415);
}

TEST(Get, OfAMissingObjectIsAStatus) {
  ApiServerScene cluster;
  const auto missing = cluster.get(in(kSets, "web"));
  EXPECT_EQ(missing.code, 404);
  EXPECT_EQ(missing.text("kind"), "Status");
  EXPECT_EQ(missing.text("reason"), "NotFound");
  EXPECT_EQ(missing.message(), "replicasets.apps \"web\" not found");
  EXPECT_EQ(missing.text("details/group"), "apps");
  EXPECT_EQ(cluster.get("/api/v1/cabbages").code, 404);
  EXPECT_EQ(cluster.get("/apis/batch/v1/jobs").code, 404);
}

TEST(Update, NeedsTheRevisionThatTheClientSawToBeTheLast) {
  ApiServerScene cluster;
  const auto made = cluster.post(kMaps, config_map_json("a"));
  const auto body = [&](std::string_view value, const std::string& revision) {
    return R"({"metadata":{"name":"a","resourceVersion":")" + revision + R"("},"data":{"value":")" +
           std::string(value) + "\"}}";
  };
  const std::string revision = made.text("metadata/resourceVersion");
  const auto updated = cluster.put(in(kMaps, "a"), body("y", revision));
  ASSERT_EQ(updated.code, 200) << updated.message();
  EXPECT_GT(std::stoll(updated.text("metadata/resourceVersion")), std::stoll(revision));
  const auto stale = cluster.put(in(kMaps, "a"), body("z", revision));
  EXPECT_EQ(stale.code, 409);
  EXPECT_EQ(stale.text("reason"), "Conflict");
  EXPECT_EQ(cluster.get(in(kMaps, "a")).text("data/value"), "y");
}

TEST(Update, WithoutARevisionWinsExceptForLeases) {
  ApiServerScene cluster;
  cluster.post(kMaps, config_map_json("a"));
  EXPECT_EQ(cluster.put(in(kMaps, "a"), config_map_json("a", "z")).code, 200);
  constexpr std::string_view kLeases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
  const std::string lease = R"({"metadata":{"name":"l"},"spec":{"holderIdentity":"me"}})";
  ASSERT_EQ(cluster.post(kLeases, lease).code, 201);
  const auto blind = cluster.put(in(kLeases, "l"), lease);
  EXPECT_EQ(blind.code, 422);
  EXPECT_EQ(blind.message(),
            "leases.coordination.k8s.io \"l\" is invalid: metadata.resourceVersion: "
            "Invalid value: 0: must be specified for an update");
}

TEST(Update, WithAForeignUidIsAConflict) {
  ApiServerScene cluster;
  cluster.post(kMaps, config_map_json("a"));
  EXPECT_EQ(cluster.put(in(kMaps, "a"), R"({"metadata":{"name":"a","uid":"other"}})").code, 409);
  EXPECT_EQ(cluster.patch(in(kMaps, "a"), "merge-patch", R"({"metadata":{"uid":"other"}})").code,
            422);
}

TEST(Update, ThatChangesNothingKeepsTheRevision) {
  ApiServerScene cluster;
  const auto made = cluster.post(kMaps, config_map_json("a"));
  const auto again = cluster.put(in(kMaps, "a"), config_map_json("a"));
  EXPECT_EQ(again.code, 200);
  EXPECT_EQ(again.body, made.body);
}

TEST(Update, OfAnObjectThatIsNotThereDoesNotCreateIt) {
  ApiServerScene cluster;
  EXPECT_EQ(cluster.put(in(kMaps, "a"), config_map_json("a")).code, 404);
}

TEST(Generation, CountsChangesOfTheSpecOnly) {
  ApiServerScene cluster;
  ASSERT_EQ(cluster.post(kSets, replica_set_json("web", 3)).code, 201);
  const std::string path = in(kSets, "web");
  EXPECT_EQ(cluster.patch(path, "merge-patch", R"({"metadata":{"labels":{"a":"b"}}})")
                .at("metadata/generation"),
            1);
  EXPECT_EQ(
      cluster.patch(path, "merge-patch", R"({"spec":{"replicas":5}})").at("metadata/generation"),
      2);
  EXPECT_EQ(cluster.patch(in(kSets, "web/status"), "merge-patch", R"({"status":{"replicas":4}})")
                .at("metadata/generation"),
            2);
}

TEST(Generation, CountsAnnotationsOfDeploymentsToo) {
  ApiServerScene cluster;
  constexpr std::string_view kDeployments = "/apis/apps/v1/namespaces/default/deployments";
  std::string body = replica_set_json("web", 3);
  body.replace(body.find("ReplicaSet"), 10, "Deployment");
  ASSERT_EQ(cluster.post(kDeployments, body).code, 201);
  const auto changed = [&](std::string_view patch) {
    return cluster.patch(in(kDeployments, "web"), "merge-patch", patch).at("metadata/generation");
  };
  EXPECT_EQ(changed(R"({"metadata":{"labels":{"a":"b"}}})"), 1);
  EXPECT_EQ(changed(R"({"metadata":{"annotations":{"a":"b"}}})"), 2);
}

TEST(Status, AndSpecAreIsolatedFromEachOther) {
  ApiServerScene cluster;
  ASSERT_EQ(cluster.post(kSets, replica_set_json("web", 3)).code, 201);
  const auto by_status = cluster.patch(in(kSets, "web/status"), "merge-patch",
                                       R"({"spec":{"replicas":9},"status":{"replicas":2},
                                           "metadata":{"labels":{"x":"y"}}})");
  ASSERT_EQ(by_status.code, 200) << by_status.message();
  EXPECT_EQ(by_status.at("spec/replicas"), 3);
  EXPECT_EQ(by_status.at("status/replicas"), 2);
  // Labels do get through on a ReplicaSet's status, as they do in Kubernetes.
  EXPECT_EQ(by_status.text("metadata/labels/x"), "y");
  const auto by_spec = cluster.patch(in(kSets, "web"), "merge-patch",
                                     R"({"spec":{"replicas":9},"status":{"replicas":7}})");
  EXPECT_EQ(by_spec.at("spec/replicas"), 9);
  EXPECT_EQ(by_spec.at("status/replicas"), 2);
}

TEST(Status, OfAPodCannotChangeItsOwners) {
  ApiServerScene cluster;
  ASSERT_EQ(cluster.post(kPods, pod_json("web")).code, 201);
  const auto patched = cluster.patch(in(kPods, "web/status"), "strategic-merge-patch",
                                     R"({"metadata":{"annotations":{"a":"b"},"ownerReferences":[
           {"apiVersion":"v1","kind":"X","name":"x","uid":"u"}]},"status":{"cost":7}})");
  ASSERT_EQ(patched.code, 200) << patched.message();
  EXPECT_EQ(patched.text("metadata/annotations/a"), "b");
  EXPECT_TRUE(patched.at("metadata/ownerReferences").is_null());
}

TEST(Status, IsTheOnlyWayToTheCostOfAPod) {
  ApiServerScene cluster;
  ASSERT_EQ(cluster.post(kPods, pod_json("web")).code, 201);
  const auto patched =
      cluster.patch(in(kPods, "web/status"), "merge-patch", R"({"status":{"cost":7}})");
  EXPECT_EQ(patched.at("status/cost"), 7);
  const auto direct = cluster.patch(in(kPods, "web"), "merge-patch", R"({"status":{"cost":1}})");
  EXPECT_EQ(direct.at("status/cost"), 7);
}

TEST(Patch, NamingARevisionIsAPrecondition) {
  ApiServerScene cluster;
  cluster.post(kMaps, config_map_json("a"));
  EXPECT_EQ(cluster
                .patch(in(kMaps, "a"), "merge-patch",
                       R"({"metadata":{"resourceVersion":"1"},"data":{"value":"z"}})")
                .code,
            409);
}

TEST(Patch, OfCustomKindsIsNotStrategic) {
  ApiServerScene cluster;
  constexpr std::string_view kCosts = "/apis/ebb.dev/v1alpha1/namespaces/default/podgroupcosts";
  const auto made = cluster.post(
      kCosts, R"({"apiVersion":"ebb.dev/v1alpha1","kind":"PodGroupCost","metadata":{"name":"c"},
                  "spec":{"owner":{"kind":"ReplicaSet","name":"web"},"costs":{"web-1":3}}})");
  ASSERT_EQ(made.code, 201) << made.message();
  EXPECT_EQ(cluster.patch(in(kCosts, "c"), "strategic-merge-patch", "{}").code, 415);
  const auto merged =
      cluster.patch(in(kCosts, "c"), "merge-patch", R"({"spec":{"costs":{"web-2":4}}})");
  EXPECT_EQ(merged.at("spec/costs/web-2"), 4);
  EXPECT_EQ(merged.at("spec/costs/web-1"), 3);
}

TEST(Patch, ThatDoesNotFitTheSchemaIsInvalid) {
  ApiServerScene cluster;
  cluster.post(kMaps, config_map_json("a"));
  const auto refused =
      cluster.patch(in(kMaps, "a") + "?fieldValidation=Strict", "merge-patch", R"({"dada":{}})");
  EXPECT_EQ(refused.code, 422);
  EXPECT_EQ(refused.text("details/causes/0/field"), "patch");
  EXPECT_NE(refused.message().find("unknown field \"dada\""), std::string::npos);
}

TEST(Patch, ThatRenamesTheObjectIsRefused) {
  ApiServerScene cluster;
  cluster.post(kMaps, config_map_json("a"));
  EXPECT_EQ(cluster.patch(in(kMaps, "a"), "merge-patch", R"({"metadata":{"name":"b"}})").code, 400);
}

TEST(Scale, IsCheckedLikeAnyBody) {
  ApiServerScene cluster;
  cluster.post(kSets, replica_set_json("web", 3));
  const std::string path = in(kSets, "web/scale");
  EXPECT_EQ(cluster.put(path, R"({"kind":"Foo","spec":{"replicas":2}})").code, 400);
  EXPECT_EQ(cluster.put(path, R"({"metadata":{"name":"other"},"spec":{"replicas":2}})").code, 400);
  EXPECT_EQ(cluster
                .patch(path + "?fieldValidation=Strict", "merge-patch",
                       R"({"spec":{"replicas":2,"x":1}})")
                .code,
            422);
  EXPECT_EQ(cluster.get(in(kSets, "web")).at("spec/replicas"), 3);
}

TEST(Scale, ReadsAndWritesReplicas) {
  ApiServerScene cluster;
  cluster.post(kSets, replica_set_json("web", 3));
  const auto scale = cluster.get(in(kSets, "web/scale"));
  EXPECT_EQ(scale.text("kind"), "Scale");
  EXPECT_EQ(scale.at("spec/replicas"), 3);
  EXPECT_EQ(scale.text("status/selector"), "app=web");
  const auto patched =
      cluster.patch(in(kSets, "web/scale"), "merge-patch", R"({"spec":{"replicas":1}})");
  EXPECT_EQ(patched.code, 200) << patched.message();
  EXPECT_EQ(patched.at("spec/replicas"), 1);
  EXPECT_EQ(cluster.get(in(kSets, "web")).at("spec/replicas"), 1);
  EXPECT_EQ(cluster.get(in(kSets, "web")).at("metadata/generation"), 2);
  EXPECT_EQ(cluster
                .put(in(kSets, "web/scale"), R"({"metadata":{"name":"web","resourceVersion":"1"},
                                                   "spec":{"replicas":2}})")
                .code,
            409);
  EXPECT_EQ(
      cluster.patch(in(kSets, "web/scale"), "merge-patch", R"({"spec":{"replicas":-1}})").code,
      422);
  EXPECT_EQ(cluster.get(in(kPods, "web/scale")).code, 404);
}

TEST(Binding, AssignsAPodOnce) {
  ApiServerScene cluster;
  cluster.post(kPods, pod_json("web"));
  const auto bound =
      cluster.post(in(kPods, "web/binding"), R"({"target":{"kind":"Node","name":"n1"}})");
  EXPECT_EQ(bound.code, 201) << bound.message();
  const auto pod = cluster.get(in(kPods, "web"));
  EXPECT_EQ(pod.text("spec/nodeName"), "n1");
  EXPECT_EQ(pod.text("status/conditions/0/type"), "PodScheduled");
  EXPECT_EQ(cluster.post(in(kPods, "web/binding"), R"({"target":{"name":"n2"}})").code, 409);
  EXPECT_EQ(cluster.get(in(kPods, "web")).text("spec/nodeName"), "n1");
}

TEST(Binding, CopiesTheZoneOfTheNodeToThePod) {
  ApiServerScene cluster;
  cluster.post("/api/v1/nodes", R"({"metadata":{"name":"n1","labels":{
      "topology.kubernetes.io/zone":"zone-a","kubernetes.io/os":"linux"}}})");
  cluster.post(kPods, pod_json("web"));
  ASSERT_EQ(cluster.post(in(kPods, "web/binding"), R"({"target":{"name":"n1"}})").code, 201);
  EXPECT_EQ(cluster.get(in(kPods, "web")).text("metadata/labels"),
            R"({"topology.kubernetes.io/zone":"zone-a"})");
}

TEST(Secrets, HaveTheirPlainTextsEncoded) {
  ApiServerScene cluster;
  const auto made = cluster.post("/api/v1/namespaces/default/secrets",
                                 R"({"metadata":{"name":"s"},"stringData":{"token":"abc"}})");
  ASSERT_EQ(made.code, 201) << made.message();
  EXPECT_EQ(made.text("data/token"), "YWJj");
  EXPECT_TRUE(made.at("stringData").is_null());
}

TEST(PickerField, IsServedOnReplicaSetsWithItsDefaults) {
  ApiServerScene cluster;
  ASSERT_EQ(cluster.post(kSets, replica_set_json("web", 3)).code, 201);
  const auto set = [&](std::string_view picker) {
    return cluster.patch(in(kSets, "web"), "strategic-merge-patch",
                         R"({"spec":{"downscalePodPicker":)" + std::string(picker) + "}}");
  };
  const auto stored = set(R"({"http":{"host":"picker.shop.svc","httpHeaders":[
      {"name":"authorization","valueFrom":{"secretKeyRef":{"name":"picker","key":"token"}}}]}})");
  ASSERT_EQ(stored.code, 200) << stored.message();
  EXPECT_EQ(stored.at("spec/downscalePodPicker/timeoutSeconds"), 1);
  EXPECT_EQ(stored.at("spec/downscalePodPicker/maxRetries"), 3);
  EXPECT_EQ(stored.text("spec/downscalePodPicker/http/scheme"), "http");
  EXPECT_EQ(stored.at("spec/downscalePodPicker/http/port"), 80);
  EXPECT_EQ(stored.text("spec/downscalePodPicker/http/httpHeaders/0/valueFrom/secretKeyRef/key"),
            "token");
  EXPECT_EQ(set(R"({"grpc":{"host":"picker","port":1}})").code, 422) << "both at once";
  EXPECT_EQ(set("null").code, 200);
  EXPECT_TRUE(cluster.get(in(kSets, "web")).at("spec/downscalePodPicker").is_null());
}

TEST(DeletionCost, ThatIsNotANumberIsRefusedByName) {
  ApiServerScene cluster;
  ASSERT_EQ(cluster.post(kPods, pod_json("web")).code, 201);
  const auto refused = cluster.patch(
      in(kPods, "web"), "merge-patch",
      R"({"metadata":{"annotations":{"controller.kubernetes.io/pod-deletion-cost":"+10"}}})");
  EXPECT_EQ(refused.code, 422);
  EXPECT_EQ(refused.text("details/causes/0/field"),
            "metadata.annotations[controller.kubernetes.io/pod-deletion-cost]");
  EXPECT_NE(refused.message().find("must be a 32bit integer"), std::string::npos);
}

TEST(Methods, ThatMakeNoSenseAreRefused) {
  ApiServerScene cluster;
  EXPECT_EQ(cluster.put(kPods, pod_json("web")).code, 405);
  EXPECT_EQ(cluster.post("/api/v1/pods", pod_json("web")).code, 405);
  EXPECT_EQ(cluster.remove(in(kSets, "web/status")).code, 405);
  // A collection cannot be deleted across all namespaces.
  cluster.post(kPods, pod_json("web"));
  EXPECT_EQ(cluster.remove("/api/v1/pods").code, 405);
  EXPECT_EQ(cluster.get(in(kPods, "web")).code, 200);
}

}  // namespace
}  // namespace ebb::apiserver
