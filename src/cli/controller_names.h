// --controllers, as kube-controller-manager reads it: names, `*` for all, `-name` for all but
// that one.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/command.h"

namespace ebb::cli {

struct ChosenControllers {
  bool replica_sets = false;
  bool deployments = false;
  bool ranker = false;

  [[nodiscard]] bool any() const { return replica_sets || deployments || ranker; }
  // They may stand in different processes, and only those that do the same work take turns: the
  // ranker beside other controllers has a lease of its own.
  [[nodiscard]] std::string_view lease_name() const {
    return replica_sets || deployments ? "ebb-controller" : "ebb-ranker";
  }
  // `replicaset,ranker`
  [[nodiscard]] std::string names() const;
};

[[nodiscard]] Result<ChosenControllers> parse_controllers(std::string_view text);
[[nodiscard]] Completion complete_controllers();

}  // namespace ebb::cli
