#include "control/cache/rollout.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace ebb::control {
namespace {

struct RolloutTest : ::testing::Test {
  void put(std::string_view namespace_name, std::string_view name, int replicas,
           std::string_view owner_kind = "Deployment", std::string_view owner_name = "web",
           std::string_view owner_uid = "d1") {
    ASSERT_TRUE(store.upsert(
        Resource::kReplicaSets, Store::Format::kJson,
        fmt::format(R"({{"metadata":{{"name":"{1}","namespace":"{0}","uid":"{0}-{1}",)"
                    R"("ownerReferences":[{{"kind":"{3}","name":"{4}","uid":"{5}",)"
                    R"("controller":true}}]}},"spec":{{"replicas":{2}}}}})",
                    namespace_name, name, replicas, owner_kind, owner_name, owner_uid)));
  }
  [[nodiscard]] bool rolling() const {
    return is_rolling(*store.replica_set("shop", "new"), store);
  }

  Store store;
};

TEST_F(RolloutTest, LastsWhileAnotherReplicaSetOfTheDeploymentHasPods) {
  put("shop", "new", 3);
  put("shop", "old", 0);
  EXPECT_FALSE(rolling());
  put("shop", "older", 1);
  EXPECT_TRUE(rolling());
}

TEST_F(RolloutTest, IsSeenForOtherOwnersToo) {
  put("shop", "new", 3, "Rollout");
  EXPECT_FALSE(rolling());
  put("shop", "canary", 1, "Rollout");
  EXPECT_TRUE(rolling());
}

TEST_F(RolloutTest, IsNotMadeUpByForgedOwners) {
  put("shop", "new", 3);
  put("elsewhere", "forged", 2);
  put("shop", "other-kind", 2, "Job");
  put("shop", "other-name", 2, "Deployment", "api");
  put("shop", "other-uid", 2, "Deployment", "web", "d2");
  EXPECT_FALSE(rolling());
}

}  // namespace
}  // namespace ebb::control
