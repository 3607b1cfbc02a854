#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "apiserver/store/selectors.h"

namespace ebb::apiserver {
namespace {

using Operator = LabelSelector::Operator;

constexpr LabelView kLabels[] = {
    {"app", "web"}, {"example.com/tier", ""}, {"in", "notin"}, {"size", "5"}};

bool matches(std::string_view text) {
  const auto selector = LabelSelector::parse(text);
  EXPECT_TRUE(selector) << text << ": " << (selector ? "" : selector.error().message);
  return selector && selector->matches(kLabels);
}

TEST(LabelSelector, MatchesWhatAllOfItsRequirementsHoldFor) {
  for (const char* text : {
           "",
           "  ",
           "app",
           "app=web",
           "app==web",
           " app = web ",
           "app!=db",
           "zone!=a",
           "app in (web)",
           "app in (db, web)",
           "app in(web)",
           "app notin (db,cache)",
           "zone notin (a)",
           "!zone",
           "! zone",
           "!zone,app=web",
           "example.com/tier=",
           "example.com/tier",
           "example.com/tier in ()",
           "example.com/tier in (,x)",
           "example.com/tier in (x,)",
           "app notin ()",
           "in in (in,notin)",
           "in=notin",
           "in",
           "size>4",
           "size<6",
           "size > 3",
           "app=web,app!=db,size>4,size<6",
           "app\t=\nweb",
       }) {
    EXPECT_TRUE(matches(text)) << text;
  }
  for (const char* text : {
           "zone",
           "app=db",
           "app=",
           "app!=web",
           "app in (db)",
           "app in ()",
           "app notin (web)",
           "!app",
           "zone=",
           "zone in (a)",
           "zone in ()",
           "size>5",
           "size<5",
           "app>5",
           "zone<5",
           "app=web,zone",
           "app=we",
           "app=webs",
           "example.com/tier!=",
           "App=web",
       }) {
    EXPECT_FALSE(matches(text)) << text;
  }
}

TEST(LabelSelector, IsEmptyWithoutRequirements) {
  EXPECT_TRUE(LabelSelector::parse("")->empty());
  EXPECT_TRUE(LabelSelector::parse(" \t")->empty());
  EXPECT_FALSE(LabelSelector::parse("a")->empty());
  EXPECT_TRUE(LabelSelector::parse("")->matches({}));
  EXPECT_FALSE(LabelSelector::parse("a")->matches({}));
}

TEST(LabelSelector, SortsRequirementsAndValues) {
  const auto selector = LabelSelector::parse("z in (c,a,,c),b>7,!m");
  ASSERT_TRUE(selector);
  const auto& requirements = selector->requirements();
  ASSERT_EQ(requirements.size(), 3U);
  EXPECT_EQ(requirements[0].key, "b");
  EXPECT_EQ(requirements[0].op, Operator::kGreater);
  EXPECT_EQ(requirements[1].key, "m");
  EXPECT_EQ(requirements[1].op, Operator::kDoesNotExist);
  EXPECT_EQ(requirements[2].key, "z");
  EXPECT_EQ(requirements[2].values, (std::vector<std::string>{"", "a", "c"}));
}

constexpr const char* kNameRule =
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end "
    "with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
    "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
constexpr const char* kValueRule =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value', "
    " or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

TEST(LabelSelector, RefusesTheRestInKubernetesWords) {
  const std::string requirement = "unable to parse requirement: ";
  const std::string long_name(64, 'a');
  const std::pair<std::string, std::string> cases[] = {
      {",", "found ',', expected: !, identifier, or 'end of string'"},
      {"=a", "found '=', expected: !, identifier, or 'end of string'"},
      {"a,", "found '', expected: identifier after ','"},
      {"a,,b", "found ',', expected: identifier after ','"},
      {"a=b c", "found 'c', expected: ',' or 'end of string'"},
      {"!a=b", "found '=', expected: ',' or 'end of string'"},
      {"a in (b) c", "found 'c', expected: ',' or 'end of string'"},
      {"!", requirement + "found '', expected: identifier"},
      {"!!a", requirement + "found '!', expected: identifier"},
      {"a b", requirement + "found 'b', expected: in, notin, =, ==, !=, gt, lt"},
      {"a (b)", requirement + "found '(', expected: in, notin, =, ==, !=, gt, lt"},
      {"a!b", requirement + "found '!', expected: in, notin, =, ==, !=, gt, lt"},
      {"a=(b)", requirement + "found '(', expected: identifier"},
      {"a===b", requirement + "found '=', expected: identifier"},
      {"a in b", requirement + "found 'b' expected: '('"},
      {"a in", requirement + "found '' expected: '('"},
      {"a in (b", requirement + "found '', expected: ',' or ')'"},
      {"a in (", requirement + "found '', expected: ',', ')' or identifier"},
      {"a in (b,", requirement + "found '', expected: ',', or identifier"},
      {"a in (b,=)", requirement + "found '=', expected: ',', or identifier"},
      {"a>-3", requirement + "values[0][a]: Invalid value: \"-3\": " + kValueRule},
      {"a in (b c)", requirement + "found 'c', expected: ',' or ')'"},
      {"-a", requirement + "<nil>: Invalid value: \"-a\": " + kNameRule},
      {"a\"b=c", requirement + "<nil>: Invalid value: \"a\\\"b\": " + kNameRule},
      {"/a", requirement + "<nil>: Invalid value: \"/a\": prefix part must be non-empty"},
      {"x/",
       requirement + "<nil>: Invalid value: \"x/\": name part must be non-empty; " + kNameRule},
      {long_name, requirement + "<nil>: Invalid value: \"" + long_name +
                      "\": name part must be no more than 63 bytes"},
      {"a=-b", requirement + "values[0][a]: Invalid value: \"-b\": " + kValueRule},
      {"a in (b,c/d)", requirement + "values[1][a]: Invalid value: \"c/d\": " + kValueRule},
      {"a=" + long_name, requirement + "values[0][a]: Invalid value: \"" + long_name +
                             "\": must be no more than 63 bytes"},
      {"a>b", requirement +
                  "values[0]: Invalid value: \"b\": for 'Gt', 'Lt' operators, the value must be an "
                  "integer"},
      {"a<", requirement +
                 "values[0]: Invalid value: \"\": for 'Gt', 'Lt' operators, the value must be an "
                 "integer"},
      {"a>99999999999999999999",
       requirement +
           "values[0]: Invalid value: \"99999999999999999999\": for 'Gt', 'Lt' operators, the "
           "value must be an integer"},
      {"a in (-b,-c)", requirement + "[values[0][a]: Invalid value: \"-b\": " + kValueRule +
                           ", values[1][a]: Invalid value: \"-c\": " + kValueRule + "]"},
      {"a=\xff", "the label selector is not valid UTF-8"},
  };
  for (const auto& [text, message] : cases) {
    const auto selector = LabelSelector::parse(text);
    ASSERT_FALSE(selector) << text;
    EXPECT_EQ(selector.error().code, 400);
    EXPECT_EQ(selector.error().message, message) << text;
  }
}

TEST(LabelSelector, RefusesPrefixesThatAreNotDomains) {
  for (const char* key : {"A.com/x", "a..b/x", "-a/x", "a-/x", ".a/x", "a./x", "a_b/x", "a/b/c"}) {
    EXPECT_FALSE(LabelSelector::parse(key)) << key;
  }
  for (const char* key : {"a/x", "a-b.c0/x", "0.1/X_y.z"}) {
    EXPECT_TRUE(LabelSelector::parse(key)) << key;
  }
  EXPECT_TRUE(LabelSelector::parse(std::string(253, 'a') + "/x"));
  EXPECT_FALSE(LabelSelector::parse(std::string(254, 'a') + "/x"));
}

}  // namespace
}  // namespace ebb::apiserver
