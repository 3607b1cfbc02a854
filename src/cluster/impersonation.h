// Whom a request wants to be taken for: what its Impersonate- headers mean.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/api.h"

namespace ebb::cluster {

// From header lines whose names are in small letters. Of headers that have one value the first
// counts; those that nobody knows are passed over, as Kubernetes does.
[[nodiscard]] model::Impersonation impersonation_of(
    const std::vector<std::pair<std::string, std::string>>& headers);

}  // namespace ebb::cluster
