#include "schema/core/quantity.h"

#include <array>
#include <charconv>
#include <limits>
#include <optional>

#include <fmt/format.h>

namespace ebb::schema {
namespace {

using Family = Quantity::Family;

constexpr std::string_view kMalformed =
    "quantities must match the regular expression "
    "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
constexpr std::string_view kBadSuffix = "unable to parse quantity's suffix";

// In steps of 1000 from a billionth, and of 1024 from one.
constexpr std::array<std::string_view, 10> kDecimalSuffixes = {"n", "u", "m", "",  "k",
                                                               "M", "G", "T", "P", "E"};
constexpr std::array<std::string_view, 7> kBinarySuffixes = {"",   "Ki", "Mi", "Gi",
                                                             "Ti", "Pi", "Ei"};
constexpr int kFinest = -9;
constexpr std::int32_t kLargestDecimal = 18;

// Far above any useful value, and far from overflow when exponents are added.
constexpr std::int32_t kLargestExponent = 1'000'000;

constexpr std::string_view kDecimalDigits = "0123456789";

std::string_view take_while(std::string_view& text, std::string_view allowed) {
  const std::string_view taken = text.substr(0, text.find_first_not_of(allowed));
  text.remove_prefix(taken.size());
  return taken;
}

bool take_sign(std::string_view& text) {
  if (text.empty() || (text.front() != '-' && text.front() != '+')) return false;
  const bool negative = text.front() == '-';
  text.remove_prefix(1);
  return negative;
}

struct Suffix {
  Family family = Family::kDecimal;
  std::int32_t exponent = 0;  // of ten
  int powers_of_1024 = 0;
};

std::optional<Suffix> parse_exponent(std::string_view text) {
  if (!text.empty() && text.front() == '+') {
    text.remove_prefix(1);
    if (!text.empty() && text.front() == '-') return std::nullopt;
  }
  std::int32_t exponent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (exponent > kLargestExponent || exponent < -kLargestExponent) return std::nullopt;
  return Suffix{.family = Family::kExponent, .exponent = exponent};
}

std::optional<Suffix> parse_suffix(std::string_view text) {
  for (std::size_t i = 0; i < kDecimalSuffixes.size(); ++i) {
    if (text == kDecimalSuffixes[i]) return Suffix{.exponent = static_cast<int>(i) * 3 + kFinest};
  }
  for (std::size_t i = 1; i < kBinarySuffixes.size(); ++i) {
    if (text == kBinarySuffixes[i]) {
      return Suffix{.family = Family::kBinary, .powers_of_1024 = static_cast<int>(i)};
    }
  }
  if (text.size() > 1 && (text.front() == 'e' || text.front() == 'E')) {
    return parse_exponent(text.substr(1));
  }
  return std::nullopt;
}

// Works on decimal digits, because a fraction can have more of them than any integer type.
void multiply_by_1024(std::string& digits) {
  unsigned carry = 0;
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) {
    carry += static_cast<unsigned>(*digit - '0') * 1024;
    *digit = static_cast<char>('0' + carry % 10);
    carry /= 10;
  }
  if (carry > 0) digits.insert(0, std::to_string(carry));
}

void increment(std::string& digits) {
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) {
    if (*digit != '9') {
      ++*digit;
      return;
    }
    *digit = '0';
  }
  digits.insert(0, 1, '1');
}

// Drops the last `count` digits, which are not all zero, and rounds up.
void round_up(std::string& digits, std::size_t count) {
  digits.resize(digits.size() > count ? digits.size() - count : 0);
  increment(digits);
}

}  // namespace

Result<Quantity> Quantity::parse(std::string_view text) {
  std::string_view rest = text;
  Quantity quantity;
  quantity.negative_ = take_sign(rest);
  quantity.digits_ = take_while(rest, kDecimalDigits);
  if (!rest.empty() && rest.front() == '.') {
    rest.remove_prefix(1);
    const std::string_view fraction = take_while(rest, kDecimalDigits);
    quantity.digits_ += fraction;
    quantity.exponent_ = -static_cast<std::int32_t>(fraction.size());
  }
  if (quantity.digits_.empty()) return fail(ErrorCode::kInvalidInput, std::string(kMalformed));

  const std::string_view suffix_text = rest;
  take_while(rest, "eEinumkKMGTP");
  take_sign(rest);
  take_while(rest, kDecimalDigits);
  if (!rest.empty()) return fail(ErrorCode::kInvalidInput, std::string(kMalformed));
  const std::optional<Suffix> suffix = parse_suffix(suffix_text);
  if (!suffix) return fail(ErrorCode::kInvalidInput, std::string(kBadSuffix));

  quantity.family_ = suffix->family;
  quantity.exponent_ += suffix->exponent;
  for (int i = 0; i < suffix->powers_of_1024; ++i) multiply_by_1024(quantity.digits_);
  quantity.normalize();
  return quantity;
}

