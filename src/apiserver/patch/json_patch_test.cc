#include <string>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include "apiserver/patch/json_edit.h"
#include "apiserver/patch/patch.h"

namespace ebb::apiserver {
namespace {

namespace json = boost::json;

struct Case {
  const char* what;
  const char* document;
  const char* patch;
  const char* expected;
};

constexpr Case kApplied[] = {
    {"no operation", R"({"a":1})", R"([])", R"({"a":1})"},
    {"a new field", R"({"a":1})", R"([{"op":"add","path":"/b","value":2}])", R"({"a":1,"b":2})"},
    {"adding what is there replaces it", R"({"a":1})", R"([{"op":"add","path":"/a","value":2}])",
     R"({"a":2})"},
    {"into the middle of a list", R"({"a":[1,2]})", R"([{"op":"add","path":"/a/1","value":9}])",
     R"({"a":[1,9,2]})"},
    {"behind a list, by index", R"({"a":[1,2]})", R"([{"op":"add","path":"/a/2","value":9}])",
     R"({"a":[1,2,9]})"},
    {"behind a list, by dash", R"({"a":[1,2]})", R"([{"op":"add","path":"/a/-","value":[3]}])",
     R"({"a":[1,2,[3]]})"},
    {"a null", R"({"a":1})", R"([{"op":"add","path":"/b","value":null}])", R"({"a":1,"b":null})"},
    {"the whole document", R"({"a":1})", R"([{"op":"add","path":"","value":{"b":2}}])",
     R"({"b":2})"},
    {"an empty name", R"({"":1})", R"([{"op":"replace","path":"/","value":2}])", R"({"":2})"},
    {"escapes", R"({"a/b":1,"m~n":2,"~1":3})",
     R"([{"op":"replace","path":"/a~1b","value":10},{"op":"replace","path":"/m~0n","value":20},
         {"op":"replace","path":"/~01","value":30}])",
     R"({"a/b":10,"m~n":20,"~1":30})"},
    {"removal keeps the order", R"({"a":1,"b":2,"c":3})", R"([{"op":"remove","path":"/a"}])",
     R"({"b":2,"c":3})"},
    {"removal from a list", R"({"a":[1,2,3]})", R"([{"op":"remove","path":"/a/1"}])",
     R"({"a":[1,3]})"},
    {"replacing an entry", R"({"a":[1,2,3]})", R"([{"op":"replace","path":"/a/1","value":0}])",
     R"({"a":[1,0,3]})"},
    {"replacing what is not there adds it, as in Kubernetes", R"({"a":{}})",
     R"([{"op":"replace","path":"/a/b","value":1}])", R"({"a":{"b":1}})"},
    {"replacing the document", R"({"a":1})", R"([{"op":"replace","path":"","value":[]}])", R"([])"},
    {"moving a field", R"({"a":{"x":1},"b":{}})", R"([{"op":"move","from":"/a/x","path":"/b/y"}])",
     R"({"a":{},"b":{"y":1}})"},
    {"moving within a list", R"({"a":[1,2,3,4]})", R"([{"op":"move","from":"/a/1","path":"/a/3"}])",
     R"({"a":[1,3,4,2]})"},
    {"moving to where it is", R"({"a":1})", R"([{"op":"move","from":"/a","path":"/a"}])",
     R"({"a":1})"},
    {"a name that begins like another", R"({"a":1,"ab":{}})",
     R"([{"op":"move","from":"/a","path":"/ab/a"}])", R"({"ab":{"a":1}})"},
    {"copying", R"({"a":{"x":1}})", R"([{"op":"copy","from":"/a","path":"/b"}])",
     R"({"a":{"x":1},"b":{"x":1}})"},
    {"copying into itself", R"({"a":{"x":1}})", R"([{"op":"copy","from":"/a","path":"/a/y"}])",
     R"({"a":{"x":1,"y":{"x":1}}})"},
    {"copying the document", R"({"a":1})", R"([{"op":"copy","from":"","path":"/b"}])",
     R"({"a":1,"b":{"a":1}})"},
    {"tests that hold", R"({"a":{"x":1,"y":[1,{"z":null}]},"n":3})",
     R"([{"op":"test","path":"/a","value":{"y":[1.0,{"z":null}],"x":1}},
         {"op":"test","path":"/n","value":3e0}])",
     R"({"a":{"x":1,"y":[1,{"z":null}]},"n":3})"},
    {"null means absent to a test, as in Kubernetes", R"({"a":{}})",
     R"([{"op":"test","path":"/a/b","value":null}])", R"({"a":{}})"},
    {"members that mean nothing", R"({"a":1})",
     R"([{"op":"remove","path":"/a","value":7,"comment":"x"}])", R"({})"},
    {"digits as the name of a field", R"({"a":{"0":1}})", R"([{"op":"remove","path":"/a/0"}])",
     R"({"a":{}})"},
};

