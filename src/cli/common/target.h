// Parses the argument that names a workload, in all forms that kubectl accepts.
#pragma once

#include <string_view>

#include "base/result.h"
#include "plan/plan.h"

namespace ebb::cli {

// `rs/NAME`, `deploy/NAME` and so on. `what` is the argument or option, for errors.
[[nodiscard]] Result<void> parse_target(std::string_view what, std::string_view text,
                                        plan::Request& request);

[[nodiscard]] Result<std::int32_t> parse_replicas(std::string_view text);

}  // namespace ebb::cli
