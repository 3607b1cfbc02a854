#include "apiserver/request/route.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "schema/core/utf8.h"

namespace ebb::apiserver {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Returns the parts between slashes; nothing if one is empty or wrongly encoded. A trailing slash
// is ignored.
std::optional<std::vector<std::string>> split_path(std::string_view path) {
  if (path.empty() || path.front() != '/') return std::nullopt;
  path.remove_prefix(1);
  if (!path.empty() && path.back() == '/') path.remove_suffix(1);
  std::vector<std::string> parts;
  while (true) {
    const std::size_t slash = path.find('/');
    std::optional<std::string> part = percent_decode(path.substr(0, slash), false);
    if (!part || part->empty()) return std::nullopt;
    parts.push_back(*std::move(part));
    if (slash == std::string_view::npos) return parts;
    path.remove_prefix(slash + 1);
  }
}

}  // namespace

std::optional<std::string> percent_decode(std::string_view text, bool plus_is_space) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && plus_is_space) {
      decoded += ' ';
    } else if (text[i] != '%') {
      decoded += text[i];
    } else {
      if (i + 2 >= text.size()) return std::nullopt;
      const int high = hex_digit(text[i + 1]);
      const int low = hex_digit(text[i + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      decoded += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  return schema::is_utf8(decoded) ? std::move(decoded) : schema::as_utf8(decoded);
}

std::optional<Route> route(std::string_view path) {
  std::optional<std::vector<std::string>> parts = split_path(path);
  if (!parts) return std::nullopt;
  auto next = parts->begin();
  const auto take = [&] { return next == parts->end() ? std::string() : std::move(*next++); };

  const std::string root = take();
  std::string group;
  if (root == "apis") {
    group = take();
  } else if (root != "api") {
    return std::nullopt;
  }
  const std::string version = take();

  Route route;
  std::string resource = take();
  // namespaces/NAME/RESOURCE is a namespaced resource; namespaces/NAME(/status, /finalize) is the
  // namespace itself.
  const auto left = parts->end() - next;
  const bool own_subresource = left == 2 && (next[1] == "status" || next[1] == "finalize");
  if (resource == "namespaces" && left >= 2 && !(group.empty() && own_subresource)) {
    route.namespace_name = take();
    resource = take();
  }
  // Evictions are also a resource, with the pod's name in the body.
  if (group == "policy" && version == "v1" && resource == "evictions" && next == parts->end()) {
    route.kind = schema::find_kind("", "v1", "pods");
    route.subresource = "eviction";
    return route;
  }
  route.kind = schema::find_kind(group, version, resource);
  route.name = take();
  route.subresource = take();
  if (route.kind == nullptr || next != parts->end()) return std::nullopt;
  if (!route.kind->namespaced && !route.namespace_name.empty()) return std::nullopt;
  if (route.kind->namespaced && route.namespace_name.empty() && !route.name.empty()) {
    return std::nullopt;
  }
  return route;
}

model::StatusOr<Query> parse_query(std::string_view text) {
  Query query;
  while (!text.empty()) {
    const std::size_t end = text.find('&');
    const std::string_view pair = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (pair.empty()) continue;
    const std::size_t equals = pair.find('=');
    std::optional<std::string> name = percent_decode(pair.substr(0, equals), true);
    std::optional<std::string> value = equals == std::string_view::npos
                                           ? std::string()
                                           : percent_decode(pair.substr(equals + 1), true);
    if (!name || !value) {
      return tl::unexpected(model::bad_request(
          fmt::format("invalid URL escape in query parameter \"{}\"", schema::as_utf8(pair))));
    }
    query.try_emplace(*std::move(name), *std::move(value));
  }
  return query;
}

}  // namespace ebb::apiserver
