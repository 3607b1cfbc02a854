// Reading from a live cluster what `ebb plan` reads from files otherwise.
#pragma once

#include "base/result.h"
#include "cli/command.h"
#include "kube/client.h"
#include "model/snapshot.h"
#include "plan/plan.h"

namespace ebb::cli {

// Finds the target's namespace, if it may be in any: the one that has a workload of that name.
[[nodiscard]] Result<std::string> find_namespace(kube::Client& client, const plan::Request& request,
                                                 const Streams& streams);

// Everything in the target's namespace that the order looks at, and the nodes; pods of all
// namespaces, if a policy ranks by them. What the cluster does not have, or does not show, is left
// out; only workloads and the namespace's pods must be readable.
// Both say on `streams.err` how far they got if that takes longer than two seconds.
[[nodiscard]] Result<model::Snapshot> read_live(kube::Client& client, const plan::Request& request,
                                                const Streams& streams);

}  // namespace ebb::cli
