#include "model/records/selector.h"

#include <gtest/gtest.h>

#include "model/records/pool.h"

namespace ebb::model {
namespace {

using Operator = Requirement::Operator;

class SelectorTest : public ::testing::Test {
 protected:
  bool matches(const Requirement& requirement) {
    const LabelSet* labels = pool_.intern(
        std::vector{Label{intern("app"), intern("web")}, Label{intern("tier"), intern("")}});
    return Selector{{requirement}}.matches(*labels);
  }
  Interned intern(std::string_view text) { return pool_.intern(text); }

  Pool pool_;
};

TEST_F(SelectorTest, InNeedsOneOfTheValues) {
  EXPECT_TRUE(matches({intern("app"), Operator::kIn, {intern("db"), intern("web")}}));
  EXPECT_TRUE(matches({intern("tier"), Operator::kIn, {intern("")}}));
  EXPECT_FALSE(matches({intern("app"), Operator::kIn, {intern("db")}}));
  EXPECT_FALSE(matches({intern("zone"), Operator::kIn, {intern("a")}}));
}

TEST_F(SelectorTest, NotInAlsoMatchesWhatHasNoSuchLabel) {
  EXPECT_TRUE(matches({intern("app"), Operator::kNotIn, {intern("db")}}));
  EXPECT_FALSE(matches({intern("app"), Operator::kNotIn, {intern("web")}}));
  EXPECT_TRUE(matches({intern("zone"), Operator::kNotIn, {intern("a")}}));
}

TEST_F(SelectorTest, ExistsAndDoesNotExistLookAtTheKeyOnly) {
  EXPECT_TRUE(matches({intern("tier"), Operator::kExists, {}}));
  EXPECT_FALSE(matches({intern("zone"), Operator::kExists, {}}));
  EXPECT_TRUE(matches({intern("zone"), Operator::kDoesNotExist, {}}));
  EXPECT_FALSE(matches({intern("app"), Operator::kDoesNotExist, {}}));
}

TEST_F(SelectorTest, EveryRequirementMustHold) {
  const LabelSet* labels = pool_.intern(std::vector{Label{intern("app"), intern("web")}});
  const Requirement app{intern("app"), Operator::kIn, {intern("web")}};
  const Requirement zone{intern("zone"), Operator::kExists, {}};
  EXPECT_TRUE(Selector{{app}}.matches(*labels));
  EXPECT_FALSE((Selector{{app, zone}}.matches(*labels)));
}

TEST_F(SelectorTest, AnEmptySelectorSelectsNothing) {
  EXPECT_FALSE(Selector{}.matches(*pool_.intern(std::vector<Label>{})));
}

TEST_F(SelectorTest, MakesRequirementsOfTheOperatorsThatThereAre) {
  const Interned a = pool_.intern("a");
  EXPECT_EQ(make_requirement(a, "In", {a}), (Requirement{a, Operator::kIn, {a}}));
  EXPECT_EQ(make_requirement(a, "NotIn", {a}), (Requirement{a, Operator::kNotIn, {a}}));
  EXPECT_EQ(make_requirement(a, "Exists", {}), (Requirement{a, Operator::kExists, {}}));
  EXPECT_EQ(make_requirement(a, "DoesNotExist", {}), (Requirement{a, Operator::kDoesNotExist, {}}));
  for (const char* op : {"In", "NotIn", "Gt", "", "in"}) {
    EXPECT_EQ(make_requirement(a, op, {}), std::nullopt) << op;
  }
  for (const char* op : {"Exists", "DoesNotExist", "Gt", ""}) {
    EXPECT_EQ(make_requirement(a, op, {a}), std::nullopt) << op;
  }
}

}  // namespace
}  // namespace ebb::model
