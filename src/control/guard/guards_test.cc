// Objects that tenants forge to look like canaries of other deployments of ebb.
#include "control/guard/guards.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/control/carry_out.h"

namespace ebb::control {
namespace {

class GuardsTest : public ::testing::Test {
 protected:
  static ProcessSettings settings() {
    ProcessSettings settings;
    settings.deployments = false;
    settings.sole_controller.emplace();
    settings.sole_controller->canary_name = "ebb";
    return settings;
  }
  static std::string set_json(const std::string& name, std::string_view namespace_name, int year,
                              int generation = 1) {
    return fmt::format(
        R"({{"metadata":{{"name":"{0}","namespace":"{1}","uid":"u-{0}","generation":{3},)"
        R"("resourceVersion":"{4}","creationTimestamp":"{2}-01-01T00:00:00Z",)"
        R"("labels":{{"ebb.dev/canary":"replicaset"}}}},"spec":{{"replicas":0}},)"
        R"("status":{{"observedGeneration":0}}}})",
        name, namespace_name, year, generation, 10'000 - year);
  }
  void forge(const std::string& name, int year) {
    ASSERT_TRUE(
        store_.upsert(Resource::kReplicaSets, Store::Format::kJson, set_json(name, "shop", year)));
  }
  void remove(const std::string& name, int year) {
    ASSERT_TRUE(
        store_.remove(Resource::kReplicaSets, Store::Format::kJson, set_json(name, "shop", year)));
  }
  // The own canary is of 2020.
  void see_own_canary() {
    guards_.begin_leading(now_);
    int generation = 0;
    for (int i = 0; i < 3; ++i) {
      while (auto wanted = guards_.take_wanted(now_)) {
        Answer answer = testing::answer_of(200);
        answer.response.body = Bytes(set_json("ebb", "kube-system", 2020, ++generation));
        guards_.answered(wanted->ticket, answer, now_);
      }
      now_.mono = later_by(now_.mono, kNanosecondsPerSecond);
    }
    ASSERT_TRUE(guards_.all().front().canary().has_value());
  }
  // An older canary makes the wait longer.
  std::string reason() {
    guards_.run(now_);
    return guards_.all().front().status(now_).reason;
  }

  Store store_;
  Telemetry telemetry_;
  Now now_{.wall = Timestamp::from_seconds(1'793'534'400), .mono = Timestamp::from_seconds(5'000)};
  Guards guards_{settings(), store_, telemetry_};
};

TEST_F(GuardsTest, TheOldestOfOtherCanariesCounts) {
  store_.listen(guards_);
  see_own_canary();
  const std::string alone = reason();
  forge("younger", 2021);
  EXPECT_EQ(reason(), alone);
  forge("older", 2019);
  forge("oldest", 2018);
  const std::string younger = reason();
  EXPECT_NE(younger, alone);
  remove("oldest", 2018);
  EXPECT_EQ(reason(), younger);
  remove("older", 2019);
  EXPECT_EQ(reason(), alone);
  forge("younger", 2017);  // an update
  EXPECT_EQ(reason(), younger);
}

}  // namespace
}  // namespace ebb::control
