// The time limits of requests, as their query states them.
#include "apiserver/request/time_limit.h"

#include <gtest/gtest.h>

namespace ebb::apiserver {
namespace {

constexpr Nanoseconds kMs = 1'000'000;

model::StatusOr<Nanoseconds> limit(std::string_view text) {
  return parse_time_limit({{"timeout", std::string(text)}});
}

TEST(TimeLimit, IsTheDurationThatIsAskedForOrTheLongest) {
  struct Case {
    std::string_view text;
    Nanoseconds expected;
  };
  const Case cases[] = {
      {"2s", 2000 * kMs}, {"500ms", 500 * kMs},   {"1.5s", 1500 * kMs}, {"+1s", 1000 * kMs},
      {".5s", 500 * kMs}, {"1s20ms", 1020 * kMs}, {"7us", 7000},        {"7\u00b5s", 7000},
      {"3ns", 3},         {"59s", 59'000 * kMs},  {"1m", kMaxTime},     {"61s", kMaxTime},
      {"100h", kMaxTime}, {"0", kMaxTime},        {"0s", kMaxTime},     {"-1s", kMaxTime},
      {"", kMaxTime},
  };
  for (const Case& one : cases) {
    const auto parsed = limit(one.text);
    ASSERT_TRUE(parsed) << one.text;
    EXPECT_EQ(*parsed, one.expected) << one.text;
  }
  EXPECT_EQ(*parse_time_limit({}), kMaxTime);
}

TEST(TimeLimit, RefusesInvalidDurationsWithTheMessagesOfGo) {
  struct Case {
    std::string_view text;
    std::string_view why;
  };
  const Case cases[] = {
      {"soon", R"(invalid duration "soon")"},
      {"-", R"(invalid duration "-")"},
      {".s", R"(invalid duration ".s")"},
      {"1..5s", R"(invalid duration "1..5s")"},
      {"5", R"(missing unit in duration "5")"},
      {"1s5", R"(missing unit in duration "1s5")"},
      {"5d", R"(unknown unit "d" in duration "5d")"},
      {"1e3s", R"(unknown unit "e" in duration "1e3s")"},
      {"9999999999h", R"(invalid duration "9999999999h")"},
  };
  for (const Case& one : cases) {
    const auto parsed = limit(one.text);
    ASSERT_FALSE(parsed) << one.text;
    EXPECT_EQ(parsed.error().code, 400);
    EXPECT_EQ(parsed.error().message,
              "invalid timeout specified in the request URL - time: " + std::string(one.why));
  }
}

}  // namespace
}  // namespace ebb::apiserver
