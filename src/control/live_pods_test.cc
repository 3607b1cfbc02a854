#include "control/live_pods.h"

#include <gtest/gtest.h>

namespace ebb::control {
namespace {

TEST(LivePods, AsksForWhatTheReplicaSetSelects) {
  model::Pool pool;
  ReplicaSet set;
  set.name_space = pool.intern("shop");
  set.json = R"({"spec":{"selector":{"matchLabels":{"app":"web"},
      "matchExpressions":[{"key":"tier","operator":"In","values":["a","b"]}]}}})";
  const model::ApiRequest request = live_pods_request(set);
  EXPECT_EQ(request.path, "/api/v1/namespaces/shop/pods");
  EXPECT_EQ(request.query, "labelSelector=app%3Dweb%2Ctier%20in%20%28a%2Cb%29");
  EXPECT_EQ(request.accept,
            "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json");
}

TEST(LivePods, KeepsThoseThatTheReplicaSetControls) {
  const auto live = read_live_pods(R"({"metadata":{"resourceVersion":"77"},"items":[
      {"metadata":{"name":"orphan","uid":"1"}},
      {"metadata":{"name":"mine","uid":"2","resourceVersion":"70",
        "ownerReferences":[{"uid":"other"},{"uid":"set","controller":true}]}},
      {"metadata":{"name":"not-controlled","uid":"3","ownerReferences":[{"uid":"set"}]}},
      {"metadata":{"name":"leaving","uid":"4","deletionTimestamp":"2026-11-01T12:00:00Z",
        "ownerReferences":[{"uid":"set","controller":true}]}},
      {"metadata":{"name":"theirs","uid":"5",
        "ownerReferences":[{"uid":"other","controller":true}]}}]})",
                                   "set");
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

// A list that was misread would say that there are no pods, and new ones would be made.
TEST(LivePods, WhatIsNoListIsAnError) {
  for (const char* body : {"", "{}", R"({"items":5})", R"({"items":null})", R"({"items":[5]})",
                           R"({"items":[{}]})", "{\"items\":["}) {
    EXPECT_FALSE(read_live_pods(body, "set").has_value()) << body;
  }
  EXPECT_TRUE(read_live_pods(R"({"items":[]})", "set").has_value());
}

}  // namespace
}  // namespace ebb::control
