#include "input.h"

#include <algorithm>
#include <set>

#include <boost/json/parse.hpp>
#include <simdjson.h>

namespace ebb::fuzz {
namespace {

namespace json = boost::json;
namespace ondemand = simdjson::ondemand;

bool is_odd(ondemand::value value);

bool is_odd(ondemand::object object) {
  std::set<std::string> names;
  for (auto field : object) {
    // As written: between its quotes.
    const std::string_view start(field.key().value().raw());
    const std::string_view name = start.substr(0, start.find('"'));
    if (name.find('\\') != std::string_view::npos) return true;
    if (!names.emplace(name).second || is_odd(field.value().value())) return true;
  }
  return false;
}

bool is_odd(ondemand::value value) {
  if (value.type() == ondemand::json_type::object) return is_odd(value.get_object().value());
  if (value.type() != ondemand::json_type::array) return false;
  for (auto item : value.get_array()) {
    if (is_odd(item.value())) return true;
  }
  return false;
}

}  // namespace

bool is_text(std::string_view bytes) { return simdjson::validate_utf8(bytes.data(), bytes.size()); }

bool is_one_line(std::string_view text) {
  return is_text(text) && std::none_of(text.begin(), text.end(),
                                       [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

std::string_view take_until(std::string_view& input, char separator) {
  const std::size_t end = input.find(separator);
  const std::string_view part = input.substr(0, end);
  input.remove_prefix(end == std::string_view::npos ? input.size() : end + 1);
  return part;
}

std::optional<json::value> parse_plainly(std::string_view text) {
  if (!is_text(text)) return std::nullopt;
  json::parse_options options;
  options.max_depth = 500;
  json::error_code error;
  json::value value = json::parse(text, error, {}, options);
  if (error) return std::nullopt;
  return value;
}

bool has_odd_names(std::string_view text) {
  const simdjson::padded_string padded(text);
  ondemand::parser parser;
  ondemand::document document;
  ondemand::value root;
  if (parser.iterate(padded).get(document) != simdjson::SUCCESS ||
      document.get_value().get(root) != simdjson::SUCCESS) {
    return false;  // a number, a text or a word
  }
  return is_odd(root);
}

}  // namespace ebb::fuzz
