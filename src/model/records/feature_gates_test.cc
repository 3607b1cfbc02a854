#include "model/records/feature_gates.h"

#include <gtest/gtest.h>

namespace ebb::model {
namespace {

TEST(FeatureGates, AreAllOnByDefault) {
  const auto gates = FeatureGates::parse("");
  ASSERT_TRUE(gates.has_value());
  for (std::size_t i = 0; i < kGateNames.size(); ++i) {
    EXPECT_TRUE(gates->on(static_cast<Gate>(i))) << kGateNames[i];
  }
}

TEST(FeatureGates, EachIsSwitchedByItsOwnName) {
  for (std::size_t i = 0; i < kGateNames.size(); ++i) {
    const auto gates = FeatureGates::parse(std::string(kGateNames[i]) + "=false");
    ASSERT_TRUE(gates.has_value());
    for (std::size_t j = 0; j < kGateNames.size(); ++j) {
      EXPECT_EQ(gates->on(static_cast<Gate>(j)), i != j);
    }
  }
}

TEST(FeatureGates, TheLastSettingOfAGateCounts) {
  const auto gates = FeatureGates::parse("PodDeletionCost=false, PodDeletionCost=true,");
  ASSERT_TRUE(gates.has_value());
  EXPECT_TRUE(gates->on(Gate::kPodDeletionCost));
}

TEST(FeatureGates, AnUnknownGateIsAnErrorThatListsTheKnownOnes) {
  const auto gates = FeatureGates::parse("PodDeletionCosts=false");
  ASSERT_FALSE(gates.has_value());
  EXPECT_EQ(gates.error().code, ErrorCode::kUsage);
  EXPECT_EQ(gates.error().message,
            "unknown feature gate \"PodDeletionCosts\"; known gates: "
            "DeploymentReplicaSetTerminatingReplicas, DownscalePodPicker, LogarithmicScaleDown, "
            "PodCostRanking, PodDeletionCost, PreferForScaleDown");
}

TEST(FeatureGates, AValueMustBeABoolean) {
  for (const std::string_view text :
       {"PodDeletionCost", "PodDeletionCost=", "PodDeletionCost=no"}) {
    const auto gates = FeatureGates::parse(text);
    ASSERT_FALSE(gates.has_value());
    EXPECT_EQ(gates.error().message,
              "feature gate PodDeletionCost: expected PodDeletionCost=true or "
              "PodDeletionCost=false, got \"" +
                  std::string(text) + "\"");
  }
}

}  // namespace
}  // namespace ebb::model
