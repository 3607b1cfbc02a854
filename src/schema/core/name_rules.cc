#include "schema/core/name_rules.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>

#include <fmt/format.h>

namespace ebb::schema {
namespace {

constexpr std::size_t kMaxPortNameLength = 15;

constexpr std::string_view kLabelPattern = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
constexpr std::string_view kNamePartPattern = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
constexpr std::string_view kNamePartRule =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character";

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower_or_digit(char c) { return is_lower(c) || is_digit(c); }
bool is_letter(char c) { return is_lower(c) || (c >= 'A' && c <= 'Z'); }
bool is_letter_or_digit(char c) { return is_letter(c) || is_digit(c); }
bool is_name_character(char c) { return is_letter_or_digit(c) || c == '-' || c == '_' || c == '.'; }

// [a-z0-9]([-a-z0-9]*[a-z0-9])?
bool looks_like_label(std::string_view text) {
  if (text.empty() || !is_lower_or_digit(text.front()) || !is_lower_or_digit(text.back())) {
    return false;
  }
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return is_lower_or_digit(c) || c == '-'; });
}

// Labels separated by dots.
bool looks_like_subdomain(std::string_view text) {
  while (true) {
    const std::size_t dot = text.find('.');
    if (!looks_like_label(text.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

// ([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]
bool looks_like_name_part(std::string_view text) {
  return !text.empty() && is_letter_or_digit(text.front()) && is_letter_or_digit(text.back()) &&
         std::all_of(text.begin(), text.end(), is_name_character);
}

std::string too_many_characters(std::size_t most) {
  return fmt::format("must be no more than {} characters", most);
}
// Since Kubernetes 1.36 the messages about labels say bytes.
std::string too_many_bytes(std::size_t most) {
  return fmt::format("must be no more than {} bytes", most);
}

// Kubernetes' message for a text that does not match a pattern.
std::string mismatch(std::string_view rule, std::string_view pattern,
                     std::initializer_list<std::string_view> examples) {
  std::string text(rule);
  text += " (e.g. ";
  bool first = true;
  for (const std::string_view example : examples) {
    text += fmt::format("{}'{}', ", first ? "" : " or ", example);
    first = false;
  }
  return text + fmt::format("regex used for validation is '{}')", pattern);
}

std::string subdomain_mismatch() {
  return mismatch(
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
      "'.', and must start and end with an alphanumeric character",
      kSubdomainPattern, {"example.com"});
}

std::string name_part_mismatch() {
  return mismatch(kNamePartRule, kNamePartPattern, {"MyName", "my.name", "123-abc"});
}

void check_name_part(std::string_view name, ErrorMessages& complaints) {
  if (name.empty()) {
    complaints.emplace_back("name part must be non-empty");
  } else if (name.size() > kMaxLabelBytes) {
    complaints.push_back("name part " + too_many_bytes(kMaxLabelBytes));
  }
  if (!looks_like_name_part(name)) complaints.push_back("name part " + name_part_mismatch());
}

void check_prefix_part(std::string_view prefix, ErrorMessages& complaints) {
  if (prefix.empty()) {
    complaints.emplace_back("prefix part must be non-empty");
    return;
  }
  if (prefix.size() > kMaxSubdomainBytes) {
    complaints.push_back("prefix part " + too_many_bytes(kMaxSubdomainBytes));
  }
  if (!looks_like_subdomain(prefix)) complaints.push_back("prefix part " + subdomain_mismatch());
}

// Such keys would be other directories when keys become file names.
void check_no_directory(std::string_view text, ErrorMessages& complaints) {
  if (text == "." || text == "..") {
    complaints.push_back(fmt::format("must not be '{}'", text));
  } else if (text.starts_with("..")) {
    complaints.emplace_back("must not start with '..'");
  }
}

}  // namespace

ErrorMessages dns_label_errors(std::string_view text) {
  ErrorMessages complaints;
  if (text.size() > kMaxLabelBytes) complaints.push_back(too_many_characters(kMaxLabelBytes));
  if (looks_like_label(text)) return complaints;
  if (looks_like_subdomain(text)) {
    complaints.emplace_back("must not contain dots");
  } else {
    complaints.push_back(mismatch(
        "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', "
        "and must start and end with an alphanumeric character",
        kLabelPattern, {"my-name", "123-abc"}));
  }
  return complaints;
}

ErrorMessages dns_1035_label_errors(std::string_view text) {
  ErrorMessages complaints;
  if (text.size() > kMaxLabelBytes) complaints.push_back(too_many_characters(kMaxLabelBytes));
  if (!looks_like_label(text) || !is_lower(text.front())) {
    complaints.push_back(
        mismatch("a DNS-1035 label must consist of lower case alphanumeric characters or '-', "
                 "start with an alphabetic character, and end with an alphanumeric character",
                 "[a-z]([-a-z0-9]*[a-z0-9])?", {"my-name", "abc-123"}));
  }
  return complaints;
}

ErrorMessages dns_subdomain_errors(std::string_view text) {
  ErrorMessages complaints;
  if (text.size() > kMaxSubdomainBytes)
    complaints.push_back(too_many_characters(kMaxSubdomainBytes));
  if (!looks_like_subdomain(text)) complaints.push_back(subdomain_mismatch());
  return complaints;
}

ErrorMessages qualified_name_errors(std::string_view text) {
  ErrorMessages complaints;
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) {
    check_name_part(text, complaints);
    return complaints;
  }
  const std::string_view name = text.substr(slash + 1);
  if (name.find('/') != std::string_view::npos) {
    complaints.push_back(
        "a valid label key " + name_part_mismatch() +
        " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
    return complaints;
  }
  check_prefix_part(text.substr(0, slash), complaints);
  check_name_part(name, complaints);
  return complaints;
}

ErrorMessages api_version_errors(std::string_view text) {
  ErrorMessages complaints;
  if (text.size() > kMaxApiVersionBytes)
    complaints.push_back(too_many_characters(kMaxApiVersionBytes));
  const std::size_t slash = text.find('/');
  const bool has_group = slash != std::string_view::npos;
  const std::string_view version = has_group ? text.substr(slash + 1) : text;
  if (!looks_like_label(version) || !is_lower(version.front()) ||
      (has_group && !looks_like_subdomain(text.substr(0, slash)))) {
    complaints.push_back(
        mismatch("an API version must be GROUP/VERSION, or VERSION for the core group",
                 kApiVersionPattern, {"apps/v1", "argoproj.io/v1alpha1"}));
  }
  return complaints;
}

ErrorMessages kind_errors(std::string_view text) {
  ErrorMessages complaints;
  if (text.size() > kMaxLabelBytes) complaints.push_back(too_many_characters(kMaxLabelBytes));
  const auto usable = [](char c) { return is_letter_or_digit(c) || c == '-'; };
  if (text.empty() || !is_letter(text.front()) || text.back() == '-' ||
      !std::all_of(text.begin(), text.end(), usable)) {
    complaints.push_back(
        mismatch("a kind must consist of alphanumeric characters or '-', start with an alphabetic "
                 "character, and end with an alphanumeric character",
                 kKindPattern, {"Deployment", "Rollout"}));
  }
  return complaints;
}

ErrorMessages label_value_errors(std::string_view text) {
  ErrorMessages complaints;
  if (text.size() > kMaxLabelBytes) complaints.push_back(too_many_bytes(kMaxLabelBytes));
  if (!text.empty() && !looks_like_name_part(text)) {
    complaints.push_back(mismatch(
        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' "
        "or '.', and must start and end with an alphanumeric character",
        "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?", {"MyValue", "my_value", "12345"}));
  }
  return complaints;
}

ErrorMessages config_key_errors(std::string_view text) {
  ErrorMessages complaints;
  if (text.size() > kMaxSubdomainBytes)
    complaints.push_back(too_many_characters(kMaxSubdomainBytes));
  if (text.empty() || !std::all_of(text.begin(), text.end(), is_name_character)) {
    complaints.push_back(
        mismatch("a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
                 "[-._a-zA-Z0-9]+", {"key.name", "KEY_NAME", "key-name"}));
  }
  check_no_directory(text, complaints);
  return complaints;
}

ErrorMessages environment_name_errors(std::string_view text) {
  ErrorMessages complaints;
  if (text.empty()) complaints.emplace_back("environment variable name must be non-empty");
  const auto usable = [](char c) { return c >= ' ' && c <= '~' && c != '='; };
  if (!std::all_of(text.begin(), text.end(), usable)) {
    complaints.emplace_back(
        "a valid environment variable name must consist only of printable ASCII characters "
        "other than '='");
  }
  return complaints;
}

ErrorMessages port_name_errors(std::string_view text) {
  ErrorMessages complaints;
  if (text.size() > kMaxPortNameLength)
    complaints.push_back(too_many_characters(kMaxPortNameLength));
  const auto usable = [](char c) { return is_lower_or_digit(c) || c == '-'; };
  if (text.empty() || !std::all_of(text.begin(), text.end(), usable)) {
    complaints.emplace_back(
        "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  }
  if (std::none_of(text.begin(), text.end(), is_lower)) {
    complaints.emplace_back("must contain at least one letter (a-z)");
  }
  if (text.find("--") != std::string_view::npos) {
    complaints.emplace_back("must not contain consecutive hyphens");
  }
  if (!text.empty() && (text.front() == '-' || text.back() == '-')) {
    complaints.emplace_back("must not begin or end with a hyphen");
  }
  return complaints;
}

ErrorMessages percent_errors(std::string_view text) {
  if (text.size() > 1 && text.back() == '%' &&
      std::all_of(text.begin(), text.end() - 1, is_digit)) {
    return {};
  }
  return {mismatch("a valid percent string must be a numeric string followed by an ending '%'",
                   "[0-9]+%", {"1%", "93%"})};
}

ErrorMessages path_segment_errors(std::string_view text) {
  if (text == "." || text == "..") return {fmt::format("may not be '{}'", text)};
  ErrorMessages complaints;
  for (const char c : {'/', '%'}) {
    if (text.find(c) != std::string_view::npos) {
      complaints.push_back(fmt::format("may not contain '{}'", c));
    }
  }
  return complaints;
}

}  // namespace ebb::schema