TEST(JsonPatch, AppliesEachOperation) {
  for (const Case& one : kApplied) {
    const auto result = json_patch(json::parse(one.document), json::parse(one.patch));
    ASSERT_TRUE(result) << one.what << ": " << result.error().message;
    EXPECT_EQ(json::serialize(*result), one.expected) << one.what;
  }
}

struct Refusal {
  const char* patch;
  int code;
  const char* message;  // its end
};

constexpr Refusal kRefused[] = {
    {R"([{"op":"test","path":"/a","value":2}])", 422,
     R"(operation 0 of the JSON patch (test "/a"): the test failed)"},
    {R"([{"op":"test","path":"/a","value":1},{"op":"test","path":"/a","value":"1"}])", 422,
     R"(operation 1 of the JSON patch (test "/a"): the test failed)"},
    {R"([{"op":"test","path":"/b/c","value":null}])", 422, "the path does not exist"},
    {R"([{"op":"test","path":"/l","value":[1]}])", 422, "the test failed"},
    {R"([{"op":"test","path":"","value":{"a":1}}])", 422, "the test failed"},
    {R"([{"op":"remove","path":"/b"}])", 422, "there is nothing to remove"},
    {R"([{"op":"remove","path":"/l/2"}])", 422, "there is nothing to remove"},
    {R"([{"op":"remove","path":"/l/-"}])", 422, "there is nothing to remove"},
    {R"([{"op":"remove","path":""}])", 422, "the whole document cannot be removed"},
    {R"([{"op":"replace","path":"/b/c","value":1}])", 422, "the path does not exist"},
    {R"([{"op":"replace","path":"/l/2","value":1}])", 422, "the path does not exist"},
    {R"([{"op":"add","path":"/b/c","value":1}])", 422, "the path does not exist"},
    {R"([{"op":"add","path":"/a/c","value":1}])", 422,
     "the path leads through a value that is neither an object nor a list"},
    {R"([{"op":"add","path":"/l/3","value":1}])", 422, "index 3 is beyond the end of a list of 2"},
    {R"([{"op":"add","path":"/l/01","value":1}])", 422, R"("01" is not a valid index)"},
    {R"([{"op":"add","path":"/l/-1","value":1}])", 422, R"("-1" is not a valid index)"},
    {R"([{"op":"add","path":"/l/18446744073709551616","value":1}])", 422,
     R"("18446744073709551616" is not a valid index)"},
    {R"([{"op":"move","from":"/o","path":"/o/x"}])", 422, "a value cannot be moved into itself"},
    {R"([{"op":"move","from":"/b","path":"/b"}])", 422, "there is nothing to remove"},
    {R"([{"op":"copy","from":"/b","path":"/c"}])", 422, "there is nothing to copy"},
    {R"({"op":"remove","path":"/a"})", 400, "a JSON patch is a list of operations"},
    {R"(["remove"])", 400, "operation 0 of the JSON patch is not an object"},
    {R"([{"path":"/a"}])", 422, "it may be add, remove, replace, move, copy, test"},
    {R"([{"op":"Remove","path":"/a"}])", 422, "it may be add, remove, replace, move, copy, test"},
    {R"([{"op":"remove"}])", 422, R"(operation 0 of the JSON patch needs a "path")"},
    {R"([{"op":"remove","path":1}])", 400, R"(needs a string as "path")"},
    {R"([{"op":"remove","path":"a"}])", 422, R"(has an invalid JSON pointer as "path": "a")"},
    {R"([{"op":"remove","path":"/a~2"}])", 422, R"(has an invalid JSON pointer as "path": "/a~2")"},
    {R"([{"op":"remove","path":"/a~"}])", 422, R"(has an invalid JSON pointer as "path": "/a~")"},
    {R"([{"op":"add","path":"/c"}])", 422, R"(operation 0 of the JSON patch needs a "value")"},
    {R"([{"op":"move","path":"/c"}])", 422, R"(needs a "from")"},
    {R"([{"op":"move","path":"/c","from":{}}])", 400, R"(needs a string as "from")"},
    {R"([{"op":1,"path":"/c"}])", 400, R"(needs a string as "op")"},
};

