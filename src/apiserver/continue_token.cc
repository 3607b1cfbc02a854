#include "apiserver/continue_token.h"

#include <charconv>

#include <fmt/format.h>

namespace ebb::apiserver {

// Names have no slash and need no escaping in a URL, so the token needs no encoding.
std::string ContinueToken::text() const {
  return fmt::format("{}/{}/{}", revision, namespace_name, name);
}

std::optional<ContinueToken> ContinueToken::parse(std::string_view text) {
  const std::size_t first = text.find('/');
  if (first == std::string_view::npos) return std::nullopt;
  const std::size_t second = text.find('/', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  ContinueToken token;
  const auto [end, error] = std::from_chars(text.data(), text.data() + first, token.revision);
  if (error != std::errc() || end != text.data() + first) return std::nullopt;
  token.namespace_name = text.substr(first + 1, second - first - 1);
  token.name = text.substr(second + 1);
  return token;
}

}  // namespace ebb::apiserver
