#include "model/api/requests.h"

#include <gtest/gtest.h>

#include "schema/core/time.h"

namespace ebb::model {
namespace {

TEST(TimeText, HasWholeSecondsOrMicroseconds) {
  const struct {
    std::string_view time;
    std::string_view seconds;
    std::string_view microseconds;
  } cases[] = {
      {"2026-11-01T12:00:00.1234567Z", "2026-11-01T12:00:00Z", "2026-11-01T12:00:00.123456Z"},
      {"1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59Z", "1969-12-31T23:59:59.500000Z"},
      {"0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000000Z"},
      // Earlier times become the earliest one.
      {"0001-01-05T00:00:00Z", "1677-09-21T00:12:43Z", "1677-09-21T00:12:43.145224Z"},
  };
  for (const auto& each : cases) {
    EXPECT_EQ(time_text(*schema::parse_time(each.time)), each.seconds);
    EXPECT_EQ(micro_time_text(*schema::parse_time(each.time)), each.microseconds);
  }
}

}  // namespace
}  // namespace ebb::model
