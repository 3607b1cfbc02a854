#include "control/list_query.h"

#include "base/check.h"
#include "model/requests.h"
#include "schema/kind.h"

namespace ebb::control {
namespace {

const schema::Kind* kind_of(Resource resource) {
  switch (resource) {
    case Resource::kPods:
      return schema::find_kind("v1", "Pod");
    case Resource::kReplicaSets:
      return schema::find_kind("apps/v1", "ReplicaSet");
    case Resource::kDeployments:
      return schema::find_kind("apps/v1", "Deployment");
    case Resource::kPolicies:
      return schema::find_kind("ebb.dev/v1alpha1", "DownscalePolicy");
    case Resource::kNodes:
      return schema::find_kind("v1", "Node");
    case Resource::kGroupCosts:
      break;
  }
  return schema::find_kind("ebb.dev/v1alpha1", "PodGroupCost");
}

}  // namespace

std::string list_path(Resource resource) {
  const schema::Kind* kind = kind_of(resource);
  EBB_CHECK(kind != nullptr);
  return model::collection_path(*kind, "");
}

std::string_view list_accept(bool protobuf) {
  return protobuf ? "application/vnd.kubernetes.protobuf,application/json" : "application/json";
}

}  // namespace ebb::control
