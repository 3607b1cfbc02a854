// Whether a request whose outcome is not known may be sent once more.
#pragma once

#include "model/api.h"

namespace ebb::control {

// Carried out twice it does the same as once: it reads, or it names the very state or object that
// it means. A creation never does: the server might have made up a name for it.
[[nodiscard]] bool is_repeatable(const model::ApiRequest& request);

}  // namespace ebb::control
