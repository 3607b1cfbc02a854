#include "model/json/decode_object.h"

#include <gtest/gtest.h>

#include "support/objects/reading.h"

namespace ebb::model {
namespace {

using ebb::testing::error_of;
using ebb::testing::read;

constexpr std::string_view kTwoPods = R"([{"metadata":{"name":"a","uid":"1"}},
                                          {"metadata":{"name":"b","uid":"2"}}])";

std::vector<std::string> pod_names(const Snapshot& snapshot) {
  std::vector<std::string> names;
  for (const Pod& pod : snapshot.pods) names.emplace_back(pod.name.view());
  return names;
}

TEST(DecodeObject, TakesTheTypeOfItemsFromATypedList) {
  const std::string items(kTwoPods);
  const std::vector<std::string> both = {"a", "b"};
  for (const std::string& json :
       {R"({"apiVersion":"v1","kind":"PodList","items":)" + items + "}",
        R"({"items":)" + items + R"(,"kind":"PodList","metadata":{},"apiVersion":"v1"})"}) {
    const auto snapshot = read(json);
    ASSERT_TRUE(snapshot) << snapshot.error().message;
    EXPECT_EQ(pod_names(*snapshot), both) << json;
  }
  EXPECT_EQ(read(R"({"apiVersion":"apps/v1","kind":"ReplicaSetList","items":)" + items + "}")
                .value()
                .replica_sets.size(),
            2U);
}

TEST(DecodeObject, TakesTheTypeOfItemsOfAListFromTheItems) {
  const auto snapshot = read(R"({"apiVersion":"v1","kind":"List","items":[
      {"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","uid":"1"}},
      {"apiVersion":"v1","kind":"Node","metadata":{"name":"n"}},
      {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d","uid":"2"}},
      {"apiVersion":"v1","kind":"PodList","items":[{"metadata":{"name":"b","uid":"3"}}]}]})");
  ASSERT_TRUE(snapshot) << snapshot.error().message;
  EXPECT_EQ(pod_names(*snapshot), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(snapshot->nodes.size(), 1U);
  EXPECT_EQ(snapshot->deployments.size(), 1U);
}

TEST(DecodeObject, RefusesAListThatSaysNothingOfItems) {
  EXPECT_EQ(error_of(R"({"apiVersion":"v1","kind":"List"})"),
            "List: items: is missing; a List must have items (they may be empty)");
}

TEST(DecodeObject, CountsKindsInAnotherVersionOrSpellingWithTheirVersion) {
  const auto snapshot = read(R"({"apiVersion":"v1","kind":"List","items":[
      {"apiVersion":"V1","kind":"Pod"},{"apiVersion":"v1","kind":"pod"},
      {"apiVersion":"v1","kind":"Secret"}]})");
  ASSERT_TRUE(snapshot) << snapshot.error().message;
  EXPECT_EQ(snapshot->skipped,
            (std::map<std::string, std::size_t>{{"V1 Pod", 1}, {"v1 pod", 1}, {"Secret", 1}}));
}

TEST(DecodeObject, TakesAListWithoutItemsAsEmpty) {
  for (const std::string_view json : {R"({"apiVersion":"v1","kind":"List","items":null})",
                                      R"({"apiVersion":"v1","kind":"List","items":[]})",
                                      R"({"apiVersion":"v1","kind":"PodList","items":null})"}) {
    const auto snapshot = read(json);
    ASSERT_TRUE(snapshot) << snapshot.error().message;
    EXPECT_EQ(testing::describe(*snapshot), "") << json;
  }
}

TEST(DecodeObject, CountsObjectsOfKindsThatAreNotRead) {
  const auto snapshot = read(R"({"apiVersion":"v1","kind":"List","items":[
      {"apiVersion":"v1","kind":"Service","metadata":17},
      {"apiVersion":"v1","kind":"Service"},
      {"apiVersion":"x/v1","kind":"AllowList","spec":{}},
      {"apiVersion":"apps/v1beta2","kind":"ReplicaSet"},
      {"apiVersion":"v1","kind":"SecretList","items":[{},{},{}]}]})");
  ASSERT_TRUE(snapshot) << snapshot.error().message;
  const std::map<std::string, std::size_t> expected = {
      {"Service", 2}, {"AllowList", 1}, {"apps/v1beta2 ReplicaSet", 1}, {"Secret", 3}};
  EXPECT_EQ(snapshot->skipped, expected);
}

TEST(DecodeObject, NamesTheObjectThatIsWrongAsFarAsItTellsItsName) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {R"({"metadata":{"name":"a"}})", "object a: kind: is missing; every object must have it"},
      {R"({"kind":"Pod","metadata":{"name":"a","uid":"1"}})",
       "Pod a: apiVersion: is missing; every object must have it"},
      {R"({"kind":5})", "object: kind: expected a string, got a number"},
      {R"({"apiVersion":"v1","apiVersion":"v1","kind":"Pod"})",
       "Pod: apiVersion: occurs twice in the same object"},
      {R"({"apiVersion":"v1","kind":"Pod","kind":"Secret"})",
       "Secret: kind: occurs twice in the same object"},
      {R"({"apiVersion":"v1","kind":"PodList","items":[],"items":[]})",
       "PodList: items: occurs twice in the same object"},
      {R"({"apiVersion":"v1","kind":"PodList","items":{}})",
       "PodList: items: expected a list, got an object"},
      {R"({"apiVersion":"v1","kind":"PodList","items":[{"metadata":{"name":"a","uid":"1"}},{}]})",
       "Pod (items[1]): metadata.name: is missing"},
      {R"({"apiVersion":"v1","kind":"PodList","items":[{"metadata":{"name":"a",
           "namespace":"shop"}}]})",
       "Pod shop/a (items[0]): metadata.uid: is missing"},
      {R"({"apiVersion":"v1","kind":"List","items":[{"metadata":{"name":"a"}}]})",
       "object a (items[0]): kind: is missing; every object must have it"},
      {R"({"apiVersion":"v1","kind":"List","items":["pod"]})",
       "items[0]: expected an object with apiVersion and kind, got a string"},
      {R"({"apiVersion":"v1","kind":"List","items":[null]})",
       "items[0]: expected an object with apiVersion and kind, got null"},
      {R"({"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"PodList",
           "items":[{}]}]})",
       "Pod (items[0].items[0]): metadata.name: is missing"},
      {"[]", "expected an object with apiVersion and kind, got a list"},
  };
  for (const auto& [json, error] : cases) EXPECT_EQ(error_of(json), error) << json;
}

}  // namespace
}  // namespace ebb::model
