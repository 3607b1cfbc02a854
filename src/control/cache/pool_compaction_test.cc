#include "control/cache/pool_compaction.h"

#include <memory>

#include <gtest/gtest.h>

namespace ebb::control {
namespace {

using model::Pool;

// Records of a pool that no longer exists when they are read.
class PoolCompactionTest : public ::testing::Test {
 protected:
  PoolCompactionTest() {
    const auto text = [&](const char* word) { return from_->intern(word); };
    model::Placement placement;
    placement.tolerations.push_back({.key = text("k"), .value = text("v")});
    placement.anti_affinity.push_back({.topology_key = text("zone"),
                                       .selector = model::every_pod(),
                                       .namespaces = {text("shop")},
                                       .weight = 7});
    first_.name = text("first");
    first_.placement = from_->placements().intern(placement);
    first_.numbers = from_->intern_numbers({{text("a/b"), text("12")}});
    second_ = first_;
    second_.name = text("second");
    node_.name = text("node");
    node_.taints.push_back(
        {.key = text("k"), .value = text("v"), .effect = model::TaintEffect::kNoExecute});

    PoolCompaction compaction(to_);
    compaction.move(first_);
    compaction.move(second_);
    compaction.move(node_);
    from_.reset();
  }

  std::unique_ptr<Pool> from_ = std::make_unique<Pool>();
  Pool to_;
  model::Pod first_;
  model::Pod second_;
  model::Node node_;
};

TEST_F(PoolCompactionTest, TakesAlongWhatPodsSayAboutTheirPlace) {
  ASSERT_NE(first_.placement, nullptr);
  EXPECT_EQ(first_.placement, second_.placement);
  const model::AntiAffinityTerm& term = first_.placement->anti_affinity.at(0);
  EXPECT_EQ(term.topology_key, to_.intern("zone"));
  EXPECT_EQ(term.namespaces.at(0), to_.intern("shop"));
  EXPECT_EQ(term.weight, 7);
  EXPECT_EQ(first_.placement->tolerations.at(0).key.view(), "k");
  // Toleration and taint are of one pool again, or they would not match.
  EXPECT_TRUE(model::tolerates(first_.placement->tolerations, node_.taints.at(0)));
}

TEST_F(PoolCompactionTest, TakesNumbersAlong) {
  EXPECT_EQ(model::number_of(first_, "a/b"), 12);
  EXPECT_EQ(first_.numbers, second_.numbers);
}

TEST_F(PoolCompactionTest, LeavesNothingWhereThereIsNothing) {
  model::Pod pod;
  PoolCompaction(to_).move(pod);
  EXPECT_EQ(pod.placement, nullptr);
  EXPECT_EQ(pod.numbers, nullptr);
}

}  // namespace
}  // namespace ebb::control
