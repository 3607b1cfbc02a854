// Reading the DownscalePolicy that `ebb plan --policy` tries, as strictly as an API server would:
// a rehearsal that overlooks a misspelt field proves nothing.
#pragma once

#include <string>

#include "base/result.h"
#include "cli/command.h"
#include "plan/tried_policy.h"

namespace ebb::cli {

// `-` is standard input.
[[nodiscard]] Result<plan::TriedPolicy> read_policy_file(const std::string& name,
                                                         const Streams& streams);

}  // namespace ebb::cli
