#include "control/decisions/decision_object.h"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "schema/core/json.h"
#include "schema/core/name_rules.h"

namespace ebb::control {
namespace {

namespace json = boost::json;
using schema::array_at;
using schema::integer_at;
using schema::text_at;

Decision decision() {
  Decision made;
  made.id = "u-1-2";
  made.time = Timestamp::from_nanoseconds(1'793'534'433'946'227'847);
  made.namespace_name = "shop";
  made.replica_set = "web-76f59b67f4";
  made.uid = "u";
  made.owner = "Deployment/web";
  made.from = 3;
  made.to = 0;
  made.candidates = 3;
  made.victims = {{.name = "a",
                   .uid = "ua",
                   .node = "n",
                   .rule = "Age",
                   .because = "old",
                   .outcome = "deleted"},
                  {.name = "b",
                   .uid = "ub",
                   .node = "n",
                   .rule = "DeletionCost",
                   .because = "cheap",
                   .outcome = "refused: no",
                   .spared = true},
                  {.name = "c",
                   .uid = "uc",
                   .node = "n",
                   .rule = "DeletionCost",
                   .because = "cheap",
                   .outcome = "deleted"}};
  made.first_kept = "d";
  return made;
}

TEST(DecisionObject, HasTheFieldsOfTheRecord) {
  const json::object object = decision_object(decision());
  EXPECT_EQ(text_at(object, {"kind"}), "DownscaleDecision");
  EXPECT_EQ(text_at(object, {"metadata", "namespace"}), "shop");
  EXPECT_EQ(text_at(object, {"metadata", "labels", "ebb.dev/workload"}), "web");
  EXPECT_EQ(text_at(object, {"metadata", "labels", "ebb.dev/workload-kind"}), "Deployment");
  EXPECT_EQ(array_at(object, {"metadata", "ownerReferences"}), nullptr);
  EXPECT_EQ(text_at(object, {"spec", "id"}), "u-1-2");
  EXPECT_EQ(text_at(object, {"spec", "time"}), "2026-11-01T12:00:33.946227Z");
  EXPECT_EQ(json::serialize(object.at("spec").at("workload")),
            R"({"kind":"Deployment","name":"web"})");
  EXPECT_EQ(json::serialize(object.at("spec").at("replicaSet")),
            R"({"name":"web-76f59b67f4","uid":"u"})");
  EXPECT_EQ(integer_at(object, {"spec", "replicas", "from"}), 3);
  EXPECT_EQ(integer_at(object, {"spec", "replicas", "to"}), 0);
  EXPECT_EQ(integer_at(object, {"spec", "gone"}), 2);
  EXPECT_EQ(text_at(object, {"spec", "decidedBy"}), "DeletionCost,Age");
  EXPECT_EQ(text_at(object, {"spec", "version"}), EBB_VERSION);
  ASSERT_EQ(array_at(object, {"spec", "victims"})->size(), 3U);
  EXPECT_EQ(json::serialize(array_at(object, {"spec", "victims"})->at(0)),
            R"({"position":1,"name":"a","uid":"ua","node":"n","decidedBy":"Age","because":"old",)"
            R"("outcome":"deleted"})");
  EXPECT_EQ(schema::lookup(object, {"spec", "omittedVictims"}), nullptr);
  EXPECT_EQ(schema::lookup(object, {"spec", "picker"}), nullptr);
}

TEST(DecisionObject, NamesTheReplicaSetIfThatHasNoOwner) {
  Decision made = decision();
  made.owner.clear();
  EXPECT_EQ(workload_of(made).text(), "ReplicaSet/web-76f59b67f4");
}

TEST(DecisionObject, HasANameThatIsValidAndSortsByTime) {
  Decision made = decision();
  const std::string name = decision_name(made);
  EXPECT_TRUE(name.starts_with("web-76f59b67f4-")) << name;
  EXPECT_EQ(decision_name(made), name) << "a repeated write";
  made.time = Timestamp::from_nanoseconds(made.time.since_epoch_ns() + 1'000);
  EXPECT_LT(name, decision_name(made));
  for (const std::string& set : {std::string(253, 'a'), std::string(241, 'a') + ".b",
                                 std::string(241, 'a') + "-.-b", std::string("a")}) {
    made.replica_set = set;
    EXPECT_TRUE(schema::dns_subdomain_errors(decision_name(made)).empty()) << decision_name(made);
  }
}

TEST(DecisionObject, HasLabelsThatAreValid) {
  EXPECT_EQ(label_value("web"), "web");
  EXPECT_EQ(label_value(std::string(63, 'a')), std::string(63, 'a'));
  const std::string texts[] = {std::string(64, 'a'),
                               std::string(253, 'a'),
                               "-web",
                               "web-",
                               "a b",
                               "höhe",
                               "--",
                               std::string(46, 'a') + "." + std::string(100, 'b')};
  for (const std::string& text : texts) {
    EXPECT_TRUE(schema::label_value_errors(label_value(text)).empty()) << label_value(text);
    EXPECT_FALSE(label_value(text).empty()) << text;
  }
  EXPECT_NE(label_value(std::string(100, 'a') + "b"), label_value(std::string(100, 'a') + "c"));
}

TEST(DecisionObject, ShortensSentencesToStaySmall) {
  Decision made = decision();
  made.victims.clear();
  for (int i = 0; i < 500; ++i) {
    made.victims.push_back({.name = fmt::format("web-76f59b67f4-{:05}", i),
                            .uid = std::string(36, 'u'),
                            .node = "node",
                            .rule = "Age",
                            .because = std::string(5'000, 'x'),
                            .outcome = std::string(5'000, 'y')});
  }
  shorten(made);
  const json::object object = decision_object(made);
  EXPECT_LE(json::serialize(object).size(), kMaxDecisionBytes);
  const json::array& victims = *array_at(object, {"spec", "victims"});
  ASSERT_EQ(victims.size(), 500U);
  EXPECT_TRUE(text_at(victims[0].as_object(), {"because"}).ends_with("x..."));
}

TEST(DecisionObject, LeavesOutVictimsIfNothingElseHelps) {
  Decision made = decision();
  made.victims.clear();
  for (int i = 0; i < 600; ++i) {
    made.victims.push_back({.name = std::string(253, 'p'),
                            .uid = std::string(36, 'u'),
                            .node = std::string(253, 'n'),
                            .rule = "Age",
                            .because = "old",
                            .outcome = "deleted"});
  }
  const json::object object = decision_object(made);
  EXPECT_LE(json::serialize(object).size(), kMaxDecisionBytes);
  const auto shown = static_cast<std::int64_t>(array_at(object, {"spec", "victims"})->size());
  EXPECT_GT(shown, 100);
  EXPECT_EQ(integer_at(object, {"spec", "omittedVictims"}), 600 - shown);
  EXPECT_EQ(integer_at(object, {"spec", "gone"}), 600);
}

TEST(DecisionObject, CutsBetweenCharactersAndKeepsNoDetails) {
  Decision made = decision();
  made.picker.emplace();
  made.picker->outcome = picker::Outcome::kBadSettings;
  made.picker->detail = "10.0.0.7 refused the connection";
  for (int i = 0; i < 1'000; ++i) made.picker->problem += "ä";
  shorten(made);
  EXPECT_LE(made.picker->problem.size(), 1'000U);
  EXPECT_TRUE(made.picker->problem.ends_with("ä...")) << made.picker->problem;
  EXPECT_EQ(json::serialize(decision_object(made)).find("10.0.0.7"), std::string::npos);
}

}  // namespace
}  // namespace ebb::control
