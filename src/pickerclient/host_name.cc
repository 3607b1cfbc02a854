#include "pickerclient/host_name.h"

#include <algorithm>

namespace ebb::picker_client {
namespace {

constexpr std::size_t kLongestName = 253;
constexpr std::size_t kLongestLabel = 63;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool is_label(std::string_view label) {
  return !label.empty() && label.size() <= kLongestLabel && label.front() != '-' &&
         label.back() != '-' && std::all_of(label.begin(), label.end(), [](char c) {
           return is_letter(c) || is_digit(c) || c == '-' || c == '_';
         });
}

// In decimal, octal or hexadecimal. No top-level domain is numeric.
bool is_number(std::string_view label) {
  if (std::all_of(label.begin(), label.end(), is_digit)) return true;
  return label.size() >= 2 && label[0] == '0' && (label[1] == 'x' || label[1] == 'X') &&
         std::all_of(label.begin() + 2, label.end(), is_hex);
}

}  // namespace

bool is_host_name(std::string_view text) {
  if (text.ends_with('.')) text.remove_suffix(1);
  if (text.empty() || text.size() > kLongestName) return false;
  while (true) {
    const std::size_t dot = text.find('.');
    const std::string_view label = text.substr(0, dot);
    if (!is_label(label)) return false;
    if (dot == std::string_view::npos) return !is_number(label);
    text.remove_prefix(dot + 1);
  }
}

}  // namespace ebb::picker_client
