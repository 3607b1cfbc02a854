// The meaning of YAML texts. yaml_refusals_test.cc tests the ones that are refused.
#include "model/yaml/yaml_to_json.h"

#include <gtest/gtest.h>

namespace ebb::model {
namespace {

// The JSON of all documents, one a line, or the error.
std::string convert(std::string_view yaml) {
  const auto documents = yaml_to_json(yaml);
  if (!documents) return documents.error().message;
  std::string all;
  for (const YamlDocument& document : *documents) {
    if (!all.empty()) all += '\n';
    all += document.json;
  }
  return all;
}

struct Case {
  std::string_view yaml;
  std::string_view json;
};

template <std::size_t N>
void expect(const Case (&cases)[N]) {
  for (const Case& c : cases) EXPECT_EQ(convert(c.yaml), c.json) << c.yaml;
}

TEST(YamlToJson, TurnsBlockAndFlowCollectionsIntoTheSame) {
  expect({
      {"a: 1\nb:\n  c: [x, 2]\n", R"({"a":1,"b":{"c":["x",2]}})"},
      {"{a: 1, b: {c: [x, 2]}}", R"({"a":1,"b":{"c":["x",2]}})"},
      {"a:\n- b: 1\n  c: 2\n-\n  - x\n- {}\n- []\n", R"({"a":[{"b":1,"c":2},["x"],{},[]]})"},
      {"a:\n  - b\n", R"({"a":["b"]})"},
      {"a:\nb: ~\n? c\n: d\n? e\n", R"({"a":null,"b":null,"c":"d","e":null})"},
      {"[a: b, c]", R"([{"a":"b"},"c"])"},
      {"{a, b: }", R"({"a":null,"b":null})"},
      {"- - - x\n", R"([[["x"]]])"},
  });
}

TEST(YamlToJson, TakesQuotedScalarsAsStringsAndPlainOnesAsWhatTheyAre) {
  expect({
      {"[5, '5', \"5\", !!str 5, 5 x]", R"([5,"5","5","5","5 x"])"},
      {"[yes, 'yes', null, \"null\", '', ]", R"([true,"yes",null,"null",""])"},
      {"a: it's # comment\n", R"({"a":"it's"})"},
      {"a: x#y\n", R"({"a":"x#y"})"},
      {"a: http://b:80/c\n", R"({"a":"http://b:80/c"})"},
      {R"(a: 'it''s "x" \n')", R"({"a":"it's \"x\" \\n"})"},
      {R"(a: "\ttab \"q\" \\ \/ \x41 \u00e4 \U0001F600 \0")",
       "{\"a\":\"\\ttab \\\"q\\\" \\\\ / A ä 😀 \\u0000\"}"},
      {R"("\_": "ä\Nb\_\_€\L\P")", "{\"\u00a0\":\"ä\u0085b\u00a0\u00a0€\u2028\u2029\"}"},
      {"a: b\n  c\n\n  d\n", R"({"a":"b c\nd"})"},
      {"a: \"b\n  c\\\n  d\"\n", R"({"a":"b cd"})"},
  });
}

TEST(YamlToJson, KeepsKeysAsTheyAreWritten) {
  expect({
      {"5: a\ntrue: b\n1.50: c\n", R"({"5":"a","true":"b","1.50":"c"})"},
      {R"("": a)", R"({"":"a"})"},
      {"'<<': a\n", R"({"<<":"a"})"},
      {"f:metadata:\n  k:{\"x\":1}: {}\n  .: {}\n", R"({"f:metadata":{"k:{\"x\":1}":{},".":{}}})"},
  });
}

TEST(YamlToJson, ReadsBlockScalars) {
  expect({
      {"a: |\n  one\n    two\n\n  three\n\n\nb: 1\n", R"({"a":"one\n  two\n\nthree\n","b":1})"},
      {"a: |-\n  one\n  two\nb: 1\n", R"({"a":"one\ntwo","b":1})"},
      {"a: |+\n  one\n\nb: 1\n", R"({"a":"one\n\n","b":1})"},
      {"a: >\n  one\n  two\n\n  three\n", R"({"a":"one two\nthree\n"})"},
      {"a: >-\n  one\n  two\n", R"({"a":"one two"})"},
      {"a: |2\n    one\n", R"({"a":"  one\n"})"},
      {"a: |\n  {\"json\": [1, \"# no comment\"]}\n",
       R"({"a":"{\"json\": [1, \"# no comment\"]}\n"})"},
      {"a: |+\n  one\n\n", R"({"a":"one\n\n"})"},
      {"a: |\n  --- x\n", R"({"a":"--- x\n"})"},
  });
}

TEST(YamlToJson, ReadsEachDocumentAndLeavesOutEmptyOnes) {
  expect({
      {"a: 1\n---\nb: 2\n", "{\"a\":1}\n{\"b\":2}"},
      {"---\na: 1\n...\n---\nb: 2\n...\n", "{\"a\":1}\n{\"b\":2}"},
      {"---\n---\n\n--- # nothing\n---\na: 1\n---\n", R"({"a":1})"},
      {"--- {a: 1}\n--- [b]\n--- c\n", "{\"a\":1}\n[\"b\"]\n\"c\""},
      {"%YAML 1.2\n---\na: 1\n", R"({"a":1})"},
      {"", ""},
      {"---", ""},
      {"---\n", ""},
      {"...\n", ""},
      {"# only a comment", ""},
      {"\n\n# a\n  # b\n---\n# c\n", ""},
      {"null\n", ""},
      {"a: 1", R"({"a":1})"},
  });
}

TEST(YamlToJson, KnowsWhereEachDocumentBegins) {
  const auto documents = yaml_to_json("# x\na: 1\n---\n---\nb: ä\n--- c\n").value();
  ASSERT_EQ(documents.size(), 3U);
  EXPECT_EQ(documents[0].offset, 4U);
  EXPECT_EQ(documents[1].offset, 13U);
  EXPECT_EQ(documents[2].offset, 23U);
}

TEST(YamlToJson, TakesWindowsLineEndsAndTabsBetweenTokens) {
  expect({
      {"a: 1\r\nb:\r\n- c\r\n- |\r\n  d\r\n  e\r\n# f\r\n", R"({"a":1,"b":["c","d\ne\n"]})"},
      {"a:\t1\t# x\nb: [1,\t2]\n", R"({"a":1,"b":[1,2]})"},
      {"a: x\ty\n", R"({"a":"x\ty"})"},
  });
}

TEST(YamlToJson, CopiesWhatAnAliasRefersTo) {
  expect({
      {"a: &x {b: [1, two]}\nc: *x\nd: [*x, *x]\n",
       R"({"a":{"b":[1,"two"]},"c":{"b":[1,"two"]},"d":[{"b":[1,"two"]},{"b":[1,"two"]}]})"},
      {"a: &x 5\nb: *x\nc: &x \"5\"\nd: *x\n", R"({"a":5,"b":5,"c":"5","d":"5"})"},
      {"a: &x\nb: *x\n", R"({"a":null,"b":null})"},
      {"- &x [1]\n- &y [*x, *x]\n- *y\n", R"([[1],[[1],[1]],[[1],[1]]])"},
  });
}

TEST(YamlToJson, TakesTheTagsThatSayNothingNew) {
  expect({
      {"!!map {a: !!seq [!!str x]}", R"({"a":["x"]})"},
      {"a: ! 5\n", R"({"a":"5"})"},
      {"a: !!str\nb: !!str 1\n", R"({"a":"","b":"1"})"},
      {"%TAG !k! tag:yaml.org,2002:\n---\na: !k!str 5\n", R"({"a":"5"})"},
  });
}

TEST(YamlToJson, TellsHowFarItGot) {
  std::string yaml;
  for (int i = 0; i < 40'000; ++i) yaml += "- abcdef\n";
  std::vector<std::size_t> reported;
  ASSERT_TRUE(yaml_to_json(yaml, [&](std::size_t bytes) { reported.push_back(bytes); }));
  ASSERT_GE(reported.size(), 5U);
  EXPECT_TRUE(std::is_sorted(reported.begin(), reported.end()));
  EXPECT_EQ(reported.front(), 0U);
  EXPECT_EQ(reported.back(), yaml.size());
}

}  // namespace
}  // namespace ebb::model
