#include "apiserver/decode/compact_json.h"

#include <algorithm>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

namespace ebb::apiserver {

namespace json = boost::json;

namespace {

bool is_plain(std::string_view text) {
  for (const char letter : text) {
    if (letter == '"' || letter == '\\' || static_cast<unsigned char>(letter) < ' ') return false;
  }
  return true;
}

}  // namespace

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
  // Most texts that need escapes contain only quotes, as the keys of list entries do.
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
