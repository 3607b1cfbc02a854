#include <string>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include "apiserver/patch/patch.h"
#include "support/objects/patch_schemas.h"

namespace ebb::apiserver {
namespace {

namespace json = boost::json;
using testing::kObject;

model::StatusOr<json::object> patched(const char* document, const char* patch) {
  return strategic_merge_patch(kObject, json::parse(document).as_object(),
                               json::parse(patch).as_object());
}

struct Case {
  const char* what;
  const char* document;
  const char* patch;
  const char* expected;
};

void check(const Case& one) {
  const auto result = patched(one.document, one.patch);
  ASSERT_TRUE(result) << one.what << ": " << result.error().message;
  EXPECT_EQ(json::serialize(*result), json::serialize(json::parse(one.expected))) << one.what;
}

constexpr Case kMaps[] = {
    {"nothing", R"({"spec":{"replicas":1}})", R"({})", R"({"spec":{"replicas":1}})"},
    {"fields merge", R"({"metadata":{"labels":{"a":"1","b":"2"}}})",
     R"({"metadata":{"labels":{"b":"3","c":"4"}}})",
     R"({"metadata":{"labels":{"a":"1","b":"3","c":"4"}}})"},
    {"null removes", R"({"metadata":{"name":"x","labels":{"a":"1","b":"2"}}})",
     R"({"metadata":{"labels":{"a":null,"z":null}}})",
     R"({"metadata":{"name":"x","labels":{"b":"2"}}})"},
    {"null in what is new is dropped", R"({})",
     R"({"spec":{"containers":[{"name":"a","image":null}],"strategy":{"type":null}}})",
     R"({"spec":{"containers":[{"name":"a"}],"strategy":{}}})"},
    {"replace", R"({"spec":{"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":1}}}})",
     R"({"spec":{"strategy":{"$patch":"replace","type":"Recreate"}}})",
     R"({"spec":{"strategy":{"type":"Recreate"}}})"},
    {"replace of what is not there", R"({})",
     R"({"spec":{"strategy":{"$patch":"replace","type":"Recreate"}}})",
     R"({"spec":{"strategy":{"type":"Recreate"}}})"},
    {"delete leaves an empty map", R"({"spec":{"strategy":{"type":"Recreate"},"replicas":1}})",
     R"({"spec":{"strategy":{"$patch":"delete","type":"x"}}})",
     R"({"spec":{"strategy":{},"replicas":1}})"},
    {"delete of what is not there", R"({"spec":{}})",
     R"({"spec":{"strategy":{"$patch":"delete"}}})", R"({"spec":{}})"},
    {"merge is the default", R"({"metadata":{"labels":{"a":"1"}}})",
     R"({"metadata":{"$patch":"merge","labels":{"b":"2"}}})",
     R"({"metadata":{"labels":{"a":"1","b":"2"}}})"},
    {"the whole document", R"({"spec":{"replicas":1}})",
     R"({"$patch":"replace","metadata":{"name":"x"}})", R"({"metadata":{"name":"x"}})"},
    {"retained keys",
     R"({"spec":{"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":1}}}})",
     R"({"spec":{"strategy":{"$retainKeys":["type"],"type":"Recreate"}}})",
     R"({"spec":{"strategy":{"type":"Recreate"}}})"},
    {"retained keys that are only kept",
     R"({"spec":{"strategy":{"type":"A","rollingUpdate":{},"x":1}}})",
     R"({"spec":{"strategy":{"$retainKeys":["type","rollingUpdate"],"rollingUpdate":{"maxSurge":2},"x":null}}})",
     R"({"spec":{"strategy":{"type":"A","rollingUpdate":{"maxSurge":2}}}})"},
    {"another type takes the place", R"({"spec":{"strategy":{"type":"A"}}})",
     R"({"spec":{"strategy":["x"]}})", R"({"spec":{"strategy":["x"]}})"},
    {"unknown maps merge, unknown lists are replaced",
     R"({"x":{"y":{"a":1},"l":[{"name":"a","v":1}]}})",
     R"({"x":{"y":{"b":2},"l":[{"name":"a","w":null}]}})",
     R"({"x":{"y":{"a":1,"b":2},"l":[{"name":"a"}]}})"},
    {"maps of structures",
     R"({"spec":{"templates":{"t":{"image":"i","ports":[{"containerPort":1}]}}}})",
     R"({"spec":{"templates":{"t":{"ports":[{"containerPort":1,"protocol":"UDP"}]},"u":{"image":"j"}}}})",
     R"({"spec":{"templates":{"t":{"image":"i","ports":[{"containerPort":1,"protocol":"UDP"}]},"u":{"image":"j"}}}})"},
};

TEST(StrategicMergePatch, MergesMaps) {
  for (const Case& one : kMaps) check(one);
}

constexpr Case kKeyedLists[] = {
    {"an entry is found by its key",
     R"({"spec":{"containers":[{"name":"a","image":"1"},{"name":"b","image":"2"}]}})",
     R"({"spec":{"containers":[{"name":"b","image":"3"}]}})",
     R"({"spec":{"containers":[{"name":"a","image":"1"},{"name":"b","image":"3"}]}})"},
    {"a new entry comes first", R"({"spec":{"containers":[{"name":"a"},{"name":"b"}]}})",
     R"({"spec":{"containers":[{"name":"c"}]}})",
     R"({"spec":{"containers":[{"name":"c"},{"name":"a"},{"name":"b"}]}})"},
    {"a new entry between two that are there",
     R"({"spec":{"containers":[{"name":"a"},{"name":"b"},{"name":"c"}]}})",
     R"({"spec":{"containers":[{"name":"a"},{"name":"x"},{"name":"c"}]}})",
     R"({"spec":{"containers":[{"name":"a"},{"name":"x"},{"name":"b"},{"name":"c"}]}})"},
    {"the patch's order counts",
     R"({"spec":{"containers":[{"name":"a"},{"name":"b"},{"name":"c"}]}})",
     R"({"spec":{"containers":[{"name":"c"},{"name":"a"}]}})",
     R"({"spec":{"containers":[{"name":"b"},{"name":"c"},{"name":"a"}]}})"},
    {"keys that are numbers",
     R"({"spec":{"containers":[{"name":"a","ports":[{"containerPort":80},{"containerPort":443}]}]}})",
     R"({"spec":{"containers":[{"name":"a","ports":[{"containerPort":443,"protocol":"UDP"}]}]}})",
     R"({"spec":{"containers":[{"name":"a","ports":[{"containerPort":80},{"containerPort":443,"protocol":"UDP"}]}]}})"},
    {"a number is not its text", R"({"spec":{"containers":[{"name":"1"}]}})",
     R"({"spec":{"containers":[{"name":1}]}})",
     R"({"spec":{"containers":[{"name":1},{"name":"1"}]}})"},
    {"the same key twice in the document: the first is meant",
     R"({"spec":{"containers":[{"name":"a","ports":[{"containerPort":53,"protocol":"TCP"},{"containerPort":53,"protocol":"UDP"}]}]}})",
     R"({"spec":{"containers":[{"name":"a","ports":[{"containerPort":53,"hostPort":1}]}]}})",
     R"({"spec":{"containers":[{"name":"a","ports":[{"containerPort":53,"protocol":"TCP","hostPort":1},{"containerPort":53,"protocol":"UDP"}]}]}})"},
    {"the same key twice in a new list: both stay", R"({"spec":{"containers":[{"name":"a"}]}})",
     R"({"spec":{"containers":[{"name":"a","ports":[{"containerPort":53,"protocol":"TCP"},{"containerPort":53,"protocol":"UDP"}]}]}})",
     R"({"spec":{"containers":[{"name":"a","ports":[{"containerPort":53,"protocol":"TCP"},{"containerPort":53,"protocol":"UDP"}]}]}})"},
    {"a new list needs no keys yet", R"({"spec":{}})", R"({"spec":{"containers":[{"image":"i"}]}})",
     R"({"spec":{"containers":[{"image":"i"}]}})"},
    {"delete", R"({"spec":{"containers":[{"name":"a"},{"name":"b"},{"name":"c"}]}})",
     R"({"spec":{"containers":[{"$patch":"delete","name":"b"}]}})",
     R"({"spec":{"containers":[{"name":"a"},{"name":"c"}]}})"},
    {"delete of what is not there", R"({"spec":{"containers":[{"name":"a"}]}})",
     R"({"spec":{"containers":[{"$patch":"delete","name":"z"}]}})",
     R"({"spec":{"containers":[{"name":"a"}]}})"},
    {"delete and add the same key",
     R"({"spec":{"containers":[{"name":"a","image":"1","command":["x"]}]}})",
     R"({"spec":{"containers":[{"name":"a","image":"2"},{"$patch":"delete","name":"a"}]}})",
     R"({"spec":{"containers":[{"name":"a","image":"2"}]}})"},
    {"delete, change and add",
     R"({"spec":{"containers":[{"name":"a"},{"name":"b"},{"name":"c"}]}})",
     R"({"spec":{"containers":[{"$patch":"delete","name":"a"},{"name":"c","image":"3"},{"name":"d"}]}})",
     R"({"spec":{"containers":[{"name":"b"},{"name":"c","image":"3"},{"name":"d"}]}})"},
    {"replace", R"({"spec":{"containers":[{"name":"a","image":"1"},{"name":"b"}]}})",
     R"({"spec":{"containers":[{"$patch":"replace"},{"name":"a","command":null},{"name":"d"}]}})",
     R"({"spec":{"containers":[{"name":"a"},{"name":"d"}]}})"},
    {"replace keeps entries with the same key apart",
     R"({"spec":{"containers":[{"name":"a","ports":[{"containerPort":80}]}]}})",
     R"({"spec":{"containers":[{"name":"a","ports":[{"containerPort":53,"protocol":"TCP"},{"containerPort":53,"protocol":"UDP"},{"$patch":"replace"}]}]}})",
     R"({"spec":{"containers":[{"name":"a","ports":[{"containerPort":53,"protocol":"TCP"},{"containerPort":53,"protocol":"UDP"}]}]}})"},
    {"merge, spelled out", R"({"spec":{"containers":[{"name":"a","image":"1"}]}})",
     R"({"spec":{"containers":[{"$patch":"merge","name":"a","command":["x"]}]}})",
     R"({"spec":{"containers":[{"name":"a","image":"1","command":["x"]}]}})"},
    {"directives in what is new are obeyed or dropped", R"({})",
     R"({"spec":{"$retainKeys":["containers"],"$setElementOrder/containers":[{"name":"b"}],
         "containers":[{"$patch":"delete","name":"a"},{"name":"b","$retainKeys":["name","ports"],
         "ports":[{"$patch":"replace"},{"containerPort":1}]}]}})",
     R"({"spec":{"containers":[{"name":"b","ports":[{"containerPort":1}]}]}})"},
};

