#include "control/deployment/deployment_claim.h"

#include "model/records/ownership.h"

namespace ebb::control::deployments {

bool selects(const Deployment& deployment, const ReplicaSet& set) {
  return set.labels != nullptr && deployment.selector.matches(*set.labels);
}

SetClaim claim_sets(const Store& store, const Deployment& deployment) {
  SetClaim claim;
  for (const ReplicaSet* set : store.replica_sets_in(deployment.namespace_name.view())) {
    ++claim.examined;
    const bool orphan = set->controller == nullptr;
    if (!orphan && !model::controls(deployment, *set)) continue;
    const bool selected = selects(deployment, *set);
    if (!orphan && selected) {
      claim.kept.push_back(set);
    } else if (orphan == selected && !deployment.deleting && !(orphan && set->deleting) &&
               claim.patches.size() < kMaxPatches) {
      claim.patches.push_back(
          {std::string(set->name.view()), std::string(set->uid.view()), orphan});
    }
  }
  return claim;
}

}  // namespace ebb::control::deployments
