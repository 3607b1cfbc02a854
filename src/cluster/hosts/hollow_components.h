// The components that make an API server a cluster. Without the garbage collector, another one must
// do its work; deleted namespaces are emptied in any case.
#pragma once

#include <memory>
#include <vector>

#include "hollow/settings.h"
#include "model/component/component.h"

namespace ebb::cluster {

[[nodiscard]] std::vector<std::unique_ptr<model::Component>> make_hollow_components(
    const hollow::Settings& settings, bool garbage_collector);

}  // namespace ebb::cluster