TEST(JsonPatch, RefusesWhatCannotBeDoneAndSaysWhere) {
  for (const Refusal& one : kRefused) {
    const auto result =
        json_patch(json::parse(R"({"a":1,"l":[1,2],"o":{"x":{}}})"), json::parse(one.patch));
    ASSERT_FALSE(result) << one.patch;
    EXPECT_EQ(result.error().code, one.code) << one.patch;
    EXPECT_EQ(result.error().reason, one.code == 422 ? "Invalid" : "BadRequest");
    EXPECT_TRUE(result.error().message.ends_with(one.message)) << result.error().message;
  }
}

TEST(JsonPatch, LooksForMalformedOperationsBeforeApplyingAny) {
  const auto result = json_patch(
      json::parse("{}"), json::parse(R"([{"op":"test","path":"/a","value":1},{"op":"walk"}])"));
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("operation 1"), std::string::npos);
}

TEST(JsonPatch, TakesTenThousandOperationsAndNoMore) {
  json::array patch;
  for (int i = 0; i < 10'000; ++i) {
    patch.push_back({{"op", "add"}, {"path", "/" + std::to_string(i)}, {"value", i}});
  }
  const auto result = json_patch(json::object(), patch);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->get_object().size(), 10'000U);
  patch.push_back({{"op", "test"}, {"path", "/1"}, {"value", 1}});
  const auto refused = json_patch(json::object(), patch);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, 413);
  EXPECT_EQ(refused.error().message,
            "The allowed maximum operations in a JSON patch is 10000, got 10001");
}

TEST(JsonPatch, StopsCopiesThatGrowWithoutEnd) {
  json::array patch;
  for (int i = 0; i < 100; ++i) {
    patch.push_back({{"op", "copy"}, {"from", "/a"}, {"path", "/a/-"}});
  }
  const auto result = json_patch(json::parse(R"({"a":["0123456789"]})"), patch);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, 413);
  EXPECT_NE(result.error().message.find("exceeding the limit 3145728"), std::string::npos)
      << result.error().message;
}

TEST(JsonPatch, StopsMovesThatDeepenWithoutEnd) {
  json::array patch;
  for (int i = 0; i < 300; ++i) {
    // Wraps what is at /a into one more object.
    patch.push_back({{"op", "add"}, {"path", "/b"}, {"value", json::object()}});
    patch.push_back({{"op", "move"}, {"from", "/a"}, {"path", "/b/a"}});
    patch.push_back({{"op", "move"}, {"from", "/b"}, {"path", "/a"}});
  }
  const auto result = json_patch(json::parse(R"({"a":{}})"), patch);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, 422);
  EXPECT_TRUE(result.error().message.ends_with("would be more than 200 levels deep"))
      << result.error().message;
  patch.resize(std::size_t{3} * 198);
  const auto deep = json_patch(json::parse(R"({"a":{}})"), patch);
  ASSERT_TRUE(deep);
  EXPECT_EQ(extent_of(*deep).depth, kMaxDepth);
}

TEST(JsonPatch, StopsWorkThatIsOutOfProportion) {
  json::array patch;
  for (int i = 0; i < 10'000; ++i) {
    patch.push_back({{"op", "add"}, {"path", "/a/0"}, {"value", 0}});
  }
  json::array many(200'000, 0);
  const auto result = json_patch(json::object{{"a", many}}, patch);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, 413);
}

}  // namespace
}  // namespace ebb::apiserver
