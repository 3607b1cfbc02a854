#include <string>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "apiserver/decode/decode.h"

namespace ebb::apiserver {
namespace {

namespace json = boost::json;

std::string error_of(std::string_view text) {
  const auto parsed = parse_json(text);
  if (parsed) return "accepted";
  EXPECT_EQ(parsed.error().code, 400);
  EXPECT_EQ(parsed.error().reason, "BadRequest");
  return parsed.error().message;
}

std::string nested(std::size_t levels) {
  return std::string(levels, '[') + std::string(levels, ']');
}

TEST(ParseJson, ReadsEveryKindOfValue) {
  const std::string text =
      R"({"a":[1,-2,2.5,true,false,null,"x\u00e9\n"],"b":{"":{}},"c":18446744073709551615})";
  const auto parsed = parse_json(text);
  ASSERT_TRUE(parsed.has_value());
  EXPECT_EQ(parsed->value, json::parse(text));
  EXPECT_TRUE(parsed->duplicates.empty());
}

TEST(ParseJson, NamesDuplicatesByPathAndKeepsTheLast) {
  const auto parsed = parse_json(R"({
    "spec": {"replicas": 1, "replicas": 2,
             "containers": [{"image": "a"}, {"image": "b", "\u0069mage": "c", "image": "d"}]},
    "kind": "A", "kind": "B"})");
  ASSERT_TRUE(parsed.has_value());
  EXPECT_EQ(parsed->duplicates,
            (std::vector<std::string>{"spec.replicas", "spec.containers[1].image", "kind"}));
  EXPECT_EQ(parsed->value, json::parse(R"({
    "spec": {"replicas": 2, "containers": [{"image": "a"}, {"image": "d"}]}, "kind": "B"})"));
}

TEST(ParseJson, KeepsOnlyTheFirstHundredDuplicates) {
  std::string text = "{";
  for (int i = 0; i < 300; ++i) text += "\"f" + std::to_string(i % 150) + "\":1,";
  text.back() = '}';
  const auto parsed = parse_json(text);
  ASSERT_TRUE(parsed.has_value());
  EXPECT_EQ(parsed->duplicates.size(), 100U);
}

TEST(ParseJson, BoundsTheMemoryThatPathsTake) {
  std::string text = "{\"" + std::string(1UL << 20, 'k') + "\":{";
  for (int i = 0; i < 300; ++i) text += "\"f" + std::to_string(i % 150) + "\":1,";
  text.back() = '}';
  const auto parsed = parse_json(text + "}");
  ASSERT_TRUE(parsed.has_value());
  EXPECT_EQ(parsed->duplicates.size(), 1U);
}

TEST(ParseJson, SaysWhereATextIsMalformed) {
  const struct {
    std::string_view text;
    std::string_view message;
  } cases[] = {
      {"{\n  \"a\": 1,\n}", "line 3, column 1: unexpected } after a comma"},
      {"{'a': 1}", "line 1, column 2: unexpected '; strings and keys need double quotes"},
      {"{\"a\": 1", "line 1, column 8: the text ends in the middle of a document"},
      {"", "it is empty"},
      {" \n", "it is empty"},
      {"{} {}", "line 1, column 4: unexpected text after the end of the document"},
      {"{}x", "line 1, column 3: unexpected x"},
      {"[1e999]", "line 1, column 7: the number is too large for 64 bits"},
      {"[18446744073709551616]", "line 1, column 22: the number is too large for 64 bits"},
      {"\"\xff\"", "line 1, column 2: is not valid UTF-8"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(error_of(c.text), "the request body is not valid JSON: " + std::string(c.message))
        << c.text;
  }
}

TEST(ParseJson, RefusesDeepNesting) {
  EXPECT_EQ(error_of(nested(200)), "accepted");
  EXPECT_EQ(
      error_of(nested(201)),
      "the request body is not valid JSON: line 1, column 201: nested deeper than 200 levels");
  EXPECT_NE(error_of(std::string(1UL << 20, '[')), "accepted");
}

json::value any_json(int depth) {
  switch (*rc::gen::inRange(0, depth > 0 ? 7 : 5)) {
    case 0:
      return nullptr;
    case 1:
      return *rc::gen::arbitrary<bool>();
    case 2:
      return *rc::gen::arbitrary<std::int64_t>();
    case 3:
      return *rc::gen::arbitrary<std::int32_t>() / 8.0;
    case 4:
      return json::value(
          json::string(*rc::gen::container<std::string>(rc::gen::inRange<char>(0x01, 0x7f))));
    case 5: {
      json::array array;
      for (int i = *rc::gen::inRange(0, 5); i > 0; --i) array.push_back(any_json(depth - 1));
      return array;
    }
    default: {
      json::object object;
      for (int i = *rc::gen::inRange(0, 25); i > 0; --i) {
        object[*rc::gen::container<std::string>(rc::gen::inRange<char>(0x20, 0x7f))] =
            any_json(depth - 1);
      }
      return object;
    }
  }
}

RC_GTEST_PROP(ParseJson, ReadsWhatBoostWrites, ()) {
  const json::value value = any_json(3);
  const auto parsed = parse_json(json::serialize(value));
  RC_ASSERT(parsed.has_value());
  RC_ASSERT(parsed->duplicates.empty());
  RC_ASSERT(json::serialize(parsed->value) == json::serialize(value));
}

}  // namespace
}  // namespace ebb::apiserver
