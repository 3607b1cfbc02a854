// The YAML texts that are refused, and the error messages.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/yaml/yaml_to_json.h"

namespace ebb::model {
namespace {

std::string error_of(std::string_view yaml) {
  const auto documents = yaml_to_json(yaml);
  return documents ? "accepted: " + (documents->empty() ? "nothing" : documents->front().json)
                   : documents.error().message;
}

struct Case {
  std::string_view yaml;
  std::string_view error;
};

template <std::size_t N>
void expect(const Case (&cases)[N]) {
  for (const Case& c : cases) EXPECT_EQ(error_of(c.yaml), c.error) << c.yaml;
}

std::string repeat(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

TEST(YamlRefusals, NameTheLineAndColumnOfInvalidYaml) {
  expect({
      {"a:\n   b: 1\n  c: 2\n",
       "line 3, column 3: expected another key of the same object; is the indentation right?"},
      {"a:\n  - b\n c: 1\n",
       "line 3, column 2: expected another key of the same object; is the indentation right?"},
      {"a:\n- b\n  c: 1\n",
       "line 3, column 4: a key and value are not allowed here; should the text be in quotes?"},
      {"a:\n- b\n- c: 1\n d: 2\n",
       "line 4, column 2: expected another \"- \" of the same list; is the indentation right?"},
      {"a: 1\n\t\nb: 2\n", "line 2, column 1: tabs are not allowed as indentation; use spaces"},
      {"a: b: c\n",
       "line 1, column 5: a key and value are not allowed here; should the text be in quotes?"},
      {"a: - b\n", "line 1, column 4: a list item is not allowed here; is the indentation right?"},
      {"a: {b: 1\n", "line 2, column 1: expected , or } in an object that began with {"},
      {"a: [b, c\nd: 1\n", "line 2, column 2: expected , or ] in a list that began with ["},
      {"a: [[b\n", "line 1, column 5: a key must be a single word; is a closing ] or } missing?"},
      {"a: b]\nc: ]\n", "line 2, column 4: unexpected ] or }; there is no open bracket"},
      {"a: @b\n", "line 1, column 4: unexpected character; text that begins with it needs quotes"},
      {"a:\n\tb: 1\n",
       "line 2, column 3: a key and value are not allowed here; should the text be in quotes?"},
      {"a: |\n\tb\n", "line 2, column 1: tabs are not allowed as indentation; use spaces"},
      {"a: \"b\\q\"\n",
       "line 1, column 8: unknown escape in a quoted string; write a backslash as \\\\"},
      {"a: \"b\n---\n\"\n", "line 2, column 1: --- or ... is not allowed within a quoted string"},
      {"a: *b\n", "line 1, column 4: is not valid YAML: the referenced anchor is not defined"},
      {"ä: {€: ]}\n", "line 1, column 8: unexpected ] or }; there is no open bracket"},
  });
}

// A file that was cut short must not look whole.
TEST(YamlRefusals, IncludeQuotedStringsThatNeverEnd) {
  for (const std::string_view yaml : {"a: \"b", "a: \"b\n", "a: 'b\n\n", "a: 'b''\n  c: d\n", "\"a",
                                      "- 'x\n# y\n", "a: \"b\\\n"}) {
    EXPECT_NE(error_of(yaml).find(": the text ends within a quoted string"), std::string::npos)
        << yaml << " gives " << error_of(yaml);
  }
}

TEST(YamlRefusals, IncludeWhatFollowsADocumentWithoutSeparator) {
  constexpr std::string_view kSeparator =
      "the document ended before this; is --- missing, or the indentation wrong?";
  for (const auto& [yaml, place] : {std::pair{"\"a\" \"b\"\n", "line 1, column 5"},
                                    {"{a: 1} {b: 2}\n", "line 1, column 8"},
                                    {"# x\n[a]\n[b]\n", "line 3, column 1"},
                                    {"a: 1\n...\nb: 2\n", "line 3, column 1"},
                                    {"- a\nb: 1\n", "line 2, column 1"},
                                    {",,,,", "line 1, column 1"},
                                    {"--- ,\n", "line 1, column 5"}}) {
    EXPECT_EQ(error_of(yaml), fmt::format("{}: {}", place, kSeparator)) << yaml;
  }
}

TEST(YamlRefusals, IncludeKeysThatStandTwice) {
  expect({
      {"a: 1\nb: 2\na: 3\n", "line 3, column 1: key a occurs twice in the same object"},
      {"{a: 1, 'a': 2}", "line 1, column 8: key a occurs twice in the same object"},
      {"x:\n- b: 1\n  \"b\": 2\n", "line 3, column 3: key b occurs twice in the same object"},
  });
  EXPECT_EQ(error_of("a: {b: 1}\nc: {b: 1}\n"), R"(accepted: {"a":{"b":1},"c":{"b":1}})");
}

TEST(YamlRefusals, IncludeWhatJsonCannotSay) {
  expect({
      {"a: &x {b: 1}\nc:\n  <<: *x\n",
       "line 3, column 3: merge keys (<<) are not supported; write the fields out"},
      {"[a]: b\n", "line 1, column 1: a key must be a single word; is a closing ] or } missing?"},
      {"? {a: 1}\n: b\n",
       "line 1, column 3: a key must be a single word; is a closing ] or } missing?"},
      {"~: a\n", "line 1, column 1: expected a key"},
      {": a\n", "line 1, column 1: expected a key"},
      {"&x a: 1\n", "line 1, column 1: a key cannot have an anchor"},
      {"a: &x b\n*x : c\n", "line 2, column 1: an alias cannot be a key"},
      {"a: !!int \"5\"\n", "line 1, column 4: tag tag:yaml.org,2002:int is not supported"},
      {"a: !!binary aGVsbG8=\n", "line 1, column 4: tag tag:yaml.org,2002:binary is not supported"},
      {"a: !mine x\n", "line 1, column 4: tag !mine is not supported"},
      {"a: !mine [x]\n", "line 1, column 4: tag !mine is not supported"},
      {"!!set {a, b}\n", "line 1, column 1: tag tag:yaml.org,2002:set is not supported"},
      {"!!map [a]\n", "line 1, column 1: tag tag:yaml.org,2002:map is not supported"},
  });
}

TEST(YamlRefusals, IncludeBytesThatAreNotText) {
  using namespace std::string_view_literals;
  expect({
      {"a: b\nc: \xe4\n", "line 2, column 4: is not valid UTF-8"},
      {"a: b\n\x04\nc: d\n",
       "line 2, column 1: is a control character; in a quoted string, write \\xNN"},
      {"a: b\0c\n"sv, "line 1, column 5: is a control character; in a quoted string, write \\xNN"},
  });
}

TEST(YamlRefusals, IncludeAliasesThatBlowUpOrTurnInCircles) {
  std::string bomb = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]\n";
  for (int i = 1; i < 12; ++i) {
    bomb +=
        fmt::format("a{0}: &a{0} [{1}*a{2}]\n", i, repeat(fmt::format("*a{}, ", i - 1), 9), i - 1);
  }
  EXPECT_EQ(error_of(bomb), "line 7, column 15: aliases expand to more than 16 MiB");
  expect({
      {"a: &a [*a]\n", "line 1, column 8: an alias refers to its own ancestor"},
      {"&a b: 1\n", "line 1, column 1: a key cannot have an anchor"},
      {"x: &a\n  y: &b\n    z: *a\n", "line 3, column 8: an alias refers to its own ancestor"},
  });
}

TEST(YamlRefusals, IncludeDeepNestingInEveryStyle) {
  EXPECT_EQ(error_of(repeat("[", 400) + repeat("]", 400)),
            "accepted: " + repeat("[", 400) + repeat("]", 400));
  constexpr std::string_view kTooDeep = "nested deeper than 400 levels";
  std::string staircase;
  for (std::size_t i = 0; i < 1000; ++i) staircase += std::string(i, ' ') + "a:\n";
  const std::pair<std::string, std::string_view> cases[] = {
      {repeat("[", 10'000) + repeat("]", 10'000), "line 1, column 401"},
      {repeat("[\n", 10'000) + repeat("]", 10'000), "line 401, column 1"},
      {repeat("{a: ", 10'000) + repeat("}", 10'000), "line 1, column 1601"},
      {repeat("- ", 10'000) + "x", "line 1, column 801"},
      {staircase, "line 401, column 401"},
      {"a: &a " + repeat("[", 300) + repeat("]", 300) + "\nb: " + repeat("[", 100) + "*a" +
           repeat("]", 100),
       "line 2, column 104"},
  };
  for (const auto& [yaml, place] : cases) {
    EXPECT_EQ(error_of(yaml), fmt::format("{}: {}", place, kTooDeep));
  }
}

TEST(YamlRefusals, IncludeALastLineWithoutAColon) {
  constexpr std::string_view kProblem = ": expected a colon and a space after the key";
  EXPECT_EQ(error_of("kind: Pod\nspec:\n  a: b\n  nodeName:node-a1\n"),
            fmt::format("line 4, column 3{}", kProblem));
  EXPECT_EQ(error_of("kind: Pod\nstat"), fmt::format("line 2, column 1{}", kProblem));
  EXPECT_EQ(error_of("kind: Pod\n--"), fmt::format("line 2, column 1{}", kProblem));
  EXPECT_EQ(error_of("kind: Pod\nstat\n---\nkind: Pod\n"),
            fmt::format("line 2, column 1{}", kProblem));
}

// yaml-cpp did not terminate on some of these. If one hangs again, ctest stops the test, which then
// fails.
TEST(YamlRefusals, ComeForLongTextsOfOneThingToo) {
  for (const std::string_view piece :
       {"[",  "{",   "- ",   "? ",    ": ",    ",",   "!",   "&a ", "*a ", "\"",
        "'",  "|\n", "--- ", "---\n", "...\n", "#\n", " ",   "\t",  "\n",  "a: ",
        "a ", "a\n", "{a: ", "[a: ",  "%a\n",  "\\",  "-\n", "[]",  "{},"}) {
    for (const std::string_view before : {"", "a: ", "a: [", "a: \"", "a: |\n "}) {
      const std::string text = std::string(before) + repeat(piece, 100'000);
      EXPECT_NE(error_of(text), "") << text.substr(0, 20);
    }
  }
}

}  // namespace
}  // namespace ebb::model
