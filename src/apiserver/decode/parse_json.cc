// A strict JSON parser that also reports duplicate fields, which Boost.JSON ignores.
//
// The document is built during parsing, so that the path of a duplicate field is known when it is
// found. The document and everything made from it live in one block of memory: it is converted to
// its schema, stored as text, and freed.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/monotonic_resource.hpp>
#include <fmt/format.h>

#include "apiserver/decode/decode.h"
#include "apiserver/decode/strict_errors.h"
#include "model/json/json_error.h"
#include "model/json/text_position.h"

namespace ebb::apiserver {
namespace {

namespace json = boost::json;

constexpr std::size_t kMaxDepth = 200;
constexpr std::string_view kSpace = " \t\r\n";

// Builds the document from the events of Boost's parser.
class Builder {
 public:
  // NOLINTBEGIN(readability-identifier-naming): the names are Boost's
  static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);
  // NOLINTEND(readability-identifier-naming)

  using Code = boost::system::error_code;

  explicit Builder(json::storage_ptr storage) : root_(nullptr, std::move(storage)) {}

  bool on_document_begin(Code&) { return true; }
  bool on_document_end(Code&) { return true; }

  bool on_object_begin(Code&) {
    json::value& place = next_place();
    place.emplace_object();
    open_.push_back({&place, nullptr});
    return true;
  }
  bool on_object_end(std::size_t, Code&) { return close(); }
  bool on_array_begin(Code&) {
    json::value& place = next_place();
    place.emplace_array();
    open_.push_back({&place, nullptr});
    return true;
  }
  bool on_array_end(std::size_t, Code&) { return close(); }

  bool on_key_part(json::string_view part, std::size_t, Code&) { return keep(part); }
  bool on_key(json::string_view part, std::size_t, Code&) {
    Open& top = open_.back();
    const auto [member, is_new] = top.container->get_object().emplace(whole(part), nullptr);
    parts_.clear();
    top.member = &*member;
    if (!is_new && !duplicates_.is_full()) duplicates_.add(path());
    return true;
  }
  bool on_string_part(json::string_view part, std::size_t, Code&) { return keep(part); }
  bool on_string(json::string_view part, std::size_t, Code&) {
    next_place().emplace_string() = whole(part);
    parts_.clear();
    return true;
  }

  bool on_number_part(json::string_view, Code&) { return true; }
  bool on_int64(std::int64_t value, json::string_view, Code&) { return place(value); }
  bool on_uint64(std::uint64_t value, json::string_view, Code&) { return place(value); }
  bool on_double(double value, json::string_view text, Code& code) {
    // Boost accepts numbers of any size. An integer that arrives as a double did not fit into 64
    // bits.
    const bool is_integer = text.find_first_of(".eE") == json::string_view::npos;
    if (std::isfinite(value) && !is_integer) return place(value);
    code = json::error::exponent_overflow;
    return false;
  }
  bool on_bool(bool value, Code&) { return place(value); }
  bool on_null(Code&) { return place(nullptr); }
  bool on_comment_part(json::string_view, Code&) { return true; }
  bool on_comment(json::string_view, Code&) { return true; }

  [[nodiscard]] ParsedJson take() && { return {std::move(root_), std::move(duplicates_).take()}; }

 private:
  // An object or array that is not closed yet.
  struct Open {
    json::value* container;
    json::key_value_pair* member;  // of an object: the current field
  };

  json::value& next_place() {
    if (open_.empty()) return root_;
    Open& top = open_.back();
    if (top.member != nullptr) return top.member->value();
    json::array& array = top.container->get_array();
    return array.emplace_back(nullptr);
  }

  template <class Value>
  bool place(Value value) {
    next_place() = value;
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  // Strings with escapes arrive in parts.
  bool keep(json::string_view part) {
    parts_ += part;
    return true;
  }
  json::string_view whole(json::string_view last) {
    if (parts_.empty()) return last;
    parts_ += last;
    return parts_;
  }

  [[nodiscard]] std::string path() const {
    std::string text;
    for (const Open& open : open_) {
      if (open.member == nullptr) {
        text += fmt::format("[{}]", open.container->get_array().size() - 1);
      } else {
        if (!text.empty()) text += '.';
        text += std::string_view(open.member->key());
      }
    }
    return text;
  }

  json::value root_;
  std::vector<Open> open_;
  std::string parts_;
  StrictErrors duplicates_;
};

model::Status malformed(std::string_view what, std::string_view text, std::size_t offset,
                        const boost::system::error_code& code) {
  const auto say = [what](std::string_view why) {
    return model::bad_request(fmt::format("{} is not valid JSON: {}", what, why));
  };
  if (code == json::error::too_deep) {
    return say(fmt::format("{}: nested deeper than {} levels",
                           model::describe_position(text, offset), kMaxDepth));
  }
  if (text.find_first_not_of(kSpace) == std::string_view::npos) return say("it is empty");
  if (const auto problem = model::find_json_error(text)) return say(*problem);
  return say(fmt::format("{}: unexpected text after the end of the document",
                         model::describe_position(text, offset)));
}

}  // namespace

model::StatusOr<ParsedJson> parse_json(std::string_view text, std::string_view what) {
  json::parse_options options;
  options.max_depth = kMaxDepth;
  json::basic_parser<Builder> parser(options, json::make_shared_resource<json::monotonic_resource>(
                                                  std::max<std::size_t>(text.size(), 512)));
  boost::system::error_code code;
  const std::size_t size = parser.write_some(false, text.data(), text.size(), code);
  const std::size_t rest = std::min(text.find_first_not_of(kSpace, size), text.size());
  if (code || rest < text.size()) return tl::unexpected(malformed(what, text, rest, code));
  return std::move(parser.handler()).take();
}

}  // namespace ebb::apiserver
