#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "schema/columns/cells.h"
#include "schema/columns/printer_columns.h"

namespace ebb::schema {
namespace {

json::value node_status_cell(const json::object& node, Timestamp /*now*/) {
  const std::string_view ready = condition_status(node, "Ready");
  std::string text = ready.empty() ? "Unknown" : ready == "True" ? "Ready" : "NotReady";
  if (is_true_at(node, {"spec", "unschedulable"})) text += ",SchedulingDisabled";
  return json::value(text);
}

// From the labels node-role.kubernetes.io/ROLE and the older kubernetes.io/role=ROLE.
json::value roles_cell(const json::object& node, Timestamp /*now*/) {
  constexpr std::string_view kPrefix = "node-role.kubernetes.io/";
  std::set<std::string_view> roles;
  if (const json::object* labels = object_at(node, {"metadata", "labels"})) {
    for (const auto& label : *labels) {
      const std::string_view key = label.key();
      if (key.starts_with(kPrefix)) roles.insert(key.substr(kPrefix.size()));
      if (key == "kubernetes.io/role" && label.value().is_string()) {
        roles.insert(label.value().get_string());
      }
    }
  }
  roles.erase("");
  if (roles.empty()) return json::value(kNone);
  return json::value(fmt::format("{}", fmt::join(roles, ",")));
}

std::string_view info(const json::object& node, std::string_view field) {
  return text_at(node, {"status", "nodeInfo", field});
}

json::value version_cell(const json::object& node, Timestamp /*now*/) {
  return json::value(info(node, "kubeletVersion"));
}

json::value address(const json::object& node, std::string_view type) {
  if (const json::array* addresses = array_at(node, {"status", "addresses"})) {
    for (const json::value& one : *addresses) {
      const json::object* entry = one.if_object();
      if (entry != nullptr && text_at(*entry, {"type"}) == type) {
        return json::value(text_at(*entry, {"address"}));
      }
    }
  }
  return json::value(kNone);
}

json::value internal_ip_cell(const json::object& node, Timestamp /*now*/) {
  return address(node, "InternalIP");
}

json::value external_ip_cell(const json::object& node, Timestamp /*now*/) {
  return address(node, "ExternalIP");
}

json::value os_image_cell(const json::object& node, Timestamp /*now*/) {
  return json::value(or_else(info(node, "osImage"), kUnknown));
}

json::value kernel_cell(const json::object& node, Timestamp /*now*/) {
  std::string text(or_else(info(node, "kernelVersion"), kUnknown));
  const std::string_view architecture = info(node, "architecture");
  if (!architecture.empty()) text += fmt::format(" ({})", architecture);
  return json::value(text);
}

json::value runtime_cell(const json::object& node, Timestamp /*now*/) {
  return json::value(or_else(info(node, "containerRuntimeVersion"), kUnknown));
}

constexpr PrinterColumn kNodeColumns[] = {
    kNameColumn,
    {"Status", "string", "", 0, "Whether the node is Ready and schedulable.", node_status_cell},
    {"Roles", "string", "", 0, "The roles in the node's labels.", roles_cell},
    kAgeColumn,
    {"Version", "string", "", 0, "The version of the kubelet.", version_cell},
    {"Internal-IP", "string", "", 1, "The first internal address.", internal_ip_cell},
    {"External-IP", "string", "", 1, "The first external address.", external_ip_cell},
    {"OS-Image", "string", "", 1, "The operating system.", os_image_cell},
    {"Kernel-Version", "string", "", 1, "The kernel and architecture.", kernel_cell},
    {"Container-Runtime", "string", "", 1, "The container runtime.", runtime_cell},
};

}  // namespace

std::span<const PrinterColumn> node_columns() { return kNodeColumns; }

}  // namespace ebb::schema
