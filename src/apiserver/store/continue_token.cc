#include "apiserver/store/continue_token.h"

#include <charconv>

#include <fmt/format.h>

namespace ebb::apiserver {

namespace {

// Takes the text before the next slash, and the slash.
std::optional<std::string_view> take_part(std::string_view& text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const std::string_view part = text.substr(0, slash);
  text.remove_prefix(slash + 1);
  return part;
}

template <class Number>
bool take_number(std::string_view& text, Number& number) {
  const auto part = take_part(text);
  if (!part) return false;
  const char* const end = part->data() + part->size();
  const auto read = std::from_chars(part->data(), end, number);
  return read.ec == std::errc() && read.ptr == end;
}

}  // namespace

// Names contain no slash and need no escaping in a URL, so the token needs no encoding.
std::string ContinueToken::text() const {
  return fmt::format("{}/{}/{}/{}", revision, left, namespace_name, name);
}

std::optional<ContinueToken> ContinueToken::parse(std::string_view text) {
  ContinueToken token;
  if (!take_number(text, token.revision) || !take_number(text, token.left)) return std::nullopt;
  const auto namespace_name = take_part(text);
  if (!namespace_name) return std::nullopt;
  token.namespace_name = *namespace_name;
  token.name = text;
  return token;
}

}  // namespace ebb::apiserver
