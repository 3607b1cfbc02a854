// --controllers, as kube-controller-manager reads it: names, `*` for all, `-name` for all but
// that one.
#pragma once

#include <string_view>

#include "base/result.h"
#include "cli/command.h"

namespace ebb::cli {

struct ChosenControllers {
  bool replica_sets = false;
  bool deployments = false;

  [[nodiscard]] bool any() const { return replica_sets || deployments; }
};

[[nodiscard]] Result<ChosenControllers> parse_controllers(std::string_view text);
[[nodiscard]] Completion complete_controllers();

}  // namespace ebb::cli
