// The state machines that make an API server a cluster.
#pragma once

#include <memory>
#include <vector>

#include "model/machine.h"
#include "nodes/settings.h"

namespace ebb::cluster {

[[nodiscard]] std::vector<std::unique_ptr<model::Machine>> make_stand_ins(
    const nodes::Settings& settings);

}  // namespace ebb::cluster
