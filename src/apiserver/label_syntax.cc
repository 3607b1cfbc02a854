#include "apiserver/label_syntax.h"

#include <algorithm>

#include <fmt/format.h>

namespace ebb::apiserver {

namespace {

constexpr std::size_t kLongestName = 63;
constexpr std::size_t kLongestPrefix = 253;

constexpr std::string_view kNameRule =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
    "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
constexpr std::string_view kPrefixRule =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used "
    "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
constexpr std::string_view kValueRule =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value', "
    " or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

bool is_lower(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }
bool is_alphanumeric(char c) { return is_lower(c) || (c >= 'A' && c <= 'Z'); }

// Letters and digits at both ends, and `-`, `_`, `.` between them.
bool is_name(std::string_view text) {
  return !text.empty() && is_alphanumeric(text.front()) && is_alphanumeric(text.back()) &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return is_alphanumeric(c) || c == '-' || c == '_' || c == '.'; });
}

bool is_subdomain(std::string_view text) {
  while (true) {
    const std::size_t end = std::min(text.find('.'), text.size());
    const std::string_view label = text.substr(0, end);
    if (label.empty() || !is_lower(label.front()) || !is_lower(label.back())) return false;
    if (!std::all_of(label.begin(), label.end(), [](char c) { return is_lower(c) || c == '-'; })) {
      return false;
    }
    if (end == text.size()) return true;
    text.remove_prefix(end + 1);
  }
}

std::string too_long(std::size_t most) {
  return fmt::format("must be no more than {} bytes", most);
}

void check_prefix(std::string_view prefix, std::vector<std::string>& errors) {
  if (prefix.empty()) {
    errors.emplace_back("prefix part must be non-empty");
    return;
  }
  if (prefix.size() > kLongestPrefix) errors.push_back("prefix part " + too_long(kLongestPrefix));
  if (!is_subdomain(prefix)) errors.push_back(fmt::format("prefix part {}", kPrefixRule));
}

}  // namespace

std::vector<std::string> label_key_errors(std::string_view key) {
  std::vector<std::string> errors;
  std::string_view name = key;
  if (const std::size_t slash = key.find('/'); slash != std::string_view::npos) {
    name = key.substr(slash + 1);
    if (name.find('/') != std::string_view::npos) {
      return {
          fmt::format("a valid label key {} with an optional DNS subdomain prefix and '/' "
                      "(e.g. 'example.com/MyName')",
                      kNameRule)};
    }
    check_prefix(key.substr(0, slash), errors);
  }
  if (name.empty()) {
    errors.emplace_back("name part must be non-empty");
  } else if (name.size() > kLongestName) {
    errors.push_back("name part " + too_long(kLongestName));
  }
  if (!is_name(name)) errors.push_back(fmt::format("name part {}", kNameRule));
  return errors;
}

std::vector<std::string> label_value_errors(std::string_view value) {
  std::vector<std::string> errors;
  if (value.size() > kLongestName) errors.push_back(too_long(kLongestName));
  if (!value.empty() && !is_name(value)) errors.emplace_back(kValueRule);
  return errors;
}

}  // namespace ebb::apiserver
