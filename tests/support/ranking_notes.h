// What the definition of a DownscalePolicy says about ranking, made from the rules for it.
#pragma once

#include <vector>

#include "support/custom_resource_notes.h"

namespace ebb::support {

[[nodiscard]] std::vector<Note> ranking_notes();

}  // namespace ebb::support
