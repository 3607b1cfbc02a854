#include "picker/answer.h"

#include <gtest/gtest.h>

namespace ebb::picker {
namespace {

using Names = std::vector<std::string>;

TEST(PickerAnswer, ReadsBothLists) {
  const auto answer = decode_answer(R"({"chosen_pods": ["a"], "tied_pods": ["b", "c"]})");
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->chosen, Names{"a"});
  EXPECT_EQ(answer->tied, (Names{"b", "c"}));
}

TEST(PickerAnswer, AnEmptyBodyAbsentKeysAndNullsAreEmptyLists) {
  for (const std::string_view body :
       {"", " \n", "{}", "null", R"({"chosen_pods": null, "tied_pods": []})"}) {
    const auto answer = decode_answer(body);
    ASSERT_TRUE(answer.has_value()) << body;
    EXPECT_TRUE(answer->chosen.empty());
    EXPECT_TRUE(answer->tied.empty());
  }
}

TEST(PickerAnswer, OtherKeysMeanNothingAndAreRemembered) {
  const auto answer = decode_answer(R"({"reason": {"x": 1}, "chosen_pods": ["a"]})");
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->chosen, Names{"a"});
  EXPECT_EQ(answer->other_keys, Names{"reason"});
}

TEST(PickerAnswer, WrongTypesAreMalformedAndNamed) {
  EXPECT_EQ(decode_answer(R"({"chosen_pods": "a"})").error().message,
            "chosen_pods: expected a list, got a string");
  EXPECT_EQ(decode_answer(R"({"tied_pods": ["a", 1]})").error().message,
            "tied_pods[1]: expected a string, got a number");
  EXPECT_EQ(decode_answer(R"({"tied_pods": [null]})").error().message,
            "tied_pods[0]: expected a string, got null");
  EXPECT_EQ(decode_answer("[]").error().message, "expected an object, got a list");
}

TEST(PickerAnswer, BrokenJsonIsMalformedAndItsPlaceIsNamed) {
  const auto answer = decode_answer("{\"chosen_pods\": [\n\"a\",, \"b\"]}");
  ASSERT_FALSE(answer.has_value());
  EXPECT_TRUE(answer.error().message.starts_with("line 2, column 5: ")) << answer.error().message;
}

}  // namespace
}  // namespace ebb::picker
