#include "schema/core/time.h"

#include <gtest/gtest.h>

namespace ebb::schema {
namespace {

constexpr Nanoseconds kDay = 24 * kHour;

TEST(ParseTime, ReadsWhatTheApiWrites) {
  EXPECT_EQ(parse_time("1970-01-01T00:00:00Z")->since_epoch_ns(), 0);
  EXPECT_EQ(parse_time("2026-11-01T12:00:00Z")->since_epoch_ns(), 1793534400 * kSecond);
  EXPECT_EQ(parse_time("2024-02-29T23:59:59Z")->since_epoch_ns(), 1709251199 * kSecond);
}

TEST(ParseTime, ReadsFractionsAndOffsets) {
  EXPECT_EQ(parse_time("1970-01-01T00:00:00.25Z")->since_epoch_ns(), kSecond / 4);
  EXPECT_EQ(parse_time("1970-01-01T00:00:00.000000001Z")->since_epoch_ns(), 1);
  EXPECT_EQ(parse_time("1970-01-01T02:00:00+02:00")->since_epoch_ns(), 0);
  EXPECT_EQ(parse_time("1969-12-31T19:30:00-04:30")->since_epoch_ns(), 0);
}

TEST(ParseTime, YearOneIsTheZeroTime) {
  EXPECT_TRUE(parse_time("0001-01-01T00:00:00Z")->is_zero());
  EXPECT_FALSE(parse_time("0001-01-01T00:00:01Z")->is_zero());
}

TEST(ParseTime, KeepsFarDatesInsteadOfOverflowing) {
  EXPECT_GT(*parse_time("9999-12-31T23:59:59Z"), *parse_time("2100-01-01T00:00:00Z"));
  EXPECT_LT(*parse_time("0002-01-01T00:00:00Z"), *parse_time("1900-01-01T00:00:00Z"));
}

TEST(ParseTime, RefusesInvalidTimesAndShowsAnExample) {
  for (const std::string_view text :
       {"", "yesterday", "2026-11-01", "2026-11-01T12:00:00", "2026-11-01 12:00:00Z",
        "2026-13-01T12:00:00Z", "2026-02-30T12:00:00Z", "2026-11-01T24:00:00Z",
        "2026-11-01T12:60:00Z", "2026-11-01T12:00:60Z", "2026-11-01T12:00:00.Z",
        "2026-11-01T12:00:00Zx", "2026-11-01t12:00:00Z", "2026-11-01T12:00:00+24:00",
        "+026-11-01T12:00:00Z", "2026-11-01T12:00:00+0200"}) {
    const auto time = parse_time(text);
    ASSERT_FALSE(time.has_value()) << text;
    EXPECT_EQ(time.error().message,
              "expected a time such as 2026-11-01T12:00:00Z, got \"" + std::string(text) + "\"");
  }
}

TEST(FormatTime, IsTheInverseOfParsing) {
  for (const std::string_view text :
       {"2026-11-01T12:00:00Z", "1969-12-31T23:59:59.5Z", "2024-02-29T00:00:00.000000001Z",
        "0001-01-01T00:00:00Z", "1969-12-31T00:00:00Z", "1700-01-01T00:00:00.25Z"}) {
    EXPECT_EQ(format_time(*parse_time(text)), text);
  }
}

// Times outside the range are clamped to its ends.
TEST(FormatTime, WritesTheEarliestAndTheLatestTime) {
  EXPECT_EQ(format_time(*parse_time("0001-01-05T00:00:00Z")), "1677-09-21T00:12:43.145224193Z");
  EXPECT_EQ(format_time(*parse_time("9999-12-31T23:59:59Z")), "2262-04-11T23:47:16.854775807Z");
}

TEST(FormatAge, UsesTwoUnitsAtMostLikeKubectl) {
  EXPECT_EQ(format_age(-kSecond), "0s");
  EXPECT_EQ(format_age(0), "0s");
  EXPECT_EQ(format_age(119 * kSecond), "119s");
  EXPECT_EQ(format_age(2 * kMinute), "2m");
  EXPECT_EQ(format_age(2 * kMinute + 5 * kSecond), "2m5s");
  EXPECT_EQ(format_age(10 * kMinute + 5 * kSecond), "10m");
  EXPECT_EQ(format_age(179 * kMinute), "179m");
  EXPECT_EQ(format_age(3 * kHour), "3h");
  EXPECT_EQ(format_age(7 * kHour + 59 * kMinute), "7h59m");
  EXPECT_EQ(format_age(47 * kHour), "47h");
  EXPECT_EQ(format_age(2 * kDay + 3 * kHour), "2d3h");
  EXPECT_EQ(format_age(8 * kDay + 3 * kHour), "8d");
  EXPECT_EQ(format_age(729 * kDay), "729d");
  EXPECT_EQ(format_age(730 * kDay), "2y");
  EXPECT_EQ(format_age(800 * kDay), "2y70d");
  EXPECT_EQ(format_age(8 * 365 * kDay), "8y");
}

}  // namespace
}  // namespace ebb::schema