TEST(StrategicMergePatch, MergesListsByTheirKeys) {
  for (const Case& one : kKeyedLists) check(one);
}

constexpr Case kPlainLists[] = {
    {"lists without a key are replaced", R"({"spec":{"tolerations":[{"key":"a"},{"key":"b"}]}})",
     R"({"spec":{"tolerations":[{"key":"c"}]}})", R"({"spec":{"tolerations":[{"key":"c"}]}})"},
    {"replaced lists hold no directives", R"({"spec":{"tolerations":[{"key":"a"}]}})",
     R"({"spec":{"tolerations":[{"$patch":"replace"},{"key":"c"},{"$patch":"delete","key":"d"}]}})",
     R"({"spec":{"tolerations":[{"key":"c"}]}})"},
    {"plain values are replaced", R"({"spec":{"containers":[{"name":"a","command":["x","y"]}]}})",
     R"({"spec":{"containers":[{"name":"a","command":["z"]}]}})",
     R"({"spec":{"containers":[{"name":"a","command":["z"]}]}})"},
    {"sets are united, new values first", R"({"metadata":{"finalizers":["a","b"]}})",
     R"({"metadata":{"finalizers":["b","c"]}})", R"({"metadata":{"finalizers":["a","b","c"]}})"},
    {"a new value of a set", R"({"metadata":{"finalizers":["a","b"]}})",
     R"({"metadata":{"finalizers":["c"]}})", R"({"metadata":{"finalizers":["c","a","b"]}})"},
    {"values taken out", R"({"metadata":{"finalizers":["a","b","c"]}})",
     R"({"metadata":{"$deleteFromPrimitiveList/finalizers":["b","z"]}})",
     R"({"metadata":{"finalizers":["a","c"]}})"},
    {"values taken out and put in", R"({"metadata":{"finalizers":["a","b"]}})",
     R"({"metadata":{"$deleteFromPrimitiveList/finalizers":["a"],"finalizers":["c"],"$setElementOrder/finalizers":["b","c"]}})",
     R"({"metadata":{"finalizers":["b","c"]}})"},
    {"taken out of nothing", R"({"metadata":{}})",
     R"({"metadata":{"$deleteFromPrimitiveList/finalizers":["a"]}})", R"({"metadata":{}})"},
    {"the last one goes by null", R"({"metadata":{"finalizers":["a"]}})",
     R"({"metadata":{"finalizers":null}})", R"({"metadata":{}})"},
};

