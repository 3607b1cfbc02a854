#include "control/cache/list_query.h"

#include "base/check.h"
#include "model/api/requests.h"
#include "schema/core/kind.h"

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
      return schema::find_kind("ebb.dev/v1alpha1", "PodGroupCost");
    case Resource::kDecisions:
      break;
  }
  return schema::find_kind("ebb.dev/v1alpha1", "DownscaleDecision");
}

}  // namespace

std::string list_path(Resource resource) {
  const schema::Kind* kind = kind_of(resource);
  EBB_CHECK(kind != nullptr);
  return model::collection_path(*kind, "");
}

std::string_view list_accept(Resource resource, bool protobuf, bool watches) {
  // Of records nothing but their metadata is read, and a tenant decides how large they are.
  if (resource == Resource::kDecisions) {
    return watches ? "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json"
                   : "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/"
                     "json";
  }
  return protobuf ? "application/vnd.kubernetes.protobuf,application/json" : "application/json";
}

}  // namespace ebb::control
