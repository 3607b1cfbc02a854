#include "picker/answer.h"

#include <gtest/gtest.h>

#include "picker/answer_protobuf.h"
#include "picker/outcome.h"
#include "picker/prepared_request.h"
#include "support/objects/resident_memory.h"

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

// Answers that a hostile picker may send: none of their names counts.
TEST(PickerAnswer, InvalidBodiesAreMalformed) {
  const std::string deep(100'000, '[');
  const std::string bodies[] = {
      "[1",
      "\"a\"",
      "1",
      "true",
      "<html>",
      "{\"chosen_pods\": [\"a\xff\"]}",                       // no UTF-8
      "{\"chosen_pods\": [\"a\"], \"x\": \"\xed\xa0\x80\"}",  // half a character in UTF-8
      R"({"chosen_pods": ["\ud800"]})",                       // half a character, escaped
      "{\"chosen_pods\": [\"a\nb\"]}",                        // a control character
      R"({"chosen_pods": {"a": 1}})",
      R"({"chosen_pods": [["a"]]})",
      R"({"chosen_pods": [{"name": "a"}]})",
      R"({"chosen_pods": [true]})",
      R"({"chosen_pods": 1e400})",
      R"({"chosen_pods": ["a"], "load": 123456789012345678901234567890})",
      R"({"chosen_pods": ["a"], "chosen_pods": ["b"]})",  // which of the two?
      R"({"tied_pods": null, "tied_pods": ["b"]})",
      R"({"chosen_pods": ["a"]} {"chosen_pods": ["b"]})",
      R"({"chosen_pods": ["a"]}x)",
      R"({"chosen_pods": ["a"],})",
      R"({"chosen_pods": ["a"] /* why */})",
      R"({chosen_pods: ["a"]})",
      "\xef\xbb\xbf{\"chosen_pods\": [\"a\"]}",  // a byte order mark
      std::string("{\"chosen_pods\": [\"a\"]}\0", 23),
      std::string("\0", 1),
      deep,
      R"({"x": )" + deep,
      R"({"x": )" + deep + std::string(100'000, ']') + "}",
  };
  for (const std::string& body : bodies) {
    EXPECT_FALSE(decode_answer(body).has_value()) << body.substr(0, 80);
  }
}

TEST(PickerAnswer, NamesMayBeAnyText) {
  const auto answer = decode_answer(R"({"chosen_pods": ["", "\u0000", "h\u00f6he", "\\\""]})");
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->chosen, (Names{"", std::string("\0", 1), "h\xc3\xb6he", "\\\""}));
}

TEST(PickerAnswer, RemembersFewOfManyOtherKeys) {
  std::string body = "{";
  for (int i = 0; i < 100'000; ++i) body += "\"\":0,";
  const auto answer = decode_answer(body + R"("tied_pods": ["a"]})");
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->tied, Names{"a"});
  EXPECT_EQ(answer->other_keys.size(), 16U);
}

// Pickers decide how many names there are, and how many answers wait to be judged.
TEST(PickerAnswer, ManyNamesTakeLittleMoreThanTheirBytes) {
  const auto many = [](std::string_view start, std::string_view name, std::string_view end) {
    std::string text(start);
    while (text.size() + name.size() + end.size() <= kMaxAnswerBytes) text += name;
    return text.append(end);
  };
  const std::string json = many(R"({"chosen_pods":[)", R"("",)", R"(""]})");
  const std::string protobuf = many("", std::string_view("\x0a\x00", 2), "");
  std::vector<Answer> answers;
  std::vector<Verdicts> verdicts;
  const support::ResidentMemory memory;
  for (int i = 0; i < 8; ++i) {
    answers.push_back(decode_answer(json).value());
    answers.push_back(decode_answer_protobuf(protobuf).value());
  }
  const std::string_view candidates[] = {"a", "b"};
  for (const Answer& answer : answers) verdicts.push_back(judge_names(candidates, answer));
  EXPECT_GT(answers[0].chosen.size(), 340'000U);
  EXPECT_EQ(verdicts[1].ignored.size(), kMaxAnswerBytes / 2);
  if (!support::ResidentMemory::is_meaningful()) return;
  // Four bytes for each name, in the answer and in the verdict, and the memory for one parse.
  EXPECT_LT(memory.growth(), answers.size() * 5 * kMaxAnswerBytes + 10 * kMaxAnswerBytes);
}

}  // namespace
}  // namespace ebb::picker
