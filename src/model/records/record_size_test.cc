// The memory budget of records: 512 bytes per pod, for which kubectl prints 6 KB.
#include <gtest/gtest.h>

#include "support/objects/generated_pods.h"
#include "support/objects/reading.h"

namespace ebb::model {
namespace {

using ebb::testing::generate_pod_list;

std::size_t bytes_of(const Snapshot& snapshot) {
  return snapshot.pods.capacity() * sizeof(Pod) + snapshot.pool.bytes();
}

// Sizes around powers of two are where growing vectors and tables waste most.
TEST(RecordSize, IsAtMost512BytesPerPodAtAnySizeOfTheList) {
  for (const std::size_t pods : {1000U, 1025U, 2049U, 3000U, 4097U}) {
    const std::string text = generate_pod_list({pods, 100, 7});
    const auto snapshot = testing::read(text);
    ASSERT_TRUE(snapshot) << snapshot.error().message;
    ASSERT_EQ(snapshot->pods.size(), pods);
    EXPECT_LE(bytes_of(*snapshot) / pods, 512U) << pods << " pods";
  }
}

TEST(RecordSize, CountsEveryTextThatPodsDoNotShare) {
  const std::string text = generate_pod_list({2000, 100, 7});
  const auto snapshot = testing::read(text);
  ASSERT_TRUE(snapshot) << snapshot.error().message;
  std::size_t own_text = 0;
  for (const Pod& pod : snapshot->pods) own_text += pod.name.view().size() + pod.uid.view().size();
  EXPECT_GE(snapshot->pool.bytes(), own_text);
}

TEST(GeneratedPods, TakeAbout6KilobytesEach) {
  const std::size_t bytes = generate_pod_list({2000, 100, 1}).size() / 2000;
  EXPECT_GE(bytes, 5700U);
  EXPECT_LE(bytes, 6600U);
}

TEST(GeneratedPods, DependOnTheParametersOnly) {
  EXPECT_EQ(generate_pod_list({50, 5, 3}), generate_pod_list({50, 5, 3}));
  EXPECT_NE(generate_pod_list({50, 5, 3}), generate_pod_list({50, 5, 4}));
}

TEST(GeneratedPods, AreOfAllSorts) {
  const auto snapshot = testing::read(generate_pod_list({2000, 20, 1}));
  ASSERT_TRUE(snapshot) << snapshot.error().message;
  ASSERT_EQ(snapshot->replica_sets.size(), 1U);
  const ReplicaSet& set = snapshot->replica_sets.front();
  int pending = 0;
  int not_ready = 0;
  int restarted = 0;
  int with_cost = 0;
  for (const Pod& pod : snapshot->pods) {
    pending += pod.phase == Phase::kPending && pod.node.empty();
    not_ready += pod.phase == Phase::kRunning && !pod.ready;
    restarted += pod.restarts > 0;
    with_cost += pod.deletion_cost_valid;
    EXPECT_EQ(pod.controller->uid, set.uid);
    EXPECT_TRUE(set.selector.matches(*pod.labels));
  }
  EXPECT_EQ(set.replicas, 2000);
  for (const int count : {pending, not_ready, restarted, with_cost}) {
    EXPECT_GE(count, 10);
    EXPECT_LE(count, 400);
  }
}

}  // namespace
}  // namespace ebb::model
