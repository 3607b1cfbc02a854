// The memory budget of the store: 35,000 pods take far less than 25 MB, and memory does not grow
// with the number of pods that have come and gone.
#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "control/cache/store.h"

namespace ebb::control {
namespace {

using Format = Store::Format;

// The parts of a pod that no other pod has, in the usual lengths.
std::string small_pod(std::size_t number, std::size_t revision) {
  return fmt::format(
      R"({{"metadata":{{"name":"web-7d4b9c6f5d-{0:05x}","namespace":"shop",)"
      R"("uid":"4c1d0f0e-8a53-4f2f-9b1c-{0:012x}","resourceVersion":"{1}",)"
      R"("labels":{{"app":"web","pod-template-hash":"7d4b9c6f5d"}},)"
      R"("ownerReferences":[{{"kind":"ReplicaSet","name":"web-7d4b9c6f5d","uid":"rs",)"
      R"("controller":true}}]}},"spec":{{"nodeName":"node-{2}"}}}})",
      number, revision, number % 5000);
}

TEST(StoreMemory, Holds35000PodsInATenthOfWhatTheStockControllerTakes) {
  constexpr std::size_t kPods = 35'000;
  Store store;
  for (std::size_t i = 0; i < kPods; ++i) {
    ASSERT_TRUE(store.upsert(Resource::kPods, Format::kJson, small_pod(i, i + 1)));
    store.tidy();
  }
  ASSERT_EQ(store.pods(), kPods);
  EXPECT_EQ(store.pods_of({"shop", "ReplicaSet", "web-7d4b9c6f5d", "rs"}).size(), kPods);
  RecordProperty("bytes_per_pod", fmt::format("{}", store.bytes() / kPods));
  EXPECT_LE(store.bytes() / kPods, 400U);
}

TEST(StoreMemory, DoesNotGrowWithThePodsThatHaveGone) {
  constexpr std::size_t kHeld = 2000;
  constexpr std::size_t kChurn = 1'000'000;
  Store store;
  std::size_t most = 0;
  for (std::size_t i = 0; i < kChurn; ++i) {
    ASSERT_TRUE(store.upsert(Resource::kPods, Format::kJson, small_pod(i, 2 * i + 1)));
    if (i >= kHeld) {
      ASSERT_TRUE(store.remove(Resource::kPods, Format::kJson, small_pod(i - kHeld, 2 * i + 2)));
    }
    store.tidy();
    if (i % 1000 == 0) most = std::max(most, store.bytes());
  }
  EXPECT_EQ(store.pods(), kHeld);
  EXPECT_EQ(store.pods_of({"shop", "ReplicaSet", "web-7d4b9c6f5d", "rs"}).size(), kHeld);
  EXPECT_LE(most, 4U << 20U);
  const Pod* pod = store.pod("shop", fmt::format("web-7d4b9c6f5d-{:05x}", kChurn - 1));
  ASSERT_NE(pod, nullptr);
  EXPECT_EQ(pod->labels->labels.size(), 2U);
  EXPECT_EQ(pod->controller->name.view(), "web-7d4b9c6f5d");
  EXPECT_FALSE(pod->node.empty());
}

TEST(StoreMemory, GivesBackWhatAShrunkClusterNoLongerNeeds) {
  constexpr std::size_t kPods = 20'000;
  const std::string set =
      R"({"metadata":{"name":"web","namespace":"shop","uid":"rs","labels":{"a":"b"},)"
      R"("ownerReferences":[{"apiVersion":"argoproj.io/v1alpha1","kind":"Rollout","name":"web",)"
      R"("uid":"owner","controller":true}]},)"
      R"("spec":{"selector":{"matchLabels":{"app":"web"},"matchExpressions":)"
      R"([{"key":"tier","operator":"In","values":["front","back"]}]},)"
      R"("template":{"metadata":{"labels":{"app":"web","tier":"back"}}}}})";
  const std::string cost =
      R"({"metadata":{"name":"web","namespace":"shop","uid":"cost"},"spec":{"owner":)"
      R"({"kind":"ReplicaSet","name":"web","uid":"rs"},"costs":{"web-7d4b9c6f5d-00000":3}}})";
  const std::string policy =
      R"({"metadata":{"name":"web","namespace":"shop","uid":"policy"},"spec":{"targetRef":)"
      R"({"apiVersion":"argoproj.io/v1alpha1","kind":"Rollout","name":"web"}}})";
  Store store;
  ASSERT_TRUE(store.upsert(Resource::kReplicaSets, Format::kJson, set));
  ASSERT_TRUE(store.upsert(Resource::kGroupCosts, Format::kJson, cost));
  ASSERT_TRUE(store.upsert(Resource::kPolicies, Format::kJson, policy));
  for (std::size_t i = 0; i < kPods; ++i) {
    ASSERT_TRUE(store.upsert(Resource::kPods, Format::kJson, small_pod(i, i + 1)));
  }
  store.tidy();
  for (std::size_t i = 100; i < kPods; ++i) {
    ASSERT_TRUE(store.remove(Resource::kPods, Format::kJson, small_pod(i, kPods + i)));
  }
  const std::size_t before = store.bytes();
  store.tidy();
  EXPECT_LT(store.bytes() + (2U << 20U), before);
  const ReplicaSet* held = store.replica_set("shop", "web");
  ASSERT_NE(held, nullptr);
  EXPECT_EQ(held->labels->labels[0].key.view(), "a");
  EXPECT_TRUE(held->selector.matches(*held->template_labels));
  const Pod* const pod = store.pod("shop", "web-7d4b9c6f5d-00000");
  EXPECT_FALSE(held->selector.matches(*pod->labels));
  const GroupCost* const ranks = store.group_cost("shop", "web");
  ASSERT_NE(ranks, nullptr);
  EXPECT_EQ(ranks->costs.at(0).pod, pod->name);
  EXPECT_EQ(ranks->owner_uid, held->uid);
  const model::TargetRef rollout{"argoproj.io", "Rollout", "web"};
  EXPECT_EQ(model::reference_to(*held->controller), rollout);
  ASSERT_EQ(store.policies_for("shop", rollout).size(), 1U);
  EXPECT_EQ(model::target_of(*store.policies_for("shop", rollout)[0]), rollout);
}

}  // namespace
}  // namespace ebb::control
