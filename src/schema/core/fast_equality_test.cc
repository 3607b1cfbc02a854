#include "schema/core/fast_equality.h"

#include <string>

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace ebb::schema {
namespace {

namespace json = boost::json;

// Small documents over few names and values, so that equal ones are not rare.
rc::Gen<json::value> documents(int depth) {
  auto plain = rc::gen::map(rc::gen::inRange(0, 6), [](int choice) -> json::value {
    const json::value values[] = {nullptr, true, 1, 1.0, "a", std::uint64_t{1}};
    return values[choice];
  });
  if (depth == 0) return plain;
  auto lists = rc::gen::map(rc::gen::container<std::vector<json::value>>(documents(depth - 1)),
                            [](const std::vector<json::value>& entries) -> json::value {
                              return json::array(entries.begin(), entries.end());
                            });
  const auto name = rc::gen::elementOf(std::string("abc"));
  auto objects =
      rc::gen::map(rc::gen::container<std::vector<std::pair<char, json::value>>>(
                       rc::gen::pair(name, documents(depth - 1))),
                   [](const std::vector<std::pair<char, json::value>>& members) -> json::value {
                     json::object object;
                     for (const auto& member : members)
                       object[std::string(1, member.first)] = member.second;
                     return object;
                   });
  return rc::gen::oneOf(plain, lists, objects);
}

RC_GTEST_PROP(Same, SaysWhatComparingSays, ()) {
  const json::value a = *rc::gen::resize(3, documents(2));
  const json::value b = *rc::gen::resize(3, documents(2));
  RC_ASSERT(fast_equal(a, b) == (a == b));
  RC_ASSERT(fast_equal(a, a));
}

TEST(Same, DoesNotMindTheOrderOfFields) {
  EXPECT_TRUE(fast_equal(json::parse(R"({"a": 1, "b": {"c": 2, "d": 3}})"),
                         json::parse(R"({"b": {"d": 3, "c": 2}, "a": 1})")));
  EXPECT_FALSE(fast_equal(json::parse(R"({"a": 1, "b": 2})"), json::parse(R"({"b": 1, "a": 2})")));
  EXPECT_FALSE(fast_equal(json::parse("[1, 2]"), json::parse("[2, 1]")));
}

}  // namespace
}  // namespace ebb::schema
