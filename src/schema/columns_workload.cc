// ReplicaSets and Deployments.
#include <fmt/format.h>

#include "schema/cells.h"
#include "schema/columns.h"
#include "schema/selector_text.h"

namespace ebb::schema {
namespace {

std::int64_t count(const json::object& object, Path path) {
  return integer_at(object, path).value_or(0);
}

json::value desired_cell(const json::object& object, Timestamp /*now*/) {
  return count(object, {"spec", "replicas"});
}

json::value current_cell(const json::object& object, Timestamp /*now*/) {
  return count(object, {"status", "replicas"});
}

json::value ready_cell(const json::object& object, Timestamp /*now*/) {
  return count(object, {"status", "readyReplicas"});
}

json::value ready_of_desired_cell(const json::object& object, Timestamp /*now*/) {
  return json::value(fmt::format("{}/{}", count(object, {"status", "readyReplicas"}),
                                 count(object, {"spec", "replicas"})));
}

json::value updated_cell(const json::object& object, Timestamp /*now*/) {
  return count(object, {"status", "updatedReplicas"});
}

json::value available_cell(const json::object& object, Timestamp /*now*/) {
  return count(object, {"status", "availableReplicas"});
}

const json::array* containers(const json::object& object) {
  return array_at(object, {"spec", "template", "spec", "containers"});
}

json::value containers_cell(const json::object& object, Timestamp /*now*/) {
  return json::value(joined_texts(containers(object), "name"));
}

json::value images_cell(const json::object& object, Timestamp /*now*/) {
  return json::value(joined_texts(containers(object), "image"));
}

json::value replicaset_selector_cell(const json::object& object, Timestamp /*now*/) {
  return json::value(printed_selector(object_at(object, {"spec", "selector"})));
}

// Kubernetes prints those of Deployments in a way of their own where there is none.
json::value deployment_selector_cell(const json::object& object, Timestamp /*now*/) {
  return json::value(selector_text(object_at(object, {"spec", "selector"})).value_or("<invalid>"));
}

constexpr Column kContainersColumn{
    "Containers", "string", "", 1, "The names of the template's containers.", containers_cell};
constexpr Column kImagesColumn{
    "Images", "string", "", 1, "The images of the template's containers.", images_cell};

constexpr Column kReplicaSetColumns[] = {
    kNameColumn,
    {"Desired", "integer", "", 0, "How many pods there should be.", desired_cell},
    {"Current", "integer", "", 0, "How many pods there are.", current_cell},
    {"Ready", "integer", "", 0, "How many pods are ready.", ready_cell},
    kAgeColumn,
    kContainersColumn,
    kImagesColumn,
    {"Selector", "string", "", 1, "Which pods are meant.", replicaset_selector_cell},
};

constexpr Column kDeploymentColumns[] = {
    kNameColumn,
    {"Ready", "string", "", 0, "Pods that are ready, of all that should be.",
     ready_of_desired_cell},
    {"Up-to-date", "string", "", 0, "How many pods follow the current template.", updated_cell},
    {"Available", "string", "", 0, "How many pods have been ready long enough.", available_cell},
    kAgeColumn,
    kContainersColumn,
    kImagesColumn,
    {"Selector", "string", "", 1, "Which pods are meant.", deployment_selector_cell},
};

constexpr Column kScaleColumns[] = {
    kNameColumn,
    {"Desired", "integer", "", 0, "How many pods there should be.", desired_cell},
    {"Available", "integer", "", 0, "How many pods there are.", current_cell},
    kAgeColumn,
};

}  // namespace

std::span<const Column> scale_columns() { return kScaleColumns; }
std::span<const Column> replicaset_columns() { return kReplicaSetColumns; }
std::span<const Column> deployment_columns() { return kDeploymentColumns; }

}  // namespace ebb::schema
