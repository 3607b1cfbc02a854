#include "model/yaml/yaml_scalar.h"

#include <gtest/gtest.h>

namespace ebb::model {
namespace {

TEST(YamlScalar, MeansWhatItMeansToKubectl) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"", "null"},
      {"~", "null"},
      {"null", "null"},
      {"Null", "null"},
      {"NULL", "null"},
      {"true", "true"},
      {"True", "true"},
      {"TRUE", "true"},
      {"y", "true"},
      {"Y", "true"},
      {"yes", "true"},
      {"On", "true"},
      {"false", "false"},
      {"n", "false"},
      {"N", "false"},
      {"No", "false"},
      {"OFF", "false"},
      {"0", "0"},
      {"-0", "0"},
      {"+12", "12"},
      {"-12", "-12"},
      {"1_000_000", "1000000"},
      {"0x1F", "31"},
      {"0X1f", "31"},
      {"-0x10", "-16"},
      {"0o17", "15"},
      {"017", "15"},
      {"0b101", "5"},
      {"00", "0"},
      {"08", "8"},
      {"9223372036854775807", "9223372036854775807"},
      {"-9223372036854775808", "-9223372036854775808"},
      {"18446744073709551615", "18446744073709551615"},
      {"18446744073709551616", "1.8446744073709552e+19"},
      {"-9223372036854775809", "-9.223372036854776e+18"},
      {"1.5", "1.5"},
      {"-1.50", "-1.5"},
      {"2.0", "2"},
      {".5", "0.5"},
      {"+.5", "0.5"},
      {"5.", "5"},
      {"1e3", "1000"},
      {"1E-2", "0.01"},
      {"6.02e23", "6.02e+23"},
  };
  for (const auto& [text, json] : cases) EXPECT_EQ(plain_scalar_as_json(text), json) << text;
}

TEST(YamlScalar, IsAStringOtherwise) {
  for (const std::string_view text : {"web",      "nULL",  "tRUE",       "yEs",
                                      "-",        "+",     ".",          "--1",
                                      "1-2",      "0x",    "0xg",        "0b2",
                                      "0o8",      "1e",    "1e+",        "1.2.3",
                                      "1,5",      "e3",    "_1",         ".inf",
                                      "-.inf",    ".nan",  "inf",        "nan",
                                      "infinity", "1e400", "0x1.8p1",    "1:30",
                                      "250m",     "10Gi",  "2026-11-01", "2026-11-01T12:00:00Z",
                                      "10.0.0.1", "..",    "._5",        "0x-5",
                                      "+-5",      "٣"}) {
    EXPECT_EQ(plain_scalar_as_json(text), std::nullopt) << text;
  }
}

TEST(YamlScalar, IsQuotedWithEveryCharacterThatJsonCannotHold) {
  using namespace std::string_view_literals;
  EXPECT_EQ(json_quote(""), R"("")");
  EXPECT_EQ(json_quote("a\"b\\c/d"), R"("a\"b\\c/d")");
  EXPECT_EQ(json_quote("\n\t\r\x01\0"sv), R"("\n\t\r\u0001\u0000")");
  EXPECT_EQ(json_quote("ä€😀"), "\"ä€😀\"");
}

}  // namespace
}  // namespace ebb::model
