#include "control/deployment/new_replica_set.h"

#include <boost/json/array.hpp>

#include "control/core/owner_patches.h"
#include "control/deployment/deployment_annotations.h"
#include "control/deployment/deployment_sizes.h"
#include "control/deployment/template_identity.h"
#include "schema/core/json.h"

namespace ebb::control::deployments {

namespace json = boost::json;

void complete_type(json::object& object, std::string_view kind) {
  object["apiVersion"] = "apps/v1";
  object["kind"] = kind;
}

json::object make_new_set(const Snapshot& snapshot, bool with_picker) {
  const DeploymentView& deployment = snapshot.deployment;
  const json::object& wanted = *schema::object_at(deployment.object, {"spec"});
  json::object pod_template;
  if (const json::object* given = schema::object_at(wanted, {"template"})) pod_template = *given;
  const std::string hash = template_hash(pod_template, deployment.collision_count);
  schema::ensure_object(pod_template, {"metadata", "labels"})[kTemplateHashLabel] = hash;

  json::object selector;
  if (const json::object* given = schema::object_at(wanted, {"selector"})) selector = *given;
  schema::ensure_object(selector, {"matchLabels"})[kTemplateHashLabel] = hash;

  const Owner owner{schema::find_kind("apps/v1", "Deployment"), deployment.key.name,
                    deployment.uid};
  json::object set;
  complete_type(set, "ReplicaSet");
  set["metadata"] = {{"name", replica_set_name(deployment.key.name, hash)},
                     {"namespace", deployment.key.namespace_name},
                     {"labels", *schema::object_at(pod_template, {"metadata", "labels"})},
                     {"ownerReferences", json::array{controller_reference(owner)}}};
  json::object& spec = schema::ensure_object(set, {"spec"});
  spec["replicas"] = new_set_size(snapshot, 0);
  if (deployment.min_ready_seconds != 0) spec["minReadySeconds"] = deployment.min_ready_seconds;
  spec["selector"] = std::move(selector);
  spec["template"] = std::move(pod_template);
  const json::value* picker = wanted.if_contains("downscalePodPicker");
  if (with_picker && picker != nullptr && picker->is_object()) spec["downscalePodPicker"] = *picker;

  annotate_new_set(deployment.object, next_revision(old_sets(snapshot, nullptr)), set);
  stamp_sizes(deployment, set);
  return set;
}

}  // namespace ebb::control::deployments
