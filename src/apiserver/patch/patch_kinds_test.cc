// Strategic merge patches as kubectl and controllers send them, on the kinds that they are meant
// for.
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include "apiserver/patch/patch.h"
#include "schema/core/kind.h"

namespace ebb::apiserver {
namespace {

namespace json = boost::json;

struct Case {
  const char* what;
  const char* group;
  const char* plural;
  const char* document;
  const char* patch;
  const char* expected;
};

constexpr Case kCases[] = {
    {"kubectl set image", "apps", "deployments",
     R"({"spec":{"replicas":2,"template":{"spec":{"containers":[
         {"name":"web","image":"web:1","env":[{"name":"A","value":"1"}]},{"name":"log"}]}}}})",
     R"({"spec":{"template":{"spec":{"$setElementOrder/containers":[{"name":"web"},{"name":"log"}],
         "containers":[{"name":"web","image":"web:2"}]}}}})",
     R"({"spec":{"replicas":2,"template":{"spec":{"containers":[
         {"name":"web","image":"web:2","env":[{"name":"A","value":"1"}]},{"name":"log"}]}}}})"},
    {"kubectl rollout restart", "apps", "deployments", R"({"spec":{"template":{"spec":{}}}})",
     R"({"spec":{"template":{"metadata":{"annotations":{"kubectl.kubernetes.io/restartedAt":"x"}}}}})",
     R"({"spec":{"template":{"spec":{},
         "metadata":{"annotations":{"kubectl.kubernetes.io/restartedAt":"x"}}}}})"},
    {"kubectl apply of another strategy", "apps", "deployments",
     R"({"spec":{"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":"25%"}}}})",
     R"({"spec":{"strategy":{"$retainKeys":["type"],"type":"Recreate"}}})",
     R"({"spec":{"strategy":{"type":"Recreate"}}})"},
    {"kubectl apply that turns a volume into another", "apps", "deployments",
     R"({"spec":{"template":{"spec":{"volumes":[{"name":"data","emptyDir":{}},{"name":"x"}]}}}})",
     R"({"spec":{"template":{"spec":{"$setElementOrder/volumes":[{"name":"data"},{"name":"x"}],
         "volumes":[{"$retainKeys":["configMap","name"],"name":"data","configMap":{"name":"c"}}]}}}})",
     R"({"spec":{"template":{"spec":{"volumes":[
         {"name":"data","configMap":{"name":"c"}},{"name":"x"}]}}}})"},
    {"mounts by path, ports by number, items as a whole", "", "pods",
     R"({"spec":{"volumes":[{"name":"v","configMap":{"name":"c","items":[{"key":"a","path":"a"}]}}],
         "containers":[{"name":"web","ports":[{"containerPort":80,"name":"http"}],
         "volumeMounts":[{"mountPath":"/a","name":"v"},{"mountPath":"/b","name":"v"}]}]}})",
     R"({"spec":{"volumes":[{"name":"v","configMap":{"items":[{"key":"b","path":"b"}]}}],
         "containers":[{"name":"web","ports":[{"containerPort":80,"protocol":"UDP"}],
         "volumeMounts":[{"mountPath":"/b","readOnly":true},{"$patch":"delete","mountPath":"/a"}]}]}})",
     R"({"spec":{"volumes":[{"name":"v","configMap":{"name":"c","items":[{"key":"b","path":"b"}]}}],
         "containers":[{"name":"web","ports":[{"containerPort":80,"name":"http","protocol":"UDP"}],
         "volumeMounts":[{"mountPath":"/b","name":"v","readOnly":true}]}]}})"},
    {"tolerations as a whole", "", "pods",
     R"({"spec":{"tolerations":[{"key":"a"},{"key":"b"}],"imagePullSecrets":[{"name":"s"}]}})",
     R"({"spec":{"tolerations":[{"key":"c"}],"imagePullSecrets":[{"name":"t"}]}})",
     R"({"spec":{"tolerations":[{"key":"c"}],"imagePullSecrets":[{"name":"t"},{"name":"s"}]}})"},
    {"conditions by type", "", "pods",
     R"({"status":{"conditions":[{"type":"Ready","status":"False"},{"type":"PodScheduled"}]}})",
     R"({"status":{"conditions":[{"type":"Ready","status":"True"}]}})",
     R"({"status":{"conditions":[{"type":"Ready","status":"True"},{"type":"PodScheduled"}]}})"},
    {"kubectl taint and cordon", "", "nodes", R"({"spec":{"taints":[{"key":"a"},{"key":"b"}]}})",
     R"({"spec":{"taints":[{"key":"b"}],"unschedulable":true}})",
     R"({"spec":{"taints":[{"key":"b"}],"unschedulable":true}})"},
    {"adoption", "", "pods",
     R"({"metadata":{"uid":"p","finalizers":["f"],"ownerReferences":[{"uid":"j","kind":"Job"}]}})",
     R"({"metadata":{"uid":"p","ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet",
         "name":"web","uid":"r","controller":true,"blockOwnerDeletion":true}]}})",
     R"({"metadata":{"uid":"p","finalizers":["f"],"ownerReferences":[
         {"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":"r","controller":true,
         "blockOwnerDeletion":true},{"uid":"j","kind":"Job"}]}})"},
    {"release", "", "pods",
     R"({"metadata":{"uid":"p","ownerReferences":[{"uid":"r"},{"uid":"j"}]}})",
     R"({"metadata":{"uid":"p","ownerReferences":[{"$patch":"delete","uid":"r"}]}})",
     R"({"metadata":{"uid":"p","ownerReferences":[{"uid":"j"}]}})"},
};

TEST(StrategicMergePatch, KnowsTheListsOfRealKinds) {
  for (const Case& one : kCases) {
    const schema::Kind* kind = schema::find_kind(one.group, "v1", one.plural);
    ASSERT_NE(kind, nullptr) << one.plural;
    const auto result = strategic_merge_patch(*kind->schema, json::parse(one.document).as_object(),
                                              json::parse(one.patch).as_object());
    ASSERT_TRUE(result) << one.what << ": " << result.error().message;
    EXPECT_EQ(json::serialize(*result), json::serialize(json::parse(one.expected))) << one.what;
  }
}

}  // namespace
}  // namespace ebb::apiserver