void Quantity::normalize() {
  digits_.erase(0, digits_.find_first_not_of('0'));
  const std::size_t last = digits_.find_last_not_of('0');
  if (last == std::string::npos) {
    *this = Quantity();
    return;
  }
  exponent_ += static_cast<std::int32_t>(digits_.size() - last - 1);
  digits_.resize(last + 1);
  if (exponent_ < kFinest) {
    round_up(digits_, static_cast<std::size_t>(kFinest - exponent_));
    exponent_ = kFinest;
    normalize();
  }
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  if (family_ == Family::kBinary && (value() == kMax || value() == -kMax)) {
    digits_ = std::to_string(kMax);
    exponent_ = 0;
  }
}

std::int64_t Quantity::scaled(int powers_of_ten) const {
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  const std::int32_t exponent = exponent_ + powers_of_ten;
  const std::int64_t length = static_cast<std::int64_t>(digits_.size()) + exponent;
  std::uint64_t magnitude = static_cast<std::uint64_t>(kMax);
  if (digits_.empty()) return 0;
  if (length <= std::numeric_limits<std::int64_t>::digits10 + 1) {
    std::string digits = digits_;
    if (exponent < 0) {
      round_up(digits, static_cast<std::size_t>(-exponent));
    } else {
      digits.append(static_cast<std::size_t>(exponent), '0');
    }
    std::from_chars(digits.data(), digits.data() + digits.size(), magnitude);
  }
  if (magnitude > static_cast<std::uint64_t>(kMax)) magnitude = static_cast<std::uint64_t>(kMax);
  const auto amount = static_cast<std::int64_t>(magnitude);
  return negative_ ? -amount : amount;
}

std::string Quantity::decimal() const {
  // Round down to a multiple of three; with suffixes, at most to the largest one.
  std::int32_t exponent = exponent_ - ((exponent_ % 3) + 3) % 3;
  if (family_ != Family::kExponent && exponent > kLargestDecimal) exponent = kLargestDecimal;
  std::string number = digits_;
  number.append(static_cast<std::size_t>(exponent_ - exponent), '0');
  if (family_ != Family::kExponent) {
    return number.append(kDecimalSuffixes[static_cast<std::size_t>((exponent - kFinest) / 3)]);
  }
  return exponent == 0 ? number : fmt::format("{}e{}", number, exponent);
}

std::string Quantity::canonical() const {
  if (is_zero()) return "0";
  const std::string sign = negative_ ? "-" : "";
  constexpr std::uint64_t kStep = 1024;
  auto amount = static_cast<std::uint64_t>(negative_ ? -value() : value());
  if (family_ != Family::kBinary || exponent_ < 0 || amount < kStep) return sign + decimal();
  std::size_t suffix = 0;
  while (amount % kStep == 0) {
    amount /= kStep;
    ++suffix;
  }
  return fmt::format("{}{}{}", sign, amount, kBinarySuffixes[suffix]);
}

std::strong_ordering Quantity::operator<=>(const Quantity& other) const {
  if (negative_ != other.negative_) {
    return negative_ ? std::strong_ordering::less : std::strong_ordering::greater;
  }
  const auto compare_magnitudes = [](const Quantity& a, const Quantity& b) {
    if (a.is_zero() || b.is_zero()) return b.is_zero() <=> a.is_zero();
    const auto length = [](const Quantity& quantity) {
      return static_cast<std::int64_t>(quantity.digits_.size()) + quantity.exponent_;
    };
    if (length(a) != length(b)) return length(a) <=> length(b);
    // Without zeros at either end, digits compare lexicographically.
    return a.digits_.compare(b.digits_) <=> 0;
  };
  return negative_ ? compare_magnitudes(other, *this) : compare_magnitudes(*this, other);
}

}  // namespace ebb::schema
