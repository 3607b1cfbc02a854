// Reads the DownscalePolicy of `ebb plan --policy` as strictly as an API server would: a plan that
// overlooks a misspelt field proves nothing.
#pragma once  // private to its room

#include <string>

#include "base/result.h"
#include "cli/common/command.h"
#include "plan/tried_policy.h"

namespace ebb::cli {

// `-` is standard input.
[[nodiscard]] Result<plan::TriedPolicy> read_policy_file(const std::string& name,
                                                         const Streams& streams);

}  // namespace ebb::cli
