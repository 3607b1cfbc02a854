// The rules for DownscaleDecision objects detect violations.
#include "sim/rules/decision_rules.h"

#include <memory>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/api/requests.h"
#include "sim/core/objects.h"
#include "sim/core/truth.h"

namespace ebb::sim {
namespace {

using boost::json::object;

class DecisionRulesTest : public ::testing::Test {
 protected:
  DecisionRulesTest() {
    rules_.begin({.per_workload = 2, .per_cluster = 3});
    control::Decision made;
    made.id = "made";
    rules_.decided(made);
  }

  void record(std::string_view name, std::string_view workload) {
    rules_.apply(
        {model::ObjectEvent::Type::kAdded, &decision_objects(),
         std::make_shared<const object>(object{{"metadata",
                                                {{"namespace", kNamespace},
                                                 {"name", name},
                                                 {"uid", name},
                                                 {"labels", {{"ebb.dev/workload", workload}}}}}})});
  }
  void create(std::string_view id, object metadata = {},
              control::Call::Kind kind = control::Call::Kind::kPatientWrite) {
    const object body{{"metadata", std::move(metadata)}, {"spec", {{"id", id}}}};
    send(kind, model::create_request(collection_of(decision_objects()), body));
  }
  void remove(std::string_view name, std::string_view uid) {
    send(control::Call::Kind::kPatientWrite,
         model::delete_request(path_of(decision_objects(), name), {.uid = uid}));
    rules_.executing(tag_);
  }
  void send(control::Call::Kind kind, model::ApiRequest request) {
    rules_.sent(++tag_, {.kind = kind, .request = std::move(request)});
  }
  [[nodiscard]] bool violated() const { return invariants_.violation().has_value(); }

  Timeline time_{Timestamp::from_seconds(1'000'000)};
  Truth truth_;
  Invariants invariants_{time_, truth_};
  DecisionRules rules_{time_, invariants_};
  Invariants::Tag tag_ = 0;
};

TEST_F(DecisionRulesTest, ARecordOfADecisionIsWritten) {
  create("made");
  EXPECT_FALSE(violated());
}

TEST_F(DecisionRulesTest, ARecordComesAfterItsDecision) {
  create("not made");
  EXPECT_TRUE(violated());
}

TEST_F(DecisionRulesTest, ARecordIsAPatientWrite) {
  create("made", {}, control::Call::Kind::kWrite);
  EXPECT_TRUE(violated());
}

TEST_F(DecisionRulesTest, ARecordHasNoOwner) {
  create("made", {{"ownerReferences", boost::json::array{object{{"name", "web"}}}}});
  EXPECT_TRUE(violated());
}

TEST_F(DecisionRulesTest, ARecordHasNoSecret) {
  create("made", {{"name", kPickerSecret}});
  EXPECT_TRUE(violated());
}

TEST_F(DecisionRulesTest, ADeleteNamesTheUid) {
  record("a", "web");
  remove("a", "");
  EXPECT_TRUE(violated());
}

TEST_F(DecisionRulesTest, RecordsGoOnlyIfThereAreTooMany) {
  for (const char* name : {"a", "b", "c"}) record(name, "web");
  remove("a", "a");
  EXPECT_FALSE(violated());
  rules_.apply({model::ObjectEvent::Type::kDeleted, &decision_objects(),
                std::make_shared<const object>(
                    object{{"metadata", {{"namespace", kNamespace}, {"name", "a"}}}})});
  remove("b", "b");
  EXPECT_TRUE(violated());
}

TEST_F(DecisionRulesTest, AtRestThereAreNotTooMany) {
  record("a", "web");
  record("b", "web");
  EXPECT_EQ(rules_.unsettled(), "");
  record("c", "web");
  EXPECT_NE(rules_.unsettled(), "");
}

TEST_F(DecisionRulesTest, AtRestTheClusterDoesNotHaveTooMany) {
  for (int i = 0; i < 4; ++i) record(fmt::format("r{}", i), fmt::format("w{}", i));
  EXPECT_NE(rules_.unsettled(), "");
}

}  // namespace
}  // namespace ebb::sim
