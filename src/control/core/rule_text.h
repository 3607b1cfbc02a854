// Names of rules for messages: `deletion cost` for DeletionCost.
#pragma once

#include <string>
#include <string_view>

namespace ebb::control {

[[nodiscard]] inline std::string in_words(std::string_view rule) {
  if (rule == "CoLocation") return "co-location";
  if (rule == "All") return "none stays";
  std::string words;
  for (const char c : rule) {
    const bool capital = c >= 'A' && c <= 'Z';
    if (capital && !words.empty()) words += ' ';
    words += capital ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return words;
}

}  // namespace ebb::control
