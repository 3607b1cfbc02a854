#include "model/json/json_error.h"

#include <algorithm>
#include <cmath>

#include <boost/json/basic_parser_impl.hpp>
#include <fmt/format.h>

#include "model/json/text_position.h"

namespace ebb::model {
namespace {

namespace json = boost::json;

constexpr std::size_t kMaxDepth = 1024;  // simdjson's default
constexpr std::string_view kSpace = " \t\r\n";
constexpr std::string_view kHalfCharacter =
    "a \\u escape is half of a surrogate pair; the other half is missing";

// Discards the values, and accepts what simdjson accepts: Boost allows numbers of any size.
struct Discard {
  // NOLINTBEGIN(readability-identifier-naming): the names are Boost's
  static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);
  // NOLINTEND(readability-identifier-naming)

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
  bool on_double(double value, json::string_view text, Code& code) {
    const bool is_integer = text.find_first_of(".eE") == json::string_view::npos;
    if (std::isfinite(value) && !is_integer) return true;
    code = json::error::exponent_overflow;
    return false;
  }
  bool on_bool(bool, Code&) { return true; }
  bool on_null(Code&) { return true; }
  bool on_comment_part(json::string_view, Code&) { return true; }
  bool on_comment(json::string_view, Code&) { return true; }
};

// Whether an unpaired \u escape precedes the offset.
bool follows_half_character(std::string_view text, std::size_t offset) {
  if (offset < 6) return false;
  const std::string_view escape = text.substr(offset - 6, 6);
  return escape.starts_with("\\u") && (escape[2] == 'd' || escape[2] == 'D') &&
         std::string_view("89abAB").find(escape[3]) != std::string_view::npos;
}

// Explains the character at which the parser stopped.
std::string explain_unexpected(std::string_view text, std::size_t offset) {
  if (offset >= text.size()) return "the text ends in the middle of a document";
  if (follows_half_character(text, offset)) return std::string(kHalfCharacter);
  const char c = text[offset];
  const auto byte = static_cast<unsigned char>(c);
  if (byte < 0x20) {
    return fmt::format("unexpected control character; in a string, write \\u{:04x}", byte);
  }
  if (byte >= 0x80) return "unexpected character outside of a string";
  const auto before = text.substr(0, offset).find_last_not_of(kSpace);
  if ((c == '}' || c == ']') && before != std::string_view::npos && text[before] == ',') {
    return fmt::format("unexpected {} after a comma", c);
  }
  if (c == '\'') return "unexpected '; strings and keys need double quotes";
  return fmt::format("unexpected {}", c);
}

std::string explain(const boost::system::error_code& code, std::string_view text,
                    std::size_t offset) {
  using json::error;
  if (code == error::incomplete) return "the text ends in the middle of a document";
  if (code == error::too_deep) return fmt::format("nested deeper than {} levels", kMaxDepth);
  if (code == error::exponent_overflow) return "the number is too large for 64 bits";
  if (code == error::illegal_leading_surrogate || code == error::illegal_trailing_surrogate ||
      code == error::expected_utf16_escape) {
    return std::string(kHalfCharacter);
  }
  if (code == error::expected_hex_digit) return "\\u needs four hexadecimal digits";
  return explain_unexpected(text, offset);
}

}  // namespace

Result<std::vector<std::string_view>> split_json(std::string_view text) {
  const auto fail_at = [&](std::size_t offset, std::string_view problem) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("{}: {}", describe_position(text, offset), problem));
  };
  if (const auto invalid = find_invalid_utf8(text)) return fail_at(*invalid, "is not valid UTF-8");

  json::parse_options options;
  options.max_depth = kMaxDepth;
  std::vector<std::string_view> documents;
  std::size_t offset = std::min(text.find_first_not_of(kSpace), text.size());
  while (offset < text.size()) {
    json::basic_parser<Discard> parser(options);
    boost::system::error_code code;
    const std::size_t size =
        parser.write_some(false, text.data() + offset, text.size() - offset, code);
    if (code) return fail_at(offset + size, explain(code, text, offset + size));
    const std::size_t last = text.find_last_not_of(kSpace, offset + size - 1);
    documents.push_back(text.substr(offset, last + 1 - offset));
    offset = std::min(text.find_first_not_of(kSpace, offset + size), text.size());
  }
  return documents;
}

std::optional<std::string> find_json_error(std::string_view text) {
  const auto documents = split_json(text);
  if (documents) return std::nullopt;
  return documents.error().message;
}

}  // namespace ebb::model
