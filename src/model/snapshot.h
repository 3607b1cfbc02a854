// What is known of a cluster at one moment: every object that decisions read.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/node.h"
#include "model/pod.h"
#include "model/policy.h"
#include "model/pool.h"
#include "model/workload.h"

namespace ebb::model {

struct Snapshot {
  Pool pool;
  std::vector<Pod> pods;
  std::vector<ReplicaSet> replica_sets;
  std::vector<Deployment> deployments;
  std::vector<Node> nodes;
  std::vector<DownscalePolicy> policies;
  std::vector<PodGroupCost> pod_group_costs;
  // Kinds that were skipped, and how many there were; with the version (`apps/v1beta2
  // ReplicaSet`) if the kind is read in another one.
  std::map<std::string, std::size_t> skipped;
};

}  // namespace ebb::model
