// Brackets that are nested too deeply, and texts that only look like them.
#include "model/yaml/flow_depth.h"

#include <string>

#include <gtest/gtest.h>

#include "model/yaml/yaml_to_json.h"

namespace ebb::model {
namespace {

constexpr std::size_t kMax = 3;

TEST(FlowDepth, FindsTheBracketThatIsTooMuch) {
  struct Case {
    std::string_view yaml;
    std::size_t at;
  };
  const Case cases[] = {
      {"[[[[", 3},
      {"a: [[[[", 6},
      {"- - {a: [{b: [", 13},
      {"--- [[[[", 7},
      {"a:\n  [[[[", 8},
      {"a: ']]'\nb: [\"]]]\",[[[", 20},
      {"a: |\n  text\nb: [[[[", 18},
      {"a: !!seq &x [[[[", 15},
      {"\"a\": {\"b\":[[[", 12},
      {"[ # ]]]\n[[[", 10},
  };
  for (const Case& one : cases) {
    const auto found = find_deep_bracket(one.yaml, kMax);
    ASSERT_TRUE(found) << one.yaml;
    EXPECT_EQ(*found, one.at) << one.yaml;
  }
}

TEST(FlowDepth, LeavesAloneWhatIsTextOrNotDeep) {
  const std::string_view cases[] = {
      "[[[]]]",
      "[[],[],[],[],[[]]]",
      "a: '[[[[[['",
      "a: \"\\\"[[[[[[\"",
      "a: 'it''s [[[[[['",
      "a: text [[[[[[",
      "a: text\n  [[[[[[",
      "a: |\n  [[[[[[\n\n  x: [[[[[[\nb: 1",
      "- a: >-\n    x: [[[[[[\n  b: 1",
      "a:\n    |\n  x: [[[[[[",
      "--- |\n [[[[[[",
      "# [[[[[[\na: 1 # [[[[[",
      "a: - [[[[[[",
      "[\"[[[\", '{{{', \"a\":\"[[[[\"]",
  };
  for (const std::string_view yaml : cases) {
    EXPECT_EQ(find_deep_bracket(yaml, kMax), std::nullopt) << yaml;
  }
}

TEST(FlowDepth, IsCheckedBeforeTheTextIsParsed) {
  for (const std::string prefix : {"", "a: ", "- "}) {
    const auto parsed = yaml_to_json(prefix + std::string(3'000'000, '['));
    ASSERT_FALSE(parsed);
    EXPECT_NE(parsed.error().message.find("nested deeper than 400 levels"), std::string::npos)
        << parsed.error().message;
  }
}

}  // namespace
}  // namespace ebb::model
