#include "picker/answer_protobuf.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "support/objects/wire_encoder.h"

namespace ebb::picker {
namespace {

using testing::append_field;
using Names = std::vector<std::string>;

std::string encode(const Names& chosen, const Names& tied) {
  std::string message;
  for (const std::string& name : chosen) append_field(message, 1, std::string_view(name));
  for (const std::string& name : tied) append_field(message, 2, std::string_view(name));
  return message;
}

TEST(PickerAnswerProtobuf, ReadsBothLists) {
  const auto answer = decode_answer_protobuf(encode({"a"}, {"b", "c"}));
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->chosen, Names{"a"});
  EXPECT_EQ(answer->tied, (Names{"b", "c"}));
}

TEST(PickerAnswerProtobuf, AnEmptyMessageIsAnEmptyAnswer) {
  const auto answer = decode_answer_protobuf("");
  ASSERT_TRUE(answer.has_value());
  EXPECT_TRUE(answer->chosen.empty());
  EXPECT_TRUE(answer->tied.empty());
}

TEST(PickerAnswerProtobuf, SkipsFieldsThatMeanNothing) {
  std::string message;
  append_field(message, 3, std::string_view("reason"));
  append_field(message, 4, std::uint64_t{7});
  message += std::string("\x29", 1) + std::string(8, 'x');  // field 5, 64 bits
  message += std::string("\x35", 1) + std::string(4, 'x');  // field 6, 32 bits
  const auto answer = decode_answer_protobuf(message + encode({"a"}, {}));
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->chosen, Names{"a"});
}

TEST(PickerAnswerProtobuf, TheListsMayTakeTurns) {
  const auto answer = decode_answer_protobuf(encode({"a"}, {"b"}) + encode({"c"}, {}));
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->chosen, (Names{"a", "c"}));
}

TEST(PickerAnswerProtobuf, InvalidMessagesAreMalformed) {
  std::string number_for_a_name;
  append_field(number_for_a_name, 1, std::uint64_t{7});
  const std::string messages[] = {
      "\x0a",                                              // a length is missing
      std::string("\x0a\x02") + "a",                       // cut off in a name
      "\x0a\xff\xff\xff\xff\x7f",                          // longer than anything
      "\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",  // a number of eleven bytes
      "\x0a\x01\xff",                                      // no UTF-8
      "\x12\x03\xed\xa0\x80",                              // half a character
      "\x0b\x0c",                                          // a group
      "\x0e",                                              // a type that does not exist
      std::string("\x02\x00", 2),                          // field 0
      number_for_a_name,
      encode({"a"}, {}) + "\x80",
      R"({"chosen_pods": ["a"]})",
  };
  for (const std::string& message : messages) {
    EXPECT_FALSE(decode_answer_protobuf(message).has_value()) << ::testing::PrintToString(message);
  }
}

TEST(PickerAnswerProtobuf, EveryTruthfulMessageIsReadAndNoneThatIsCutOffInAName) {
  EXPECT_TRUE(rc::check("messages are read back", [] {
    const auto text = rc::gen::container<std::string>(rc::gen::inRange<char>(1, 127));
    const auto chosen = *rc::gen::container<Names>(text);
    const auto tied = *rc::gen::container<Names>(text);
    const auto answer = decode_answer_protobuf(encode(chosen, tied));
    RC_ASSERT(answer.has_value());
    RC_ASSERT(answer->chosen == chosen);
    RC_ASSERT(answer->tied == tied);
    const std::string last = encode(
        {*rc::gen::suchThat(text, [](const std::string& name) { return !name.empty(); })}, {});
    RC_ASSERT(!decode_answer_protobuf(last.substr(0, last.size() - 1)).has_value());
  }));
}

}  // namespace
}  // namespace ebb::picker
