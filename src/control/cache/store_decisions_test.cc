#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "control/cache/store.h"

namespace ebb::control {
namespace {

// As `as=PartialObjectMetadata` returns it.
std::string metadata(std::string_view namespace_name, std::string_view name, int revision) {
  return fmt::format(
      R"({{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{{"name":"{1}",)"
      R"("namespace":"{0}","uid":"u-{1}","resourceVersion":"{2}",)"
      R"("creationTimestamp":"2026-11-01T00:00:07Z",)"
      R"("labels":{{"ebb.dev/workload":"web","ebb.dev/workload-kind":"Deployment"}}}}}})",
      namespace_name, name, revision);
}

class DecisionListener : public StoreListener {
 public:
  void decision_object_changed(const Change<DecisionObject>& change) override {
    objects += change.before == nullptr ? 1 : change.after == nullptr ? -1 : 0;
    if (change.after != nullptr) {
      last = fmt::format("{}/{} {} {}/{} {}", change.after->namespace_name.view(),
                         change.after->name.view(), change.after->uid.view(),
                         change.after->workload_kind.view(), change.after->workload.view(),
                         change.after->created.since_epoch_ns() / kNanosecondsPerSecond % 60);
    }
  }
  int objects = 0;
  std::string last;
};

class StoreDecisionsTest : public ::testing::Test {
 protected:
  StoreDecisionsTest() { store_.listen(listener_); }

  [[nodiscard]] bool put(std::string_view namespace_name, std::string_view name, int revision) {
    return store_
        .upsert(Resource::kDecisions, Store::Format::kJson,
                metadata(namespace_name, name, revision))
        .has_value();
  }

  Store store_;
  DecisionListener listener_;
};

TEST_F(StoreDecisionsTest, KeepsTheMetadataThatRetentionNeeds) {
  EXPECT_TRUE(put("shop", "web-1", 5));
  EXPECT_EQ(listener_.last, "shop/web-1 u-web-1 Deployment/web 7");
}

TEST_F(StoreDecisionsTest, KnowsWhetherTheyCanBeListed) {
  EXPECT_EQ(store_.available(Resource::kDecisions), std::nullopt);
  store_.begin_listing(Resource::kDecisions);
  EXPECT_EQ(store_.available(Resource::kDecisions), std::nullopt);
  store_.end_listing(Resource::kDecisions);
  EXPECT_EQ(store_.available(Resource::kDecisions), true);
  store_.clear(Resource::kDecisions);
  EXPECT_EQ(store_.available(Resource::kDecisions), false);
}

TEST_F(StoreDecisionsTest, HoldsALimitedNumberOfANamespace) {
  store_.begin_listing(Resource::kDecisions);
  for (std::size_t i = 0; i < kMaxDecisionObjectsInNamespace; ++i) {
    ASSERT_TRUE(put("noisy", fmt::format("forged-{}", i), 5));
  }
  EXPECT_FALSE(put("noisy", "one-more", 5));
  EXPECT_TRUE(put("noisy", "forged-7", 6)) << "a known one can change";
  EXPECT_TRUE(put("quiet", "web-1", 7)) << "others have room";
  store_.end_listing(Resource::kDecisions);
  EXPECT_EQ(listener_.objects, static_cast<int>(kMaxDecisionObjectsInNamespace) + 1);
  EXPECT_TRUE(
      store_.remove(Resource::kDecisions, Store::Format::kJson, metadata("noisy", "forged-7", 8))
          .has_value());
  EXPECT_TRUE(put("noisy", "one-more", 5));
}

TEST_F(StoreDecisionsTest, HoldsALimitedNumberInTotal) {
  constexpr int kNamespaces = 26;
  std::size_t refused = 0;
  for (int n = 0; n < kNamespaces; ++n) {
    for (int i = 0; i < 1'000; ++i) {
      if (!put(fmt::format("n{}", n), fmt::format("forged-{}", i), 5)) ++refused;
    }
  }
  EXPECT_EQ(listener_.objects, static_cast<int>(kMaxDecisionObjects));
  EXPECT_EQ(refused, kNamespaces * 1'000U - kMaxDecisionObjects);
}

}  // namespace
}  // namespace ebb::control
