#include "control/deployment/set_views.h"

#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "control/deployment/template_identity.h"

namespace ebb::control::deployments {
namespace {

constexpr std::string_view kTemplate =
    R"({"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"a"}]}})";

class SetViewsTest : public ::testing::Test {
 protected:
  const ReplicaSet& receive(int version, std::string_view pod_template,
                            std::string_view more_spec = "", std::string_view status = "{}") {
    const std::string text = fmt::format(
        R"({{"metadata":{{"name":"web","namespace":"shop","uid":"u","resourceVersion":"{}"}},)"
        R"("spec":{{"template":{},"replicas":7,"selector":{{"matchLabels":{{"app":"web"}}}}{}}},)"
        R"("status":{}}})",
        version, pod_template, more_spec, status);
    EXPECT_TRUE(store_.upsert(Resource::kReplicaSets, Store::Format::kJson, text).has_value());
    return *store_.replica_set("shop", "web");
  }

  Store store_;
  WorkBudget budget_;
  SetViews views_;
};

TEST_F(SetViewsTest, KeepTheNumbersAndTheDigestButNoDocument) {
  const SetView* view = views_.read(receive(1, kTemplate), budget_);
  ASSERT_NE(view, nullptr);
  EXPECT_FALSE(view->whole);
  EXPECT_TRUE(view->object.empty());
  EXPECT_EQ(view->name, "web");
  EXPECT_EQ(view->resource_version, "1");
  EXPECT_EQ(view->replicas, 7);
  EXPECT_EQ(view->template_digest, template_digest(boost::json::parse(kTemplate).as_object()));
  EXPECT_EQ(view->picker, nullptr);
  EXPECT_EQ(view->failure, nullptr);
}

TEST_F(SetViewsTest, KeepThePickerAndTheFailure) {
  const SetView* view = views_.read(
      receive(1, kTemplate, R"(,"downscalePodPicker":{"timeoutSeconds":2})",
              R"({"conditions":[{"type":"Other"},{"type":"ReplicaFailure","reason":"Full"}]})"),
      budget_);
  ASSERT_NE(view, nullptr);
  ASSERT_NE(view->picker, nullptr);
  EXPECT_EQ(view->picker->at("timeoutSeconds"), 2);
  ASSERT_NE(view->failure, nullptr);
  EXPECT_EQ(view->failure->at("reason"), "Full");
}

// An API server that is upgraded prints new defaults, and the resourceVersion stays.
TEST_F(SetViewsTest, ReadAgainIfTheTextOfTheVersionIsAnother) {
  const std::string large =
      fmt::format(R"({{"metadata":{{"annotations":{{"a":"{}"}}}}}})", std::string(1'000, 'x'));
  ASSERT_NE(views_.read(receive(1, large), budget_), nullptr);
  store_.clear(Resource::kReplicaSets);
  const SetView* view = views_.read(receive(1, kTemplate), budget_);
  ASSERT_NE(view, nullptr);
  EXPECT_EQ(view->template_digest, template_digest(boost::json::parse(kTemplate).as_object()));
}

TEST_F(SetViewsTest, ReadEachVersionOnce) {
  const std::string large =
      fmt::format(R"({{"metadata":{{"annotations":{{"a":"{}"}}}}}})", std::string(100'000, 'x'));
  const ReplicaSet& set = receive(1, large);
  EXPECT_FALSE(views_.knows(set));
  ASSERT_NE(views_.read(set, budget_), nullptr);
  EXPECT_GE(budget_.used(), 1'000U);
  EXPECT_TRUE(views_.knows(set));

  const std::uint64_t before = budget_.used();
  ASSERT_NE(views_.read(set, budget_), nullptr);
  EXPECT_EQ(budget_.used(), before);

  EXPECT_FALSE(views_.knows(receive(2, large)));
  const SetView* changed = views_.read(receive(3, kTemplate), budget_);
  ASSERT_NE(changed, nullptr);
  EXPECT_EQ(changed->template_digest, template_digest(boost::json::parse(kTemplate).as_object()));
  views_.forget(set);
  EXPECT_FALSE(views_.knows(set));
}

}  // namespace
}  // namespace ebb::control::deployments