TEST(StrategicMergePatch, ReplacesOrUnitesListsWithoutKeys) {
  for (const Case& one : kPlainLists) check(one);
}

constexpr Case kOrders[] = {
    {"only the order", R"({"spec":{"containers":[{"name":"a","image":"1"},{"name":"b"}]}})",
     R"({"spec":{"$setElementOrder/containers":[{"name":"b"},{"name":"a"}]}})",
     R"({"spec":{"containers":[{"name":"b"},{"name":"a","image":"1"}]}})"},
    {"a new entry at the end", R"({"spec":{"containers":[{"name":"a"},{"name":"b"}]}})",
     R"({"spec":{"$setElementOrder/containers":[{"name":"a"},{"name":"b"},{"name":"c"}],"containers":[{"name":"c"}]}})",
     R"({"spec":{"containers":[{"name":"a"},{"name":"b"},{"name":"c"}]}})"},
    {"entries of others stay behind what they stood behind",
     R"({"spec":{"containers":[{"name":"a"},{"name":"other"},{"name":"b"}]}})",
     R"({"spec":{"$setElementOrder/containers":[{"name":"a"},{"name":"b"},{"name":"c"}],"containers":[{"name":"c"}]}})",
     R"({"spec":{"containers":[{"name":"a"},{"name":"other"},{"name":"b"},{"name":"c"}]}})"},
    {"entries of others at the end",
     R"({"spec":{"containers":[{"name":"a"},{"name":"b"},{"name":"other"}]}})",
     R"({"spec":{"$setElementOrder/containers":[{"name":"b"},{"name":"a"}]}})",
     R"({"spec":{"containers":[{"name":"b"},{"name":"a"},{"name":"other"}]}})"},
    {"as kubectl apply removes an entry", R"({"spec":{"containers":[{"name":"a"},{"name":"b"}]}})",
     R"({"spec":{"$setElementOrder/containers":[{"name":"b"}],"containers":[{"$patch":"delete","name":"a"}]}})",
     R"({"spec":{"containers":[{"name":"b"}]}})"},
    {"a new list", R"({"spec":{}})",
     R"({"spec":{"$setElementOrder/containers":[{"name":"a"},{"name":"b"}],"containers":[{"name":"a"},{"name":"b"}]}})",
     R"({"spec":{"containers":[{"name":"a"},{"name":"b"}]}})"},
    {"no list at all", R"({"spec":{}})",
     R"({"spec":{"$setElementOrder/containers":[{"name":"a"}]}})", R"({"spec":{}})"},
    {"sets", R"({"metadata":{"finalizers":["a","b","x"]}})",
     R"({"metadata":{"$setElementOrder/finalizers":["c","b","a"],"finalizers":["c"]}})",
     R"({"metadata":{"finalizers":["c","b","a","x"]}})"},
    {"of a list that has no order to set", R"({"spec":{"tolerations":[{"key":"a"}]}})",
     R"({"spec":{"$setElementOrder/tolerations":[{"key":"b"}],"tolerations":[{"key":"c"}]}})",
     R"({"spec":{"tolerations":[{"key":"c"}]}})"},
};

