#include "demo/demo_load.h"

#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "schema/core/json.h"

namespace ebb::demo {
namespace {

using model::Effect;
using model::ObjectEvent;

const Timestamp kStart = Timestamp::from_seconds(1'800'000'000);

class DemoLoadTest : public ::testing::Test {
 protected:
  void observe(ObjectEvent::Type type, const schema::Kind* kind, const std::string& text) {
    load.observe(
        {type, kind,
         std::make_shared<const boost::json::object>(boost::json::parse(text).as_object())},
        kStart);
  }
  void deployment(int replicas) {
    observe(ObjectEvent::Type::kModified, schema::find_kind("apps/v1", "Deployment"),
            fmt::format(R"({{"metadata":{{"name":"web","namespace":"shop","uid":"u"}},)"
                        R"("spec":{{"replicas":{}}}}})",
                        replicas));
  }
  // The sizes that the load requests in this many seconds; each takes effect at once.
  std::vector<std::int64_t> run(int seconds) {
    std::vector<std::int64_t> sizes;
    for (int i = 0; i < seconds; ++i, ++elapsed) {
      const Timestamp now = later_by(kStart, elapsed * kSecond);
      load.wake(now);
      for (const Effect& effect : load.take_effects()) {
        EXPECT_EQ(effect.request.path, "/apis/apps/v1/namespaces/shop/deployments/web/scale");
        const auto body = boost::json::parse(effect.request.body).as_object();
        sizes.push_back(*schema::integer_at(body, {"spec", "replicas"}));
        deployment(static_cast<int>(sizes.back()));
        load.answered(effect.id, {}, now);
      }
    }
    return sizes;
  }

  DemoLoad load{"shop", {{"web", 2, 6, 60 * kSecond}}};
  int elapsed = 0;
};

TEST_F(DemoLoadTest, GoesUpAndDownBetweenItsBounds) {
  deployment(4);
  load.synced(kStart);
  EXPECT_EQ(run(63), (std::vector<std::int64_t>{5, 6, 5, 4, 3, 2, 3, 4}));
}

TEST_F(DemoLoadTest, LeavesADeploymentAloneThatAnotherClientScales) {
  deployment(4);
  load.synced(kStart);
  EXPECT_FALSE(run(10).empty());
  deployment(20);
  EXPECT_TRUE(run(120).empty());
}

TEST_F(DemoLoadTest, DoesNothingWithoutItsDeployment) {
  load.synced(kStart);
  EXPECT_TRUE(run(60).empty());
}

TEST_F(DemoLoadTest, MarksSomePodsAndNotOthers) {
  DemoLoad workers("shop", {{"worker", 1, 2, kSecond}});
  int marked = 0;
  for (int i = 0; i < 300; ++i) {
    workers.observe({ObjectEvent::Type::kAdded, model::pod_kind(),
                     std::make_shared<const boost::json::object>(
                         boost::json::parse(
                             fmt::format(R"({{"metadata":{{"name":"p{0}","namespace":)"
                                         R"("shop","uid":"u{0}","labels":{{"app":"worker"}}}}}})",
                                         i))
                             .as_object())},
                    kStart);
    for (const Effect& effect : workers.take_effects()) {
      EXPECT_EQ(effect.request.path, fmt::format("/api/v1/namespaces/shop/pods/p{}", i));
      EXPECT_NE(effect.request.body.find("pod-deletion-cost"), std::string::npos);
      EXPECT_NE(effect.request.body.find(fmt::format("\"u{}\"", i)), std::string::npos);
      ++marked;
    }
  }
  EXPECT_GT(marked, 60);
  EXPECT_LT(marked, 140);
}

}  // namespace
}  // namespace ebb::demo
