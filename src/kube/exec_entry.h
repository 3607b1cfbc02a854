// The entry `exec` of a user in a kubeconfig.
#pragma once  // private to its room

#include "kube/cluster_access.h"
#include "kube/entry.h"

namespace ebb::kube {

// Problems are reported to the entry.
[[nodiscard]] ExecPlugin read_exec_entry(Entry& exec);

}  // namespace ebb::kube
