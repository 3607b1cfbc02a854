#include "model/json/raw_json.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace ebb::model {
namespace {

std::vector<std::string> parts(std::string_view text) {
  std::vector<std::string> found;
  RawJsonCursor cursor(text);
  while (const auto value = cursor.next()) {
    found.push_back(std::string(value->key) + "=" + std::string(value->text));
  }
  return found;
}

using Parts = std::vector<std::string>;

TEST(RawJson, FindsTheMembersOfAnObjectAndTheElementsOfAList) {
  const struct {
    const char* text;
    Parts parts;
  } cases[] = {
      {"{}", {}},
      {"[]", {}},
      {R"({"a":1,"b":"x"})", {"a=1", "b=\"x\""}},
      {R"( { "a" : { "b" : [ 1 , 2 ] } , "c" : null } )", {"a={ \"b\" : [ 1 , 2 ] }", "c=null"}},
      {R"([1,"a",{"b":2},[3],true])", {"=1", "=\"a\"", "={\"b\":2}", "=[3]", "=true"}},
      {R"({"a":"}\"]","b":"\\","c":[]})", {R"(a="}\"]")", R"(b="\\")", "c=[]"}},
      {R"({"a\"b":{"x":"{"}})", {R"(a\"b={"x":"{"})"}},
  };
  for (const auto& c : cases) EXPECT_EQ(parts(c.text), c.parts) << c.text;
}

TEST(RawJson, EndsWhereTheTextMakesNoSense) {
  for (const char* text :
       {"", "x", "{", "{\"", "{\"a", "{\"a\"", "{\"a\":", "{\"a\":{", "{\"a\":\"\\\"", "{a:1}", "[",
        "[{", "{\"a\":1", "[,", "{\"a\":}", "]", "{\"\\"}) {
    EXPECT_EQ(parts(text), Parts()) << text;
  }
  EXPECT_EQ(parts(R"({"a":1,"b":)"), Parts({"a=1"}));
}

TEST(RawJson, TellsWhetherTheContainerCameToItsEnd) {
  const auto is_complete = [](std::string_view text) {
    RawJsonCursor cursor(text);
    while (cursor.next()) continue;
    return cursor.complete();
  };
  for (const char* text :
       {"[]", "{}", " [ ] ", "[1]", "[1, 2 ]\n", R"({"a":{}})", R"({"a":[] })"}) {
    EXPECT_TRUE(is_complete(text)) << text;
  }
  for (const char* text :
       {"", "7", "[", "{", "[1", "[1,", "[1,]", "[,]", "[1,,2]", "[1}", "{]", "[1]]", "[1]x",
        R"({"a":1)", R"({"a":1,})", R"({"a"})", R"({"a":1,b:2})"}) {
    EXPECT_FALSE(is_complete(text)) << text;
  }
}

TEST(RawJson, FindsAMemberByItsKey) {
  EXPECT_EQ(raw_member(R"({"type":"ADDED","object":{"x":1}})", "object"), R"({"x":1})");
  EXPECT_EQ(raw_member(R"({"type":"ADDED"})", "object"), "");
  EXPECT_EQ(raw_member(R"([1])", "object"), "");
}

}  // namespace
}  // namespace ebb::model
