// --controllers, as kube-controller-manager reads it: names, `*` for all, `-name` for all but
// that one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/command.h"

namespace ebb::cli {

// Which names there are. The garbage collector is a part of the cluster in `ebb up`; on other
// clusters there is one already.
enum class Offer : std::uint8_t { kControllers, kControllersAndCollector };

struct ChosenControllers {
  bool replica_sets = false;
  bool deployments = false;
  bool ranker = false;
  bool garbage_collector = false;

  // Of those that are clients of the API server.
  [[nodiscard]] bool any() const { return replica_sets || deployments || ranker; }
  // They may stand in different processes, and only those that do the same work take turns: the
  // ranker beside other controllers has a lease of its own.
  [[nodiscard]] std::string_view lease_name() const {
    return replica_sets || deployments ? "ebb-controller" : "ebb-ranker";
  }
  // `replicaset,ranker`
  [[nodiscard]] std::string names() const;
};

[[nodiscard]] Result<ChosenControllers> parse_controllers(std::string_view text, Offer offer);
[[nodiscard]] Completion complete_controllers(Offer offer);

}  // namespace ebb::cli
