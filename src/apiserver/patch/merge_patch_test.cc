#include <string>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include "apiserver/patch/patch.h"

namespace ebb::apiserver {
namespace {

namespace json = boost::json;

struct Case {
  const char* document;
  const char* patch;
  const char* expected;
};

// The examples of RFC 7386, appendix A.
constexpr Case kCases[] = {
    {R"({"a":"b"})", R"({"a":"c"})", R"({"a":"c"})"},
    {R"({"a":"b"})", R"({"b":"c"})", R"({"a":"b","b":"c"})"},
    {R"({"a":"b"})", R"({"a":null})", R"({})"},
    {R"({"a":"b","b":"c"})", R"({"a":null})", R"({"b":"c"})"},
    {R"({"a":["b"]})", R"({"a":"c"})", R"({"a":"c"})"},
    {R"({"a":"c"})", R"({"a":["b"]})", R"({"a":["b"]})"},
    {R"({"a":{"b":"c"}})", R"({"a":{"b":"d","c":null}})", R"({"a":{"b":"d"}})"},
    {R"({"a":[{"b":"c"}]})", R"({"a":[1]})", R"({"a":[1]})"},
    {R"(["a","b"])", R"(["c","d"])", R"(["c","d"])"},
    {R"({"a":"b"})", R"(["c"])", R"(["c"])"},
    {R"({"a":"foo"})", R"(null)", R"(null)"},
    {R"({"a":"foo"})", R"("bar")", R"("bar")"},
    {R"({"e":null})", R"({"a":1})", R"({"e":null,"a":1})"},
    {R"([1,2])", R"({"a":"b","c":null})", R"({"a":"b"})"},
    {R"({})", R"({"a":{"bb":{"ccc":null}}})", R"({"a":{"bb":{}}})"},
};

TEST(MergePatch, FollowsTheExamplesOfItsStandard) {
  for (const Case& one : kCases) {
    EXPECT_EQ(json::serialize(merge_patch(json::parse(one.document), json::parse(one.patch))),
              one.expected)
        << one.document << " patched with " << one.patch;
  }
}

TEST(MergePatch, KeepsTheOrderOfFieldsThatStay) {
  const auto result = merge_patch(json::parse(R"({"a":1,"b":2,"c":3,"d":4})"),
                                  json::parse(R"({"b":null,"e":5,"c":7})"));
  EXPECT_EQ(json::serialize(result), R"({"a":1,"c":7,"d":4,"e":5})");
}

TEST(MergePatch, RemovesManyFieldsAtOnce) {
  json::object document;
  json::object patch;
  json::object expected;
  for (int i = 0; i < 60'000; ++i) {
    const std::string key = std::to_string(i);
    document[key] = i;
    if (i % 3 == 0) {
      expected[key] = i;
    } else {
      patch[key] = nullptr;
    }
  }
  EXPECT_EQ(json::serialize(merge_patch(document, patch)), json::serialize(expected));
}

}  // namespace
}  // namespace ebb::apiserver