TEST(StrategicMergePatch, OrdersLists) {
  for (const Case& one : kOrders) check(one);
}

struct Refusal {
  const char* patch;
  const char* message;
};

constexpr Refusal kRefused[] = {
    {R"({"spec":{"containers":[{"image":"x","ports":[{"containerPort":80}]}]}})",
     "map: map[image:x ports:[map[containerPort:80]]] does not contain declared merge key: name"},
    {R"({"spec":{"containers":[{"$patch":"delete"}]}})",
     "map: map[$patch:delete] does not contain declared merge key: name"},
    {R"({"spec":{"containers":[{"name":null}]}})",
     "map: map[name:<nil>] does not contain declared merge key: name"},
    {R"({"spec":{"containers":["a"]}})",
     "expected a map[string]interface {}, but received a string"},
    {R"({"spec":{"containers":[{"$patch":"purge","name":"a"}]}})",
     "unknown patch type: purge in map: map[$patch:purge name:a]"},
    {R"({"spec":{"$patch":"purge"}})", "unknown patch type: purge in map: map[$patch:purge]"},
    {R"({"spec":{"strategy":{"$patch":true}}})",
     "unknown patch type: true in map: map[$patch:true]"},
    {R"({"spec":{"new":{"deep":[{"$patch":"purge"}]}}})",
     "unknown patch type: purge in map: map[$patch:purge]"},
    {R"({"spec":{"$retainKeys":["replicas"],"containers":[]}})",
     "invalid patch format of retainKeys"},
    {R"({"spec":{"$retainKeys":"replicas"}})", "invalid patch format of retainKeys"},
    {R"({"spec":{"$setElementOrder/containers":"a"}})",
     "invalid patch format of setElementOrder list"},
    {R"({"spec":{"$setElementOrder":[]}})", "invalid patch format of setElementOrder list"},
    {R"({"spec":{"$setElementOrder/":[]}})", "invalid patch format of setElementOrder list"},
    {R"({"spec":{"$setElementOrder/containers":["a"]}})",
     "expected a map[string]interface {}, but received a string"},
    {R"({"spec":{"$setElementOrder/containers":[{"image":"a"}]}})",
     "map: map[image:a] does not contain declared merge key: name"},
    {R"({"spec":{"$setElementOrder/containers":[{"name":"b"}],"containers":[{"name":"a"}]}})",
     R"(The order in patch list: ["a"] doesn't match $setElementOrder list: [map[name:b]])"},
    {R"({"spec":{"$setElementOrder/containers":[{"name":"b"},{"name":"a"}],
         "containers":[{"name":"a"},{"name":"b"}]}})",
     R"(The order in patch list: ["a" "b"] doesn't match $setElementOrder list: )"
     R"([map[name:b] map[name:a]])"},
    {R"({"metadata":{"$deleteFromPrimitiveList/finalizers":"a"}})",
     "invalid patch format of primitive list"},
    {R"({"metadata":{"$deleteFromPrimitiveList":["a"]}})",
     "invalid patch format of primitive list"},
    {R"({"metadata":{"finalizers":[["a"]]}})", "expected a string, but received a []interface {}"},
};

