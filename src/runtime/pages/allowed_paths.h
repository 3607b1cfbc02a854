// The paths of --authorization-always-allow-paths, which need no authorization. Kubernetes' rules
// apply: a path matches exactly, or by prefix if the entry ends in a star.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ebb::runtime {

inline constexpr std::string_view kAlwaysAllowedByDefault = "/healthz,/livez,/readyz";

class AllowedPaths {
 public:
  // Parses a comma-separated list. An empty list allows no path.
  [[nodiscard]] static Result<AllowedPaths> parse(std::string_view list);

  [[nodiscard]] bool contains(std::string_view path) const;

 private:
  std::set<std::string, std::less<>> paths_;  // both without the leading slash
  std::vector<std::string> prefixes_;
};

}  // namespace ebb::runtime
