// The state machines that make an API server a cluster. Without the garbage collector somebody else
// has to do its work; namespaces that are deleted are emptied in any case.
#pragma once

#include <memory>
#include <vector>

#include "model/machine.h"
#include "nodes/settings.h"

namespace ebb::cluster {

[[nodiscard]] std::vector<std::unique_ptr<model::Machine>> make_stand_ins(
    const nodes::Settings& settings, bool garbage_collector);

}  // namespace ebb::cluster
