// Reads a snapshot for `ebb plan` from a live cluster.
#pragma once  // private to its room

#include "base/result.h"
#include "cli/common/command.h"
#include "kube/client.h"
#include "model/records/snapshot.h"
#include "plan/plan.h"

namespace ebb::cli {

// Finds the only namespace that has a workload with the target's name.
[[nodiscard]] Result<std::string> find_namespace(kube::Client& client, const plan::Request& request,
                                                 const Streams& streams);

// Reads everything in the target's namespace that the order depends on, and the nodes; also pods of
// all namespaces, if a policy ranks by them. Objects that the cluster lacks or does not permit to
// read are left out; only workloads and the namespace's pods must be readable. Both functions
// report progress on `streams.err` after two seconds.
[[nodiscard]] Result<model::Snapshot> read_live(kube::Client& client, const plan::Request& request,
                                                const Streams& streams);

}  // namespace ebb::cli
