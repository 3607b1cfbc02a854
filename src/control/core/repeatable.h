// Whether a request of unknown outcome may be sent again.
#pragma once

#include "model/api/api.h"

namespace ebb::control {

// True if a second execution changes nothing: it is a read, or it names the exact state or object
// that it applies to. Never true for a create: the server may generate the name.
[[nodiscard]] bool is_repeatable(const model::ApiRequest& request);

}  // namespace ebb::control
