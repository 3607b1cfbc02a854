#include "model/json/raw_json.h"

namespace ebb::model {
namespace {

constexpr std::string_view kJsonSpace = " \t\r\n";
constexpr std::string_view kEndOfScalar = ",]} \t\r\n";

// Returns the position after the quote that closes the one at `begin`, or npos.
std::size_t end_of_string(std::string_view json, std::size_t begin) {
  for (std::size_t at = begin + 1; (at = json.find('"', at)) != std::string_view::npos; ++at) {
    std::size_t backslashes = 0;
    while (json[at - 1 - backslashes] == '\\') ++backslashes;
    if (backslashes % 2 == 0) return at + 1;
  }
  return std::string_view::npos;
}

}  // namespace

std::size_t end_of_value(std::string_view json, std::size_t begin) {
  if (begin >= json.size()) return std::string_view::npos;
  if (json[begin] == '"') return end_of_string(json, begin);
  if (json[begin] != '{' && json[begin] != '[') {
    const std::size_t end = json.find_first_of(kEndOfScalar, begin);
    return end == begin ? std::string_view::npos : end;
  }
  std::size_t depth = 0;
  for (std::size_t at = begin; at < json.size();) {
    const char c = json[at];
    if (c == '"') {
      at = end_of_string(json, at);
      continue;
    }
    ++at;
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && --depth == 0) return at;
  }
  return std::string_view::npos;
}

RawJsonCursor::RawJsonCursor(std::string_view container) : text_(container) {
  skip_space();
  if (place_ < text_.size() && (text_[place_] == '{' || text_[place_] == '[')) {
    object_ = text_[place_] == '{';
    ++place_;
  } else {
    broken_ = true;
  }
}

void RawJsonCursor::skip_space() {
  const std::size_t found = text_.find_first_not_of(kJsonSpace, place_);
  place_ = found == std::string_view::npos ? text_.size() : found;
}

bool RawJsonCursor::skip_value() {
  const std::size_t end = end_of_value(text_, place_);
  if (end == std::string_view::npos) return false;
  place_ = end;
  return true;
}

std::optional<RawJsonCursor::Value> RawJsonCursor::next() {
  if (broken_) return std::nullopt;
  skip_space();
  const bool has_comma = place_ < text_.size() && text_[place_] == ',';
  if (has_comma) {
    ++place_;
    skip_space();
  }
  broken_ = true;  // unless it turns out otherwise
  if (place_ >= text_.size()) return std::nullopt;
  if (text_[place_] == '}' || text_[place_] == ']') {
    const bool closes = text_[place_] == (object_ ? '}' : ']');
    complete_ =
        closes && !has_comma && text_.find_first_not_of(kJsonSpace, place_ + 1) == text_.npos;
    return std::nullopt;
  }
  Value value;
  const std::size_t start = place_;
  if (object_) {
    if (text_[place_] != '"' || !skip_value()) return std::nullopt;
    value.key = text_.substr(start + 1, place_ - start - 2);
    skip_space();
    if (place_ >= text_.size() || text_[place_] != ':') return std::nullopt;
    ++place_;
    skip_space();
  }
  const std::size_t value_start = place_;
  if (!skip_value()) return std::nullopt;
  value.text = text_.substr(value_start, place_ - value_start);
  value.whole = text_.substr(start, place_ - start);
  broken_ = false;
  return value;
}

std::string_view raw_member(std::string_view object, std::string_view key) {
  RawJsonCursor members(object);
  while (const auto member = members.next()) {
    if (member->key == key) return member->text;
  }
  return {};
}

}  // namespace ebb::model
