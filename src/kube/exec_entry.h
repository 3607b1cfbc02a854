// The entry `exec` of a user in a kubeconfig.
#pragma once

#include "kube/cluster_access.h"
#include "kube/entry.h"

namespace ebb::kube {

// What is wrong is reported to the entry.
[[nodiscard]] ExecPlugin read_exec_entry(Entry& exec);

}  // namespace ebb::kube
