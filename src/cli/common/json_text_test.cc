#include "cli/common/json_text.h"

#include <string>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include "model/yaml/yaml_to_json.h"

namespace ebb::cli {
namespace {

namespace json = boost::json;

const json::value kDocument = {
    {"kind", "Plan"},
    {"count", 3},
    {"empty", json::object{}},
    {"none", json::array{}},
    {"list", {{{"name", "a"}, {"tags", {"x", "z"}}}, "text", {{"deep", {{"er", true}}}}}},
};

TEST(JsonText, IsIndentedByFourAsKubectlDoes) {
  EXPECT_EQ(to_json_text({{"a", 1}, {"b", {1, json::object{}}}}), R"({
    "a": 1,
    "b": [
        1,
        {}
    ]
}
)");
}

TEST(JsonText, WritesNumbersAsPeopleDo) {
  EXPECT_EQ(to_json_text({{"a", 0.478}}), "{\n    \"a\": 0.478\n}\n");
  EXPECT_EQ(to_yaml_text({{"a", 0.478}}), "a: 0.478\n");
}

TEST(YamlText, PutsListsAtTheLevelOfTheirKeyAsKubectlDoes) {
  EXPECT_EQ(to_yaml_text(kDocument), R"(kind: Plan
count: 3
empty: {}
none: []
list:
- name: a
  tags:
  - x
  - z
- text
- deep:
    er: true
)");
}

TEST(YamlText, QuotesStringsThatWouldBeReadAsSomethingElse) {
  for (const std::string_view text : {"",
                                      "true",
                                      "no",
                                      "12",
                                      "1.5",
                                      "0x1F",
                                      "null",
                                      "~",
                                      "- x",
                                      "a: b",
                                      "a #b",
                                      "#x",
                                      "x ",
                                      "*a",
                                      "2026-11-01T12:00:00Z",
                                      "line\nbreak",
                                      "tab\there",
                                      "\"q\"",
                                      "'q'",
                                      "@x",
                                      "%x",
                                      "{x",
                                      "x:",
                                      "back\\slash",
                                      "plain text",
                                      "web-1",
                                      "esc\x1b[31m",
                                      "del\x7f",
                                      "c1\xc2\x9b",
                                      "z\xc3\xbcrich",
                                      "2026-11-01",
                                      "12:30:45",
                                      ".inf",
                                      "=",
                                      "\xef\xbb\xbf",
                                      "\xe2\x80\xa8"}) {
    const json::value document{{"key", json::string_view(text.data(), text.size())}};
    const auto back = model::yaml_to_json(to_yaml_text(document));
    ASSERT_TRUE(back.has_value()) << text << ": " << back.error().message;
    EXPECT_EQ(json::parse(back->front().json), document) << text;
  }
}

TEST(YamlText, SaysTheSameAsTheJson) {
  const auto back = model::yaml_to_json(to_yaml_text(kDocument));
  ASSERT_TRUE(back.has_value()) << back.error().message;
  EXPECT_EQ(json::parse(back->front().json), kDocument);
}

}  // namespace
}  // namespace ebb::cli
