// The columns of ReplicaSets and Deployments.
#include <fmt/format.h>

#include "schema/columns/cells.h"
#include "schema/columns/printer_columns.h"
#include "schema/core/selector_text.h"

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

json::value workload_ready_cell(const json::object& object, Timestamp /*now*/) {
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

// Kubernetes prints an absent selector of Deployments differently.
json::value deployment_selector_cell(const json::object& object, Timestamp /*now*/) {
  return json::value(selector_text(object_at(object, {"spec", "selector"})).value_or("<invalid>"));
}

constexpr PrinterColumn kContainersColumn{
    "Containers", "string", "", 1, "The names of the template's containers.", containers_cell};
constexpr PrinterColumn kImagesColumn{
    "Images", "string", "", 1, "The images of the template's containers.", images_cell};

constexpr PrinterColumn kReplicaSetColumns[] = {
    kNameColumn,
    {"Desired", "integer", "", 0, "The desired number of pods.", desired_cell},
    {"Current", "integer", "", 0, "The number of pods.", current_cell},
    {"Ready", "integer", "", 0, "The number of Ready pods.", workload_ready_cell},
    kAgeColumn,
    kContainersColumn,
    kImagesColumn,
    {"Selector", "string", "", 1, "The label selector of its pods.", replicaset_selector_cell},
};

constexpr PrinterColumn kDeploymentColumns[] = {
    kNameColumn,
    {"Ready", "string", "", 0, "The number of Ready pods and the desired number.",
     ready_of_desired_cell},
    {"Up-to-date", "string", "", 0, "The number of pods of the current template.", updated_cell},
    {"Available", "string", "", 0, "The number of available pods.", available_cell},
    kAgeColumn,
    kContainersColumn,
    kImagesColumn,
    {"Selector", "string", "", 1, "The label selector of its pods.", deployment_selector_cell},
};

constexpr PrinterColumn kScaleColumns[] = {
    kNameColumn,
    {"Desired", "integer", "", 0, "The desired number of pods.", desired_cell},
    {"Available", "integer", "", 0, "The number of pods.", current_cell},
    kAgeColumn,
};

}  // namespace

std::span<const PrinterColumn> scale_columns() { return kScaleColumns; }
std::span<const PrinterColumn> replicaset_columns() { return kReplicaSetColumns; }
std::span<const PrinterColumn> deployment_columns() { return kDeploymentColumns; }

}  // namespace ebb::schema
