#include "schema/core/quantity.h"

#include <limits>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace ebb::schema {
namespace {

Quantity parsed(std::string_view text) {
  const Result<Quantity> quantity = Quantity::parse(text);
  EXPECT_TRUE(quantity.has_value()) << text;
  return quantity.value_or(Quantity());
}

TEST(Quantity, PrintsAsKubernetesDoes) {
  struct Case {
    std::string_view text;
    std::string_view canonical;
  };
  // Checked against resource.Quantity of Kubernetes 1.36.
  const Case cases[] = {
      {"0", "0"},
      {"-0", "0"},
      {"0Ki", "0"},
      {"0.000m", "0"},
      {"1", "1"},
      {"+5", "5"},
      {"-5", "-5"},
      {"00012", "12"},
      {"1.", "1"},
      {".5", "500m"},
      {"0.5", "500m"},
      {"500m", "500m"},
      {"1000m", "1"},
      {"-1000m", "-1"},
      {"1000", "1k"},
      {"1500", "1500"},
      {"1024", "1024"},
      {"128974848", "128974848"},
      {"1000000k", "1G"},
      {"1E", "1E"},
      {"0.001", "1m"},
      {"0.0001", "100u"},
      {"1000n", "1u"},
      {"1500u", "1500u"},
      {"0.1n", "1n"},
      {"0.0000000001", "1n"},
      {"3.141592653589793238n", "4n"},
      {"12345678901234567890n", "12345678901234567890n"},
      {"9223372036854775808", "9223372036854775808"},
      {"999999999999999999999", "999999999999999999999"},
      {"1024Ki", "1Mi"},
      {"1048576Ki", "1Gi"},
      {"1000Ki", "1000Ki"},
      {"1025Ki", "1025Ki"},
      {"123456Mi", "123456Mi"},
      {"1.5Gi", "1536Mi"},
      {"1.Gi", "1Gi"},
      {"-0.5Gi", "-512Mi"},
      {"1.5Ki", "1536"},
      {"0.5Ki", "512"},
      {"0.1Ki", "102400m"},
      {"100.1Ki", "102502400m"},
      {"0.000001Ki", "1024u"},
      {"1.0000000001Ki", "1024000000103n"},
      {"7Ei", "7Ei"},
      {"8Ei", "9223372036854775807"},
      {"9Ei", "9223372036854775807"},
      {"-8Ei", "-9223372036854775807"},
      {"-9Ei", "-9223372036854775807"},
      {"1e3", "1e3"},
      {"1E3", "1e3"},
      {"1e4", "10e3"},
      {"12e-1", "1200e-3"},
      {"1.2e2", "120"},
      {"1e+0", "1"},
      {"129e6", "129e6"},
      {"1e-10", "1e-9"},
      {"1e30", "1e30"},
      {"1e999", "1e999"},
      {"1e-999999", "1e-9"},
  };
  for (const Case& each : cases)
    EXPECT_EQ(parsed(each.text).canonical(), each.canonical) << each.text;
}

TEST(Quantity, RefusesInvalidQuantities) {
  constexpr std::string_view kMalformed =
      "quantities must match the regular expression "
      "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  constexpr std::string_view kSuffix = "unable to parse quantity's suffix";
  struct Case {
    std::string_view text;
    std::string_view message;
  };
  const Case cases[] = {
      {"", kMalformed},       {"abc", kMalformed},   {" 1", kMalformed},
      {"1 ", kMalformed},     {"1.2.3", kMalformed}, {"0x10", kMalformed},
      {"1_000", kMalformed},  {"1e1x", kMalformed},  {"Ki", kMalformed},
      {".", kMalformed},      {"-", kMalformed},     {"1Kii", kSuffix},
      {"1ki", kSuffix},       {"1K", kSuffix},       {"1mm", kSuffix},
      {"1e", kSuffix},        {"1e+", kSuffix},      {"1m3", kSuffix},
      {"1e9999999", kSuffix}, {"1-1", kSuffix},      {"1e18446744073709551616", kSuffix},
  };
  for (const Case& each : cases) {
    const Result<Quantity> quantity = Quantity::parse(each.text);
    ASSERT_FALSE(quantity.has_value()) << each.text;
    EXPECT_EQ(quantity.error().message, each.message) << each.text;
  }
}

TEST(Quantity, RoundsValuesUp) {
  struct Case {
    std::string_view text;
    std::int64_t value;
    std::int64_t milli;
  };
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  const Case cases[] = {
      {"0", 0, 0},
      {"1", 1, 1000},
      {"500m", 1, 500},
      {"1500u", 1, 2},
      {"1n", 1, 1},
      {"0.1Ki", 103, 102400},
      {"1.5Gi", 1610612736, 1610612736000},
      {"-5", -5, -5000},
      {"9999m", 10, 9999},
      {"9223372036854775807", kMax, kMax},
      {"9223372036854775808", kMax, kMax},
      {"19999999999999999999", kMax, kMax},
      {"1e30", kMax, kMax},
      {"-1e30", -kMax, -kMax},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(parsed(each.text).value(), each.value) << each.text;
    EXPECT_EQ(parsed(each.text).milli_value(), each.milli) << each.text;
  }
}

TEST(Quantity, ComparesAmountsNotTexts) {
  const std::string_view ascending[] = {"-1e30", "-2",   "-1.5", "0",     "1n",  "999u", "1m",
                                        "0.5",   "501m", "1",    "1000M", "1Gi", "1e10", "1e30"};
  for (std::size_t i = 0; i < std::size(ascending); ++i) {
    for (std::size_t j = 0; j < std::size(ascending); ++j) {
      EXPECT_EQ(parsed(ascending[i]) < parsed(ascending[j]), i < j)
          << ascending[i] << " < " << ascending[j];
      EXPECT_EQ(parsed(ascending[i]) == parsed(ascending[j]), i == j);
    }
  }
  EXPECT_EQ(parsed("1000m"), parsed("1"));
  EXPECT_EQ(parsed("1Ki"), parsed("1.024k"));
  EXPECT_EQ(parsed("-0"), parsed("0e3"));
}

RC_GTEST_PROP(Quantity, KeepsItsAmountWhenPrinted, (std::int64_t number)) {
  const std::string suffix = *rc::gen::element<std::string>(
      "", "n", "u", "m", "k", "M", "E", "Ki", "Mi", "Ei", "e3", "e-7", ".25Gi", ".001");
  const Quantity quantity = parsed(std::to_string(number) + suffix);
  const std::string canonical = quantity.canonical();
  RC_ASSERT(parsed(canonical) == quantity);
  RC_ASSERT(parsed(canonical).canonical() == canonical);
}

RC_GTEST_PROP(Quantity, OrdersWholeNumbersAsNumbers, (std::int64_t a, std::int64_t b)) {
  RC_ASSERT((parsed(std::to_string(a)) <=> parsed(std::to_string(b))) == (a <=> b));
}

}  // namespace
}  // namespace ebb::schema
