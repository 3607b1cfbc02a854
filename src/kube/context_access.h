// Reads a context of a kubeconfig.
#pragma once

#include <string>

#include "base/result.h"
#include "kube/cluster_access.h"
#include "kube/kubeconfig.h"

namespace ebb::kube {

// An empty `context` means the current one.
[[nodiscard]] Result<ClusterAccess> access_of_context(const Kubeconfig& config,
                                                      std::string context);

}  // namespace ebb::kube
