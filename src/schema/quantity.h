// Amounts of resources: 500m, 1.5Gi, 2e3. Exact, and printed in the one form in which
// Kubernetes prints them.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ebb::schema {

class Quantity {
 public:
  // The family of suffixes an amount was written in, and is printed in.
  enum class Family : std::uint8_t {
    kDecimal,   // n u m k M G T P E
    kBinary,    // Ki Mi Gi Ti Pi Ei
    kExponent,  // e3, E-6
  };

  // What is finer than a billionth is rounded up, away from zero. The error is Kubernetes'.
  [[nodiscard]] static Result<Quantity> parse(std::string_view text);

  Quantity() = default;

  // A whole number before the largest suffix that allows it: 1500m, 1536Mi, 10e3. Amounts that
  // are no multiple of 1 or below 1024 have no binary form and print as decimal.
  [[nodiscard]] std::string canonical() const;

  [[nodiscard]] bool is_zero() const { return digits_.empty(); }
  [[nodiscard]] bool is_negative() const { return negative_; }

  // Rounded up, away from zero, and cut off at the ends of the range.
  [[nodiscard]] std::int64_t value() const { return scaled(0); }
  [[nodiscard]] std::int64_t milli_value() const { return scaled(3); }

  // By amount, so that 1000m and 1 are equal.
  [[nodiscard]] std::strong_ordering operator<=>(const Quantity& other) const;
  [[nodiscard]] bool operator==(const Quantity& other) const { return (*this <=> other) == 0; }

 private:
  [[nodiscard]] std::int64_t scaled(int powers_of_ten) const;
  [[nodiscard]] std::string decimal() const;
  void normalize();

  // The amount is digits * 10^exponent. Neither end of the digits is a zero; zero has none.
  std::string digits_;
  std::int32_t exponent_ = 0;
  bool negative_ = false;
  Family family_ = Family::kDecimal;
};

}  // namespace ebb::schema
