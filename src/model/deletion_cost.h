// The integers Kubernetes accepts in controller.kubernetes.io/pod-deletion-cost.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ebb::model {

// A strict base-10 int32: no plus sign, no spaces, and no leading zero unless a
// minus sign stands before it (`-008` is -8, `008` is invalid). That oddity is
// the API server's, and both sides have to agree.
[[nodiscard]] std::optional<std::int32_t> parse_deletion_cost(std::string_view text);

}  // namespace ebb::model
