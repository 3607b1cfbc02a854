#include <algorithm>
#include <charconv>
#include <cmath>

#include "nodes/resources.h"

namespace ebb::nodes {
namespace {

// Larger amounts are cut here, so that sums over all pods of a cluster fit 64 bits.
constexpr double kMost = static_cast<double>(1ULL << 50U);

std::optional<double> suffix(std::string_view text) {
  constexpr double kKibi = 1024;
  if (text.empty()) return 1;
  if (text == "n") return 1e-9;
  if (text == "u") return 1e-6;
  if (text == "m") return 1e-3;
  if (text == "k") return 1e3;
  if (text == "M") return 1e6;
  if (text == "G") return 1e9;
  if (text == "T") return 1e12;
  if (text == "P") return 1e15;
  if (text == "E") return 1e18;
  if (text == "Ki") return kKibi;
  if (text == "Mi") return kKibi * kKibi;
  if (text == "Gi") return kKibi * kKibi * kKibi;
  if (text == "Ti") return kKibi * kKibi * kKibi * kKibi;
  if (text == "Pi") return kKibi * kKibi * kKibi * kKibi * kKibi;
  if (text == "Ei") return kKibi * kKibi * kKibi * kKibi * kKibi * kKibi;
  return std::nullopt;
}

}  // namespace

std::optional<std::int64_t> parse_amount(std::string_view resource, std::string_view quantity) {
  double number = 0;
  const char* end = quantity.data() + quantity.size();
  const auto [stopped, error] = std::from_chars(quantity.data(), end, number);
  if (error != std::errc{} || number < 0 || !std::isfinite(number)) return std::nullopt;
  const auto factor = suffix(quantity.substr(static_cast<std::size_t>(stopped - quantity.data())));
  if (!factor.has_value()) return std::nullopt;
  const double scaled = number * *factor * (resource == "cpu" ? 1000 : 1);
  // A hair below the next whole unit is a rounding error of the factor, not a request.
  return static_cast<std::int64_t>(std::min(std::ceil(scaled - 1e-6), kMost));
}

}  // namespace ebb::nodes
