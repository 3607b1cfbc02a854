// Access through the service account of the pod that the process runs in.
#pragma once  // private to its room

#include <filesystem>
#include <string>

#include "base/result.h"
#include "kube/cluster_access.h"

namespace ebb::kube {

// `host` and `port` as in KUBERNETES_SERVICE_HOST and _PORT; `folder` holds token, ca.crt and
// namespace.
[[nodiscard]] Result<ClusterAccess> in_cluster_access(const std::string& host,
                                                      const std::string& port,
                                                      const std::filesystem::path& folder);

}  // namespace ebb::kube
