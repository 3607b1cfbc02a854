// The ranking part of the DownscalePolicy definition, generated from the ranking rules.
#pragma once

#include <vector>

#include "support/objects/custom_resource_extras.h"

namespace ebb::support {

[[nodiscard]] std::vector<Extra> ranking_extras();

}  // namespace ebb::support
