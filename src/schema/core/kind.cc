#include "schema/core/kind.h"

#include <algorithm>

#include <fmt/format.h>

namespace ebb::schema {

std::string Kind::api_version() const {
  return group.empty() ? std::string(version) : fmt::format("{}/{}", group, version);
}

const Kind* find_kind(std::string_view group, std::string_view version, std::string_view plural) {
  const std::span<const Kind> all = kinds();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Kind& kind) {
    return kind.group == group && kind.version == version && kind.plural == plural;
  });
  return found == all.end() ? nullptr : &*found;
}

const Kind* find_kind(std::string_view api_version, std::string_view name) {
  const std::size_t slash = api_version.find('/');
  const bool has_group = slash != std::string_view::npos;
  const std::string_view group = api_group(api_version);
  const std::string_view version = has_group ? api_version.substr(slash + 1) : api_version;
  // "/v1" is not a valid spelling of the core group.
  if (has_group && group.empty()) return nullptr;
  const std::span<const Kind> all = kinds();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Kind& kind) {
    return kind.group == group && kind.version == version && kind.name == name;
  });
  return found == all.end() ? nullptr : &*found;
}

std::string_view api_group(std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  return slash == std::string_view::npos ? std::string_view() : api_version.substr(0, slash);
}

}  // namespace ebb::schema
