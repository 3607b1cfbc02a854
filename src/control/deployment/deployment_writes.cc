#include "control/deployment/deployment_writes.h"

#include <fmt/format.h>

#include "control/deployment/deployment_annotations.h"
#include "control/deployment/new_replica_set.h"
#include "model/api/requests.h"
#include "schema/core/json.h"

namespace ebb::control::deployments {
namespace {

namespace json = boost::json;

const schema::Kind& set_kind() {
  static const schema::Kind* const kKind = schema::find_kind("apps/v1", "ReplicaSet");
  return *kKind;
}
const schema::Kind& deployment_kind() {
  static const schema::Kind* const kKind = schema::find_kind("apps/v1", "Deployment");
  return *kKind;
}

std::string set_path(const DeploymentView& deployment, const std::string& name) {
  return model::object_path(set_kind(), {deployment.key.namespace_name, name});
}

Notice scaled(std::string_view set, std::int64_t from, std::int64_t to) {
  return {.reason = "ScalingReplicaSet",
          .message = fmt::format("Scaled {} replica set {} from {} to {}",
                                 to > from ? "up" : "down", set, from, to)};
}

}  // namespace

Write create_set(const DeploymentView& deployment, const json::object& set) {
  Write write{.what = Write::What::kCreateSet,
              .name = std::string(schema::text_at(set, {"metadata", "name"})),
              .request = model::create_request(
                  model::collection_path(set_kind(), deployment.key.namespace_name), set)};
  const std::int64_t replicas = schema::integer_at(set, {"spec", "replicas"}).value_or(0);
  if (replicas > 0) write.once_done = scaled(write.name, 0, replicas);
  return write;
}

Write replace_set(const DeploymentView& deployment, const SetView& set, json::object changed) {
  complete_type(changed, "ReplicaSet");
  return {.what = Write::What::kReplaceSet,
          .name = set.name,
          .request = model::replace_request(set_path(deployment, set.name), changed)};
}

Write resize_set(const DeploymentView& deployment, const SetView& set, std::int64_t replicas) {
  json::object changed = set.object;
  schema::ensure_object(changed, {"spec"})["replicas"] = replicas;
  stamp_sizes(deployment, changed);
  Write write = replace_set(deployment, set, std::move(changed));
  if (replicas != set.replicas) write.once_done = scaled(set.name, set.replicas, replicas);
  return write;
}

Write delete_set(const DeploymentView& deployment, const SetView& set) {
  return {
      .what = Write::What::kDeleteSet,
      .name = set.name,
      .request = model::delete_request(set_path(deployment, set.name),
                                       {.uid = set.uid, .resource_version = set.resource_version})};
}

Write replace_deployment(const DeploymentView& deployment, json::object changed) {
  complete_type(changed, "Deployment");
  return {.what = Write::What::kReplaceDeployment,
          .request = model::replace_request(model::object_path(deployment_kind(), deployment.key),
                                            changed)};
}

Write write_status(const DeploymentView& deployment, json::object status,
                   std::string_view revision) {
  json::object changed = deployment.object;
  complete_type(changed, "Deployment");
  changed["status"] = std::move(status);
  if (!revision.empty()) {
    schema::ensure_object(changed, {"metadata", "annotations"})[kRevision] = revision;
  }
  return {.what = Write::What::kReplaceDeployment,
          .request = model::replace_request(
              model::object_path(deployment_kind(), deployment.key, "status"), changed)};
}

}  // namespace ebb::control::deployments
