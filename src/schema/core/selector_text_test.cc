#include "schema/core/selector_text.h"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

namespace ebb::schema {
namespace {

TEST(SelectorText, IsWhatSelectorsOfRequestsLookLike) {
  const struct {
    const char* selector;
    const char* printed;
  } cases[] = {
      {R"({})", "<none>"},
      {R"({"matchLabels": {}})", "<none>"},
      {R"({"matchLabels": {"tier": "b", "app": "web"}})", "app=web,tier=b"},
      {R"({"matchLabels": {"app": ""}})", "app="},
      {R"({"matchLabels": {"m": "1"},
           "matchExpressions": [{"key": "z", "operator": "Exists"},
                                {"key": "b", "operator": "DoesNotExist"},
                                {"key": "t", "operator": "In", "values": ["b", "a"]},
                                {"key": "n", "operator": "NotIn", "values": ["x"]}]})",
       "!b,m=1,n notin (x),t in (a,b),z"},
      {R"({"matchExpressions": [{"key": "a", "operator": "Sometimes"}]})", "<error>"},
      {R"({"matchExpressions": [{"key": "a", "operator": "In"}]})", "<error>"},
      {R"({"matchExpressions": [{"key": "a", "operator": "Exists", "values": ["x"]}]})", "<error>"},
      {R"({"matchExpressions": [{"key": "a b", "operator": "Exists"}]})", "<error>"},
      {R"({"matchLabels": {"app": "no good"}})", "<error>"},
  };
  for (const auto& one : cases) {
    const boost::json::value selector = boost::json::parse(one.selector);
    EXPECT_EQ(printed_selector(&selector.as_object()), one.printed) << one.selector;
  }
}

TEST(SelectorText, TellsNoneFromInvalid) {
  EXPECT_EQ(selector_text(nullptr), "");
  EXPECT_EQ(printed_selector(nullptr), "<none>");
  const boost::json::value wrong = boost::json::parse(R"({"matchLabels": {"": "x"}})");
  EXPECT_EQ(selector_text(&wrong.as_object()), std::nullopt);
}

}  // namespace
}  // namespace ebb::schema
