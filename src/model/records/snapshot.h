// The state of a cluster at one moment: every object that decisions read.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/records/node.h"
#include "model/records/pod.h"
#include "model/records/policy.h"
#include "model/records/pool.h"
#include "model/records/workload.h"

namespace ebb::model {

// An object whose state is unknown because it could not be decoded.
struct UndecodedObject {
  std::string kind;  // Pod
  // As far as they could be read.
  Interned namespace_name;
  Interned name;
  Interned uid;
  const ControllerRef* controller = nullptr;
  bool owner_known = false;  // whether `controller` is known, even if null
  std::string problem;       // names the object and the field
};

struct Snapshot {
  Pool pool;
  std::vector<Pod> pods;
  std::vector<ReplicaSet> replica_sets;
  std::vector<Deployment> deployments;
  std::vector<Node> nodes;
  std::vector<DownscalePolicy> policies;
  std::vector<PodGroupCost> pod_group_costs;
  // The number of skipped objects by kind; with the version (`apps/v1beta2 ReplicaSet`) if ebb
  // reads the kind in another version.
  std::map<std::string, std::size_t> skipped;
  // Only for objects from a cluster, where one invalid object must not hide the others.
  std::vector<UndecodedObject> undecoded;
  // Invalid values that were treated as absent: object, field, and problem.
  std::vector<std::string> remarks;
};

}  // namespace ebb::model
