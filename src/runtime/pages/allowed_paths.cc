#include "runtime/pages/allowed_paths.h"

#include <algorithm>

#include <fmt/format.h>

namespace ebb::runtime {
namespace {

std::string_view without_slash(std::string_view path) {
  if (path.starts_with('/')) path.remove_prefix(1);
  return path;
}

}  // namespace

Result<AllowedPaths> AllowedPaths::parse(std::string_view list) {
  AllowedPaths result;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    const std::string_view path = without_slash(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 1, list.size()));
    const std::size_t star = path.find('*');
    if (star == std::string_view::npos) {
      result.paths_.emplace(path);
    } else if (star + 1 == path.size()) {
      result.prefixes_.emplace_back(path.substr(0, star));
    } else {
      return fail(ErrorCode::kInvalidInput, fmt::format("only trailing * allowed in \"{}\"", path));
    }
  }
  return result;
}

bool AllowedPaths::contains(std::string_view path) const {
  const std::string_view rest = without_slash(path);
  return paths_.contains(rest) ||
         std::any_of(prefixes_.begin(), prefixes_.end(),
                     [&](const std::string& prefix) { return rest.starts_with(prefix); });
}

}  // namespace ebb::runtime
