// Interprets the Impersonate- headers of a request.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/api/api.h"

namespace ebb::cluster {

// From header lines with names in lower case. If a header allows one value, the first counts;
// unknown headers are ignored, as in Kubernetes.
[[nodiscard]] model::Impersonation impersonation_of(
    const std::vector<std::pair<std::string, std::string>>& headers);

}  // namespace ebb::cluster