TEST(StrategicMergePatch, RefusesWhatItDoesNotUnderstand) {
  for (const Refusal& one : kRefused) {
    const auto result = patched(
        R"({"metadata":{"finalizers":["f"]},"spec":{"containers":[{"name":"a"}],"strategy":{}}})",
        one.patch);
    ASSERT_FALSE(result) << one.patch;
    EXPECT_EQ(result.error().code, 400) << one.patch;
    EXPECT_EQ(result.error().message, one.message) << one.patch;
  }
}

// The patches with which a ReplicaSet adopts and releases a pod (owner_patches.h).
TEST(StrategicMergePatch, AdoptsAPodBesideItsOtherOwners) {
  constexpr const char* kAdopt =
      R"({"metadata":{"uid":"p1","ownerReferences":[{"kind":"ReplicaSet","name":"web","uid":"r1","controller":true}]}})";
  check(
      {"without owners", R"({"metadata":{"name":"web-1","uid":"p1"}})", kAdopt,
       R"({"metadata":{"name":"web-1","uid":"p1","ownerReferences":[{"kind":"ReplicaSet","name":"web","uid":"r1","controller":true}]}})"});
  check(
      {"with another owner",
       R"({"metadata":{"uid":"p1","ownerReferences":[{"kind":"Job","name":"j","uid":"j1"}]}})",
       kAdopt,
       R"({"metadata":{"uid":"p1","ownerReferences":[{"kind":"ReplicaSet","name":"web","uid":"r1","controller":true},{"kind":"Job","name":"j","uid":"j1"}]}})"});
  check(
      {"with ourselves as a plain owner",
       R"({"metadata":{"uid":"p1","ownerReferences":[{"kind":"ReplicaSet","name":"web","uid":"r1"}]}})",
       kAdopt,
       R"({"metadata":{"uid":"p1","ownerReferences":[{"kind":"ReplicaSet","name":"web","uid":"r1","controller":true}]}})"});
}

TEST(StrategicMergePatch, ReleasesAPodFromOneOwnerOnly) {
  constexpr const char* kRelease =
      R"({"metadata":{"uid":"p1","ownerReferences":[{"$patch":"delete","uid":"r1"}]}})";
  check({"from one of two",
         R"({"metadata":{"uid":"p1","ownerReferences":[{"uid":"r1"},{"uid":"j1"}]}})", kRelease,
         R"({"metadata":{"uid":"p1","ownerReferences":[{"uid":"j1"}]}})"});
  check({"from one it does not have",
         R"({"metadata":{"uid":"p1","ownerReferences":[{"uid":"j1"}]}})", kRelease,
         R"({"metadata":{"uid":"p1","ownerReferences":[{"uid":"j1"}]}})"});
  check({"without owners", R"({"metadata":{"uid":"p1"}})", kRelease,
         R"({"metadata":{"uid":"p1","ownerReferences":[]}})"});
}

}  // namespace
}  // namespace ebb::apiserver
