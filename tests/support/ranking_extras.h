// What the definition of a DownscalePolicy says about ranking, made from the rules for it.
#pragma once

#include <vector>

#include "support/custom_resource_extras.h"

namespace ebb::support {

[[nodiscard]] std::vector<Extra> ranking_extras();

}  // namespace ebb::support
