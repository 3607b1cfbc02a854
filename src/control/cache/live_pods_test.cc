#include "control/cache/live_pods.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace ebb::control {
namespace {

TEST(LivePods, AsksForWhatTheReplicaSetSelects) {
  model::Pool pool;
  ReplicaSet set;
  set.namespace_name = pool.intern("shop");
  set.json = R"({"spec":{"selector":{"matchLabels":{"app":"web"},
      "matchExpressions":[{"key":"tier","operator":"In","values":["a","b"]}]}}})";
  const model::ApiRequest request = live_pods_request(set);
  EXPECT_EQ(request.path, "/api/v1/namespaces/shop/pods");
  EXPECT_EQ(request.query, "labelSelector=app%3Dweb%2Ctier%20in%20%28a%2Cb%29");
  EXPECT_EQ(request.accept,
            "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json");
}

constexpr LiveOwner kWeb{.name = "web", .uid = "set"};

TEST(LivePods, KeepsThoseThatTheReplicaSetControls) {
  const auto live = read_live_pods(R"({"metadata":{"resourceVersion":"77"},"items":[
      {"metadata":{"name":"orphan","uid":"1"}},
      {"metadata":{"name":"mine","uid":"2","resourceVersion":"70",
        "ownerReferences":[{"uid":"other"},
          {"kind":"ReplicaSet","name":"web","uid":"set","controller":true}]}},
      {"metadata":{"name":"not-controlled","uid":"3","ownerReferences":[{"uid":"set"}]}},
      {"metadata":{"name":"leaving","uid":"4","deletionTimestamp":"2026-11-01T12:00:00Z",
        "ownerReferences":[{"kind":"ReplicaSet","name":"web","uid":"set","controller":true}]}},
      {"metadata":{"name":"of-another-kind","uid":"6",
        "ownerReferences":[{"kind":"Job","name":"web","uid":"set","controller":true}]}},
      {"metadata":{"name":"of-another-name","uid":"7",
        "ownerReferences":[{"kind":"ReplicaSet","name":"api","uid":"set","controller":true}]}},
      {"metadata":{"name":"theirs","uid":"5",
        "ownerReferences":[{"uid":"other","controller":true}]}}]})",
                                   kWeb);
  ASSERT_TRUE(live.has_value());
  EXPECT_EQ(live->revision, 77U);
  ASSERT_EQ(live->pods.size(), 2U);
  EXPECT_EQ(live->pods[0].name, "mine");
  EXPECT_EQ(live->pods[0].uid, "2");
  EXPECT_EQ(live->pods[0].revision, 70U);
  EXPECT_FALSE(live->pods[0].deleting);
  EXPECT_EQ(live->pods[1].name, "leaving");
  EXPECT_TRUE(live->pods[1].deleting);
}

TEST(LivePods, ReadsMarksWhoseCostIsThere) {
  const auto with = [](std::string_view annotations) {
    return fmt::format(
        R"({{"items":[{{"metadata":{{"name":"a","uid":"1","annotations":{},
            "ownerReferences":[{{"kind":"ReplicaSet","name":"web","uid":"set","controller":true}}]}}
            }}]}})",
        annotations);
  };
  const auto mark_in = [&](std::string_view annotations) {
    return read_live_pods(with(annotations), kWeb)->pods.at(0).mark;
  };
  EXPECT_EQ(mark_in(R"({"ebb.dev/scale-down":"d 3 -9",
                        "controller.kubernetes.io/pod-deletion-cost":"-9"})"),
            "d 3 -9");
  EXPECT_EQ(mark_in(R"({"ebb.dev/scale-down":"d 3 -9",
                        "controller.kubernetes.io/pod-deletion-cost":"-8"})"),
            "");
  EXPECT_EQ(mark_in(R"({"ebb.dev/scale-down":"d 3 -9"})"), "");
  EXPECT_EQ(mark_in(R"({"ebb.dev/scale-down":7})"), "");
  EXPECT_EQ(mark_in("7"), "");
}

// A list that is misread would show no pods, and new ones would be created.
TEST(LivePods, AnInvalidListIsAnError) {
  for (const char* body : {"", "{}", R"({"items":5})", R"({"items":null})", R"({"items":[5]})",
                           R"({"items":[{}]})", "{\"items\":["}) {
    EXPECT_FALSE(read_live_pods(body, kWeb).has_value()) << body;
  }
  // A pod of the ReplicaSet that cannot be identified.
  for (const char* missing : {"name", "uid"}) {
    const std::string there = std::string(missing) == "uid" ? "name" : "uid";
    EXPECT_FALSE(read_live_pods(R"({"items":[{"metadata":{")" + there +
                                    R"(":"a","ownerReferences":[{"kind":"ReplicaSet",)"
                                    R"("name":"web","uid":"set","controller":true}]}}]})",
                                kWeb)
                     .has_value())
        << missing;
  }
  EXPECT_TRUE(read_live_pods(R"({"items":[]})", kWeb).has_value());
}

}  // namespace
}  // namespace ebb::control
