#include "model/json_error.h"

#include <algorithm>

#include <boost/json/basic_parser_impl.hpp>
#include <fmt/format.h>

namespace ebb::model {
namespace {

namespace json = boost::json;

constexpr std::size_t kMaxDepth = 1024;  // simdjson's limit

// Accepts everything and keeps nothing.
struct Discard {
  static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);

  using Code = boost::system::error_code;
  bool on_document_begin(Code&) { return true; }
  bool on_document_end(Code&) { return true; }
  bool on_object_begin(Code&) { return true; }
  bool on_object_end(std::size_t, Code&) { return true; }
  bool on_array_begin(Code&) { return true; }
  bool on_array_end(std::size_t, Code&) { return true; }
  bool on_key_part(json::string_view, std::size_t, Code&) { return true; }
  bool on_key(json::string_view, std::size_t, Code&) { return true; }
  bool on_string_part(json::string_view, std::size_t, Code&) { return true; }
  bool on_string(json::string_view, std::size_t, Code&) { return true; }
  bool on_number_part(json::string_view, Code&) { return true; }
  bool on_int64(std::int64_t, json::string_view, Code&) { return true; }
  bool on_uint64(std::uint64_t, json::string_view, Code&) { return true; }
  bool on_double(double, json::string_view, Code&) { return true; }
  bool on_bool(bool, Code&) { return true; }
  bool on_null(Code&) { return true; }
  bool on_comment_part(json::string_view, Code&) { return true; }
  bool on_comment(json::string_view, Code&) { return true; }
};

std::string explain(const boost::system::error_code& code) {
  if (code == json::error::incomplete) return "the document ends too early";
  if (code == json::error::too_deep) return fmt::format("nested deeper than {} levels", kMaxDepth);
  return code.message();
}

}  // namespace

std::string describe_position(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const auto last_newline = before.rfind('\n');
  const auto column =
      last_newline == std::string_view::npos ? before.size() + 1 : before.size() - last_newline;
  return fmt::format("line {}, column {}", line, column);
}

std::optional<std::string> find_json_error(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  json::parse_options options;
  options.max_depth = kMaxDepth;
  std::size_t offset = std::min(text.find_first_not_of(kSpace), text.size());
  while (offset < text.size()) {
    json::basic_parser<Discard> parser(options);
    boost::system::error_code code;
    offset += parser.write_some(false, text.data() + offset, text.size() - offset, code);
    if (code) return fmt::format("{}: {}", describe_position(text, offset), explain(code));
    offset = std::min(text.find_first_not_of(kSpace, offset), text.size());
  }
  return std::nullopt;
}

}  // namespace ebb::model
