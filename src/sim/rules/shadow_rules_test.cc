// The rules for shadow mode detect violations.
#include "sim/rules/shadow_rules.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <boost/json/object.hpp>
#include <gtest/gtest.h>

#include "model/api/requests.h"
#include "sim/core/objects.h"

namespace ebb::sim {
namespace {

using boost::json::object;
using model::ObjectEvent;

class ShadowRulesTest : public ::testing::Test {
 protected:
  ShadowRulesTest() {
    rules_.demand_everything();
    resize(4);
    for (const char* pod : {"a", "b", "c", "d"}) change(pods(), pod_named(pod));
  }

  void resize(int replicas) {
    change(replica_sets(),
           {{"metadata", {{"namespace", kNamespace}, {"name", "set"}, {"uid", "set"}}},
            {"spec", {{"replicas", replicas}, {"selector", {{"matchLabels", {{"app", "web"}}}}}}}});
  }
  void remove(std::string_view pod) { change(pods(), pod_named(pod), ObjectEvent::Type::kDeleted); }
  void record(int to, const std::vector<std::string>& removed) {
    control::Decision decision;
    decision.id = "decision";
    decision.uid = "set";
    decision.to = to;
    decision.actual.emplace(control::Decision::Actual{});
    for (const std::string& pod : removed) {
      control::Decision::Actual::Removed& one = decision.actual->removed.emplace_back();
      one.name = pod;
      one.uid = pod;
    }
    rules_.decided(decision);
  }
  [[nodiscard]] std::string violation() const {
    return invariants_.violation() ? invariants_.violation()->text : std::string();
  }

  static object pod_named(std::string_view name) {
    return {{"metadata",
             {{"namespace", kNamespace},
              {"name", name},
              {"uid", name},
              {"labels", {{"app", "web"}}},
              {"ownerReferences",
               {{{"apiVersion", "apps/v1"},
                 {"kind", "ReplicaSet"},
                 {"name", "set"},
                 {"uid", "set"},
                 {"controller", true}}}}}}};
  }
  void change(const schema::Kind& kind, object state,
              ObjectEvent::Type type = ObjectEvent::Type::kModified) {
    const ObjectEvent event{type, &kind, std::make_shared<const object>(std::move(state))};
    rules_.apply(event, ++revision_);
    truth_.apply(event);
  }

  Timeline time_{Timestamp::from_seconds(1'000'000)};
  Truth truth_;
  Invariants invariants_{time_, truth_};
  ShadowRules rules_{truth_, invariants_};
  model::Revision revision_ = 0;
};

TEST_F(ShadowRulesTest, RecordsThatAreTrueViolateNothing) {
  resize(3);
  remove("a");
  resize(1);
  remove("b");
  remove("c");
  record(3, {"a"});
  record(1, {"b", "c"});
  EXPECT_EQ(violation(), "");
}

TEST_F(ShadowRulesTest, APodThatIsThereHasNotGone) {
  resize(3);
  record(3, {"a"});
  EXPECT_EQ(violation(), "decision says that a went, which is not true");
}

TEST_F(ShadowRulesTest, APodThatWentAfterAnotherResizeBelongsToThat) {
  resize(3);
  resize(4);
  remove("a");
  record(3, {"a"});
  EXPECT_EQ(violation(),
            "decision compares a size of 3, which was not the last one before its pods went");
}

TEST_F(ShadowRulesTest, ARecordDoesNotMixThePodsOfTwoSizes) {
  resize(3);
  remove("a");
  resize(2);
  remove("b");
  record(3, {"a", "b"});
  EXPECT_EQ(violation(),
            "decision compares a size of 3, which was not the last one before its pods went");
}

TEST_F(ShadowRulesTest, NoPodIsMissing) {
  resize(2);
  remove("a");
  remove("b");
  record(2, {"b"});
  EXPECT_EQ(violation(), "decision does not say that a went");
}

TEST_F(ShadowRulesTest, NoPodIsRecordedTwice) {
  resize(3);
  remove("a");
  record(3, {"a"});
  EXPECT_EQ(violation(), "");
  record(3, {"a"});
  EXPECT_EQ(violation(), "decision says that a went, which another record says too");
}

TEST_F(ShadowRulesTest, AProcessThatOnlyWatchesDeletesNothing) {
  rules_.sent({.kind = control::Call::Kind::kWrite,
               .request = model::delete_request(path_of(pods(), "a"), {.uid = "a"})});
  EXPECT_EQ(violation(), "a process that only watches sends DELETE " + path_of(pods(), "a"));
}

}  // namespace
}  // namespace ebb::sim
