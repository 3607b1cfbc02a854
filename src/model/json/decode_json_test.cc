#include "model/json/decode_json.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/objects/reading.h"

namespace ebb::model {
namespace {

using ebb::testing::error_of;
using ebb::testing::read;

std::string pod(std::string_view name, std::string_view more = "") {
  return fmt::format(
      R"({{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"{0}","uid":"{0}"}}{1}}})", name,
      more);
}

TEST(DecodeJson, ReadsDocumentsOneAfterTheOther) {
  for (const std::string_view between : {"", " ", "\n", "\r\n\r\n", "\t"}) {
    const auto snapshot =
        read(fmt::format("{0}{3}{1}{3}{2}{3}", pod("a"), pod("b"), pod("c"), between));
    ASSERT_TRUE(snapshot) << snapshot.error().message;
    EXPECT_EQ(snapshot->pods.size(), 3U);
  }
}

TEST(DecodeJson, SaysInWhichDocumentAnObjectIsWrong) {
  EXPECT_EQ(error_of(pod("a") + "\n\n" + R"(  {"apiVersion":"v1","kind":"Pod"})"),
            "document at line 3, column 3: Pod: metadata.name: is missing");
  EXPECT_EQ(error_of(pod("a") + " 5"),
            "document at line 1, column 68: expected an object with apiVersion and kind, got a "
            "number");
}

// Invalid JSON is an error even in a value that no decoder reads.
TEST(DecodeJson, RefusesInvalidJsonInValuesThatAreNotRead) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {R"("x":tru})", "line 2, column 5: unexpected t"},
      {R"("x":01})", "line 2, column 6: unexpected 1"},
      {R"("x":[1,]})", "line 2, column 8: unexpected ] after a comma"},
      {R"("x" 1})", "line 2, column 5: unexpected 1"},
      {R"(x:1})", "line 2, column 1: unexpected x"},
      {R"('x':1})", "line 2, column 1: unexpected '; strings and keys need double quotes"},
      {R"("x":"\q"})", "line 2, column 7: unexpected q"},
      {R"("x":"\u12g4"})", "line 2, column 10: \\u needs four hexadecimal digits"},
      {R"("x":"\ud800"})",
       "line 2, column 12: a \\u escape is half of a surrogate pair; the other half is missing"},
      {"\"x\":\"1\t2\"}",
       "line 2, column 7: unexpected control character; in a string, write \\u0009"},
      {"\"x\":\"\xff\"}", "line 2, column 6: is not valid UTF-8"},
      {R"("x":123456789012345678901234567890})",
       "line 2, column 35: the number is too large for 64 bits"},
      {R"("x":1e999})", "line 2, column 10: the number is too large for 64 bits"},
  };
  for (const auto& [spec, error] : cases) {
    const std::string json = pod("a", fmt::format(",\"spec\":{{\n{}", spec));
    EXPECT_EQ(error_of(json), error) << json;
  }
}

TEST(DecodeJson, RefusesGarbageBehindADocument) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"\n}", "line 2, column 1: unexpected }"},
      {"\n\n  oops", "line 3, column 3: unexpected o"},
      {"\n---\n{}", "line 2, column 2: unexpected -"},
      {"\n,{}", "line 2, column 1: unexpected ,"},
      {"\n{", "line 2, column 2: the text ends in the middle of a document"},
  };
  for (const auto& [garbage, error] : cases) {
    EXPECT_EQ(error_of(pod("a") + std::string(garbage)), error) << garbage;
  }
}

TEST(DecodeJson, RefusesADocumentThatIsCutShortAnywhere) {
  const std::string whole = pod("a", R"(,"spec":{"x":["\u00e4",-1.5e3,true,null,{}]})");
  ASSERT_EQ(error_of(whole), "");
  for (std::size_t size = 1; size < whole.size(); ++size) {
    EXPECT_EQ(
        error_of(whole.substr(0, size)),
        fmt::format("line 1, column {}: the text ends in the middle of a document", size + 1));
  }
}

TEST(DecodeJson, RefusesDeepNestingAndTakesWhatIsLess) {
  const auto nested = [](std::size_t depth) {
    return pod("a", ",\"spec\":{\"x\":\n" + std::string(depth - 2, '[') +
                        std::string(depth - 2, ']') + "}");
  };
  EXPECT_EQ(error_of(nested(1024)), "");
  EXPECT_EQ(error_of(nested(1025)), "line 2, column 1023: nested deeper than 1024 levels");
  EXPECT_EQ(error_of(nested(10'000)), "line 2, column 1023: nested deeper than 1024 levels");
  EXPECT_EQ(error_of(nested(1024) + nested(1025)),
            "line 3, column 1023: nested deeper than 1024 levels");
}

}  // namespace
}  // namespace ebb::model
