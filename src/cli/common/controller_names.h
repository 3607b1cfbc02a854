// --controllers, as kube-controller-manager reads it: names, `*` for all, `-name` for all but that
// one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/common/command.h"

namespace ebb::cli {

// The names that a command offers. `ebb up` includes a garbage collector; other clusters already
// have one.
enum class Offer : std::uint8_t { kControllers, kControllersAndCollector };

struct ChosenControllers {
  bool replica_sets = false;
  bool deployments = false;
  bool ranker = false;
  bool shadow = false;
  bool garbage_collector = false;

  // Whether any controller that is a client of the API server is chosen.
  [[nodiscard]] bool any() const { return replica_sets || deployments || ranker || shadow; }
  // Controllers may run in different processes, and only replicas that do the same work share a
  // lease: a ranker has its own without other controllers, and so has shadow mode.
  [[nodiscard]] std::string_view lease_name() const {
    if (replica_sets || deployments) return "ebb-controller";
    return ranker ? "ebb-ranker" : "ebb-shadow";
  }
  // `replicaset,ranker`
  [[nodiscard]] std::string names() const;
};

[[nodiscard]] Result<ChosenControllers> parse_controllers(std::string_view text, Offer offer);
[[nodiscard]] Completion complete_controllers(Offer offer);

}  // namespace ebb::cli
