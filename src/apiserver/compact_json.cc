#include "apiserver/compact_json.h"

#include <algorithm>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

namespace ebb::apiserver {

namespace json = boost::json;

namespace {

// Behind the quote that ends the text that begins at `begin`, or npos.
std::size_t end_of_text(std::string_view json, std::size_t begin) {
  for (std::size_t at = begin + 1; at < json.size(); ++at) {
    if (json[at] == '"') return at + 1;
    if (json[at] == '\\') ++at;
  }
  return std::string_view::npos;
}

bool is_plain(std::string_view text) {
  for (const char letter : text) {
    if (letter == '"' || letter == '\\' || static_cast<unsigned char>(letter) < ' ') return false;
  }
  return true;
}

}  // namespace

std::size_t end_of_value(std::string_view json, std::size_t begin) {
  if (begin >= json.size()) return std::string_view::npos;
  if (json[begin] == '"') return end_of_text(json, begin);
  if (json[begin] != '{' && json[begin] != '[') {
    return json.find_first_of(",}]", begin);  // a number or a word
  }
  std::size_t depth = 0;
  for (std::size_t at = begin; at < json.size(); ++at) {
    const char letter = json[at];
    if (letter == '"') {
      const std::size_t end = end_of_text(json, at);
      if (end == std::string_view::npos) return end;
      at = end - 1;
    } else if (letter == '{' || letter == '[') {
      ++depth;
    } else if ((letter == '}' || letter == ']') && --depth == 0) {
      return at + 1;
    }
  }
  return std::string_view::npos;
}

std::optional<std::string> unescaped(std::string_view text) {
  if (is_plain(text)) return std::string(text);
  std::string quoted = "\"";
  quoted += text;
  quoted += '"';
  json::error_code error;
  const json::value value = json::parse(quoted, error);
  if (error || !value.is_string()) return std::nullopt;
  return std::string(value.get_string());
}

void append_quoted(std::string_view text, std::string& out) {
  if (is_plain(text)) {
    out += '"';
    out += text;
    out += '"';
    return;
  }
  // The quotes in the keys of an entry, by far the most.
  const auto is_rare = [](char letter) { return static_cast<unsigned char>(letter) < ' '; };
  if (std::any_of(text.begin(), text.end(), is_rare)) {
    out += json::serialize(json::string(text));
    return;
  }
  out += '"';
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') out += '\\';
    out += letter;
  }
  out += '"';
}

}  // namespace ebb::apiserver
