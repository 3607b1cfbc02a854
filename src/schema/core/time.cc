#include "schema/core/time.h"

#include <chrono>
#include <optional>

#include <fmt/format.h>

namespace ebb::schema {
namespace {

constexpr std::string_view kExample = "2026-11-01T12:00:00Z";

// Takes digits and separators off the front of a text; records an error if one is missing.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  int digits(std::size_t count) {
    int value = 0;
    if (rest_.size() < count) {
      ok_ = false;
      return 0;
    }
    for (const char c : rest_.substr(0, count)) {
      ok_ = ok_ && c >= '0' && c <= '9';
      value = value * 10 + (c - '0');
    }
    rest_.remove_prefix(count);
    return value;
  }

  void expect(char wanted) { ok_ = accept(wanted) && ok_; }

  bool accept(char wanted) {
    if (rest_.empty() || rest_.front() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }

  // A fraction of a second in nanoseconds; digits after the ninth are ignored.
  Nanoseconds fraction() {
    Nanoseconds value = 0;
    Nanoseconds unit = kNanosecondsPerSecond;
    std::size_t length = 0;
    while (length < rest_.size() && rest_[length] >= '0' && rest_[length] <= '9') {
      unit /= 10;
      value += unit * (rest_[length] - '0');
      ++length;
    }
    ok_ = ok_ && length > 0;
    rest_.remove_prefix(length);
    return value;
  }

  [[nodiscard]] bool at_end() const { return rest_.empty(); }
  [[nodiscard]] bool ok() const { return ok_; }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

std::optional<Timestamp> scan_time(std::string_view text) {
  Scanner in(text);
  const int year = in.digits(4);
  in.expect('-');
  const int month = in.digits(2);
  in.expect('-');
  const int day = in.digits(2);
  in.expect('T');
  const int hour = in.digits(2);
  in.expect(':');
  const int minute = in.digits(2);
  in.expect(':');
  const int second = in.digits(2);
  const Nanoseconds fraction = in.accept('.') || in.accept(',') ? in.fraction() : 0;
  int offset_minutes = 0;
  if (!in.accept('Z')) {
    const bool west = in.accept('-');
    if (!west) in.expect('+');
    const int hours = in.digits(2);
    in.expect(':');
    const int minutes = in.digits(2);
    if (hours > 23 || minutes > 59) return std::nullopt;
    offset_minutes = (west ? -1 : 1) * (hours * 60 + minutes);
  }
  if (!in.ok() || !in.at_end() || hour > 23 || minute > 59 || second > 59) return std::nullopt;

  using std::chrono::sys_days;
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return std::nullopt;
  const std::int64_t days = sys_days(date).time_since_epoch().count();
  const std::int64_t seconds = ((days * 24 + hour) * 60 + minute - offset_minutes) * 60 + second;
  constexpr std::int64_t kZeroTimeSeconds = -62135596800;  // 0001-01-01T00:00:00Z
  if (seconds == kZeroTimeSeconds && fraction == 0) return Timestamp();
  return Timestamp::from_seconds(seconds, fraction);
}

// Writes a number over zeros, ending before `end`. Picker requests contain thousands of times, and
// format strings would dominate their cost.
void put_digits(std::string& text, std::size_t end, std::int64_t number) {
  for (; number > 0; number /= 10) text[--end] = static_cast<char>('0' + number % 10);
}

}  // namespace

Result<Timestamp> parse_time(std::string_view text) {
  if (const auto time = scan_time(text)) return *time;
  return fail(ErrorCode::kInvalidInput,
              fmt::format("expected a time such as {}, got \"{}\"", kExample, text));
}

std::string format_time(Timestamp time) {
  if (time.is_zero()) return "0001-01-01T00:00:00Z";
  using namespace std::chrono;
  // In seconds: the midnight before the earliest time is out of range in nanoseconds.
  const sys_time<nanoseconds> instant{nanoseconds(time.since_epoch_ns())};
  const auto second = floor<seconds>(instant);
  const auto midnight = floor<days>(second);
  const year_month_day date(midnight);
  const hh_mm_ss clock(second - midnight);
  const Nanoseconds remainder_ns = time.since_epoch_ns() % kNanosecondsPerSecond;
  const Nanoseconds fraction_ns =
      remainder_ns < 0 ? remainder_ns + kNanosecondsPerSecond : remainder_ns;
  std::string text = "0000-00-00T00:00:00";
  put_digits(text, 4, static_cast<int>(date.year()));
  put_digits(text, 7, static_cast<unsigned>(date.month()));
  put_digits(text, 10, static_cast<unsigned>(date.day()));
  put_digits(text, 13, clock.hours().count());
  put_digits(text, 16, clock.minutes().count());
  put_digits(text, 19, clock.seconds().count());
  if (fraction_ns != 0) {
    std::string fraction = fmt::format(".{:09}", fraction_ns);
    fraction.erase(fraction.find_last_not_of('0') + 1);
    text += fraction;
  }
  return text + "Z";
}

std::string format_age(Nanoseconds age_ns) {
  const std::int64_t seconds = age_ns / kNanosecondsPerSecond;
  if (seconds <= 0) return "0s";
  const std::int64_t minutes = seconds / 60;
  const std::int64_t hours = minutes / 60;
  const std::int64_t days = hours / 24;
  const std::int64_t years = days / 365;

  const auto two_units = [](std::int64_t big, char big_unit, std::int64_t small, char small_unit) {
    return small == 0 ? fmt::format("{}{}", big, big_unit)
                      : fmt::format("{}{}{}{}", big, big_unit, small, small_unit);
  };
  if (seconds < 120) return fmt::format("{}s", seconds);
  if (minutes < 10) return two_units(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return fmt::format("{}m", minutes);
  if (hours < 8) return two_units(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return fmt::format("{}h", hours);
  if (days < 8) return two_units(days, 'd', hours % 24, 'h');
  if (days < 365 * 2) return fmt::format("{}d", days);
  if (years < 8) return two_units(years, 'y', days % 365, 'd');
  return fmt::format("{}y", years);
}

}  // namespace ebb::schema
