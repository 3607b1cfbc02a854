#include "model/records/selector_memo.h"

#include <gtest/gtest.h>

namespace ebb::model {
namespace {

TEST(SelectorMemo, AnswersAsTheSelectorsDoHoweverOftenItIsAsked) {
  Pool pool;
  const auto selector = [&](std::string_view app) {
    return Selector{{{pool.intern("app"), Requirement::Operator::kIn, {pool.intern(app)}}}};
  };
  const auto labels = [&](std::string_view app) {
    return pool.intern(std::vector{Label{pool.intern("app"), pool.intern(app)}});
  };
  const Selector web = selector("web");
  const Selector cart = selector("cart");
  SelectorMemo memo({&web, &cart});
  for (int round = 0; round < 3; ++round) {
    EXPECT_TRUE(memo.matches(labels("web")));
    EXPECT_FALSE(memo.matches(labels("db")));
    EXPECT_FALSE(memo.matches(labels("db")));
    EXPECT_TRUE(memo.matches(labels("cart")));
  }
}

TEST(SelectorMemo, WithoutSelectorsMatchesNothing) {
  Pool pool;
  EXPECT_FALSE(SelectorMemo({}).matches(pool.intern(std::vector<Label>{})));
}

}  // namespace
}  // namespace ebb::model
