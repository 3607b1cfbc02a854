#include "schema/schemas/defaults.h"

#include <string>
#include <string_view>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include "schema/core/json.h"

namespace ebb::schema {
namespace {

json::object parsed(std::string_view text) { return json::parse(text).as_object(); }

using Change = void (*)(json::object&);

// The result of a function on an object. The order of members does not matter.
void expect_change(Change change, std::string_view before, std::string_view after) {
  json::object object = parsed(before);
  change(object);
  EXPECT_EQ(object, parsed(after)) << before << " became " << json::serialize(object);
}

TEST(Defaults, PullImagesWhoseTagMoves) {
  struct Case {
    std::string_view image;
    std::string_view policy;
  };
  const Case cases[] = {
      {"nginx", "Always"},
      {"nginx:latest", "Always"},
      {"nginx:1.29", "IfNotPresent"},
      {"registry.example:5000/web", "Always"},
      {"registry.example:5000/web:2", "IfNotPresent"},
      {"registry.example:5000/team/web:latest", "Always"},
      {"web@sha256:0123", "IfNotPresent"},
      {"web:latest@sha256:0123", "Always"},
      {"web:2@sha256:0123", "IfNotPresent"},
      {"", "IfNotPresent"},
  };
  for (const Case& each : cases) {
    json::object container;
    container["image"] = each.image;
    default_image_pull_policy(container);
    EXPECT_EQ(text_at(container, {"imagePullPolicy"}), each.policy) << each.image;
    json::object volume;
    volume["reference"] = each.image;
    default_image_volume_pull_policy(volume);
    EXPECT_EQ(text_at(volume, {"pullPolicy"}), each.policy) << each.image;
  }
}

TEST(Defaults, GiveAVolumeWithoutSourceAnEmptyDirectory) {
  expect_change(default_volume_source, R"({"name": "a"})", R"({"name": "a", "emptyDir": {}})");
  expect_change(default_volume_source, R"({"name": "a", "secret": {}})",
                R"({"name": "a", "secret": {}})");
}

TEST(Defaults, KeepBothNamesOfTheServiceAccount) {
  expect_change(default_service_account_name, R"({"serviceAccount": "a"})",
                R"({"serviceAccount": "a", "serviceAccountName": "a"})");
  expect_change(complete_pod_spec, R"({"serviceAccountName": "a"})",
                R"({"serviceAccount": "a", "serviceAccountName": "a"})");
  expect_change(complete_pod_spec, R"({"serviceAccountName": "a", "serviceAccount": "b"})",
                R"({"serviceAccount": "a", "serviceAccountName": "a"})");
  expect_change(complete_pod_spec, "{}", "{}");
}

TEST(Defaults, RollOnlyWhatIsRolled) {
  expect_change(default_rolling_update, R"({"type": "RollingUpdate"})",
                R"({"type": "RollingUpdate", "rollingUpdate": {}})");
  expect_change(default_rolling_update, R"({"type": "Recreate"})", R"({"type": "Recreate"})");
}

TEST(Defaults, OfServicesDependOnTheType) {
  expect_change(complete_service_port, R"({"port": 80})", R"({"port": 80, "targetPort": 80})");
  expect_change(default_internal_traffic, R"({"type": "ClusterIP"})",
                R"({"type": "ClusterIP", "internalTrafficPolicy": "Cluster"})");
  expect_change(default_internal_traffic, R"({"type": "ExternalName"})",
                R"({"type": "ExternalName"})");
  expect_change(default_external_traffic, R"({"type": "NodePort"})",
                R"({"type": "NodePort", "externalTrafficPolicy": "Cluster"})");
  expect_change(default_external_traffic, R"({"type": "ClusterIP"})", R"({"type": "ClusterIP"})");
  expect_change(default_node_ports, R"({"type": "LoadBalancer"})",
                R"({"type": "LoadBalancer", "allocateLoadBalancerNodePorts": true})");
  expect_change(default_session_affinity, R"({"sessionAffinity": "ClientIP"})",
                R"({"sessionAffinity": "ClientIP", "sessionAffinityConfig": {"clientIP": {}}})");
}

TEST(Defaults, TakeThePortOfAPickerFromItsScheme) {
  expect_change(default_http_picker_port, R"({"scheme": "http"})",
                R"({"scheme": "http", "port": 80})");
  expect_change(default_http_picker_port, R"({"scheme": "HTTPS"})",
                R"({"scheme": "HTTPS", "port": 443})");
  expect_change(default_grpc_picker_port, R"({"tls": true})", R"({"tls": true, "port": 443})");
  expect_change(default_grpc_picker_port, "{}", R"({"port": 80})");
}

TEST(Defaults, OfANodeAllocateAllItsCapacity) {
  expect_change(default_allocatable, R"({"capacity": {"cpu": "2"}})",
                R"({"capacity": {"cpu": "2"}, "allocatable": {"cpu": "2"}})");
  expect_change(default_allocatable, "{}", "{}");
}

TEST(Defaults, OfAPodRequestWhatIsLimited) {
  expect_change(complete_pod, R"({"spec": {"containers": [
      {"resources": {"limits": {"cpu": "1", "memory": "1Gi"}, "requests": {"cpu": "100m"}}},
      {"resources": {"requests": {"cpu": "1"}}},
      {}
    ], "initContainers": [{"resources": {"limits": {"cpu": "2"}}}], "enableServiceLinks": false}})",
                R"({"spec": {"containers": [
      {"resources": {"limits": {"cpu": "1", "memory": "1Gi"},
                     "requests": {"cpu": "100m", "memory": "1Gi"}}},
      {"resources": {"requests": {"cpu": "1"}}},
      {}
    ], "initContainers": [{"resources": {"limits": {"cpu": "2"}, "requests": {"cpu": "2"}}}],
    "enableServiceLinks": false}})");
}

TEST(Defaults, OfAPodOnTheHostsNetworkOpenHostPorts) {
  expect_change(complete_pod, R"({"spec": {"hostNetwork": true, "containers": [
      {"ports": [{"containerPort": 80}, {"containerPort": 81, "hostPort": 81}]}]}})",
                R"({"spec": {"hostNetwork": true, "enableServiceLinks": true, "containers": [
      {"ports": [{"containerPort": 80, "hostPort": 80}, {"containerPort": 81, "hostPort": 81}]}]}})");
  expect_change(complete_pod, R"({"spec": {"containers": [{"ports": [{"containerPort": 80}]}]}})",
                R"({"spec": {"enableServiceLinks": true,
                             "containers": [{"ports": [{"containerPort": 80}]}]}})");
}

TEST(Defaults, LabelANamespaceWithItsName) {
  expect_change(complete_namespace, R"({"metadata": {"name": "shop", "labels": {"a": "b"}}})",
                R"({"metadata": {"name": "shop",
                    "labels": {"a": "b", "kubernetes.io/metadata.name": "shop"}}})");
  expect_change(complete_namespace, R"({"metadata": {"generateName": "shop-"}})",
                R"({"metadata": {"generateName": "shop-"}})");
}

}  // namespace
}  // namespace ebb::schema
