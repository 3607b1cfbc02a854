// Amounts of resources: 500m, 1.5Gi, 2e3. Exact, and printed in Kubernetes' canonical form.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ebb::schema {

class Quantity {
 public:
  // The family of suffixes in which an amount is written and printed.
  enum class Family : std::uint8_t {
    kDecimal,   // n u m k M G T P E
    kBinary,    // Ki Mi Gi Ti Pi Ei
    kExponent,  // e3, E-6
  };

  // Amounts finer than a billionth are rounded up, away from zero. The error is Kubernetes'.
  [[nodiscard]] static Result<Quantity> parse(std::string_view text);

  Quantity() = default;

  // A whole number with the largest possible suffix: 1500m, 1536Mi, 10e3. Amounts that are not
  // whole or below 1024 have no binary form and print as decimal.
  [[nodiscard]] std::string canonical() const;

  [[nodiscard]] bool is_zero() const { return digits_.empty(); }
  [[nodiscard]] bool is_negative() const { return negative_; }

  // Rounded up, away from zero, and saturated.
  [[nodiscard]] std::int64_t value() const { return scaled(0); }
  [[nodiscard]] std::int64_t milli_value() const { return scaled(3); }

  // Compares amounts, so that 1000m and 1 are equal.
  [[nodiscard]] std::strong_ordering operator<=>(const Quantity& other) const;
  [[nodiscard]] bool operator==(const Quantity& other) const { return (*this <=> other) == 0; }

 private:
  [[nodiscard]] std::int64_t scaled(int powers_of_ten) const;
  [[nodiscard]] std::string decimal() const;
  void normalize();

  // The amount is digits * 10^exponent. Digits have no zeros at either end; zero has no digits.
  std::string digits_;
  std::int32_t exponent_ = 0;
  bool negative_ = false;
  Family family_ = Family::kDecimal;
};

}  // namespace ebb::schema
