#include "model/records/deletion_cost.h"

#include <charconv>

namespace ebb::model {

std::optional<std::int32_t> parse_deletion_cost(std::string_view text) {
  if (text.empty()) return std::nullopt;
  const char first = text.front();
  if (first != '-' && !(first >= '1' && first <= '9') && text != "0") return std::nullopt;
  std::int32_t cost = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), cost);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return cost;
}

}  // namespace ebb::model
