// The integers that Kubernetes accepts in controller.kubernetes.io/pod-deletion-cost.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ebb::model {

// A strict base-10 int32: no plus sign, no spaces, and no leading zero unless a minus sign precedes
// it (`-008` is -8, `008` is invalid). The API server has this quirk, and ebb must agree with it.
[[nodiscard]] std::optional<std::int32_t> parse_deletion_cost(std::string_view text);

}  // namespace ebb::model
