#include "model/raw_json.h"

namespace ebb::model {
namespace {

constexpr std::string_view kSpace = " \t\r\n";
constexpr std::string_view kEndOfScalar = ",]} \t\r\n";

}  // namespace

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
  const std::size_t found = text_.find_first_not_of(kSpace, place_);
  place_ = found == std::string_view::npos ? text_.size() : found;
}

// From its opening quote to behind its closing one.
bool RawJsonCursor::skip_string() {
  for (std::size_t at = place_ + 1;;) {
    at = text_.find('"', at);
    if (at == std::string_view::npos) return false;
    std::size_t backslashes = 0;
    while (text_[at - 1 - backslashes] == '\\') ++backslashes;
    ++at;
    if (backslashes % 2 == 0) {
      place_ = at;
      return true;
    }
  }
}

bool RawJsonCursor::skip_value() {
  if (place_ >= text_.size()) return false;
  if (text_[place_] == '"') return skip_string();
  if (text_[place_] != '{' && text_[place_] != '[') {
    const std::size_t end = text_.find_first_of(kEndOfScalar, place_);
    if (end == std::string_view::npos || end == place_) return false;
    place_ = end;
    return true;
  }
  std::size_t depth = 0;
  while (place_ < text_.size()) {
    const char c = text_[place_];
    if (c == '"') {
      if (!skip_string()) return false;
      continue;
    }
    ++place_;
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && --depth == 0) return true;
  }
  return false;
}

std::optional<RawJsonCursor::Value> RawJsonCursor::next() {
  if (broken_) return std::nullopt;
  skip_space();
  if (place_ < text_.size() && text_[place_] == ',') {
    ++place_;
    skip_space();
  }
  broken_ = true;  // unless it turns out otherwise
  if (place_ >= text_.size() || text_[place_] == '}' || text_[place_] == ']') return std::nullopt;
  Value value;
  const std::size_t start = place_;
  if (object_) {
    if (text_[place_] != '"' || !skip_string()) return std::nullopt;
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
