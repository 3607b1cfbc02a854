#include "model/json/json_error.h"

#include <gtest/gtest.h>

namespace ebb::model {
namespace {

using Documents = std::vector<std::string_view>;

TEST(JsonError, SplitsATextIntoItsDocuments) {
  EXPECT_EQ(split_json("").value(), Documents{});
  EXPECT_EQ(split_json(" \n\t").value(), Documents{});
  EXPECT_EQ(split_json(" {} ").value(), Documents{"{}"});
  EXPECT_EQ(split_json(R"({"a":1}[2] "x"
                          true -1.5 null)")
                .value(),
            (Documents{R"({"a":1})", "[2]", R"("x")", "true", "-1.5", "null"}));
}

TEST(JsonError, NamesLineAndColumnOfWhatIsWrong) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"{\n  \"a\": 1,\n  \"b\": ?\n}", "line 3, column 8: unexpected ?"},
      {"{\n  \"a\": 1,\n}", "line 3, column 1: unexpected } after a comma"},
      {"{\"ä\": x}", "line 1, column 7: unexpected x"},
      {"{\"a\": ä}", "line 1, column 7: unexpected character outside of a string"},
      {"{} \x01", "line 1, column 4: unexpected control character; in a string, write \\u0001"},
      {"[\n1", "line 2, column 2: the text ends in the middle of a document"},
      {"{\"a\":1}\n\n}", "line 3, column 1: unexpected }"},
      {"// comment\n{}", "line 1, column 1: unexpected /"},
      {"[NaN]", "line 1, column 2: unexpected N"},
      {"\"\\ud83d\\u0041\"",
       "line 1, column 10: a \\u escape is half of a surrogate pair; the other half is missing"},
      {"[1e999999999999]", "line 1, column 13: the number is too large for 64 bits"},
      {"[18446744073709551616]", "line 1, column 22: the number is too large for 64 bits"},
  };
  for (const auto& [json, error] : cases) EXPECT_EQ(find_json_error(json), error) << json;
}

TEST(JsonError, FindsNothingInValidDocuments) {
  for (const std::string_view json :
       {"{}", "[1,2.5,-3e-7,18446744073709551615,-9223372036854775808]", R"("\ud83d\ude00")",
        R"({"a":{"b":[null,true,false]}} {"c":"\"\\\/\b\f\n\r\t"})"}) {
    EXPECT_EQ(find_json_error(json), std::nullopt) << json;
  }
}

}  // namespace
}  // namespace ebb::model
