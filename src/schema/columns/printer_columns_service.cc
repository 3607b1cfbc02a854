#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "schema/columns/cells.h"
#include "schema/columns/printer_columns.h"
#include "schema/core/selector_text.h"

namespace ebb::schema {
namespace {

json::value service_type_cell(const json::object& service, Timestamp /*now*/) {
  return json::value(text_at(service, {"spec", "type"}));
}

json::value cluster_ip_cell(const json::object& service, Timestamp /*now*/) {
  const json::array* ips = array_at(service, {"spec", "clusterIPs"});
  if (ips != nullptr && !ips->empty() && ips->front().is_string()) return ips->front();
  return json::value(or_else(text_at(service, {"spec", "clusterIP"}), kNone));
}

// The addresses of a load balancer, in order.
std::set<std::string_view> balancer_addresses(const json::object& service) {
  std::set<std::string_view> addresses;
  if (const json::array* list = array_at(service, {"status", "loadBalancer", "ingress"})) {
    for (const json::value& one : *list) {
      if (const json::object* ingress = one.if_object()) {
        addresses.insert(or_else(text_at(*ingress, {"ip"}), text_at(*ingress, {"hostname"})));
      }
    }
  }
  addresses.erase("");
  return addresses;
}

json::value load_balancer_cell(const json::object& service, Timestamp /*now*/) {
  const std::string_view type = text_at(service, {"spec", "type"});
  if (type == "ExternalName") return json::value(text_at(service, {"spec", "externalName"}));
  const bool balanced = type == "LoadBalancer";
  if (!balanced && type != "ClusterIP" && type != "NodePort") return json::value(kUnknown);

  std::vector<std::string_view> addresses;
  if (balanced) {
    const auto given = balancer_addresses(service);
    addresses.assign(given.begin(), given.end());
  }
  if (const json::array* external = array_at(service, {"spec", "externalIPs"})) {
    for (const json::value& one : *external) {
      if (one.is_string()) addresses.emplace_back(one.get_string());
    }
  }
  if (addresses.empty()) return json::value(balanced ? "<pending>" : kNone);
  return json::value(fmt::format("{}", fmt::join(addresses, ",")));
}

// 80/TCP,443:30443/TCP
json::value ports_cell(const json::object& service, Timestamp /*now*/) {
  const json::array* ports = array_at(service, {"spec", "ports"});
  if (ports == nullptr || ports->empty()) return json::value(kNone);
  std::vector<std::string> texts;
  for (const json::value& one : *ports) {
    const json::object* port = one.if_object();
    if (port == nullptr) continue;
    const std::int64_t number = integer_at(*port, {"port"}).value_or(0);
    const std::int64_t on_node = integer_at(*port, {"nodePort"}).value_or(0);
    const std::string_view protocol = text_at(*port, {"protocol"});
    texts.push_back(on_node > 0 ? fmt::format("{}:{}/{}", number, on_node, protocol)
                                : fmt::format("{}/{}", number, protocol));
  }
  return json::value(fmt::format("{}", fmt::join(texts, ",")));
}

json::value selector_cell(const json::object& service, Timestamp /*now*/) {
  return json::value(printed_labels(object_at(service, {"spec", "selector"})));
}

constexpr PrinterColumn kServiceColumns[] = {
    kNameColumn,
    {"Type", "string", "", 0, "The type of the Service.", service_type_cell},
    {"Cluster-IP", "string", "", 0, "The address within the cluster.", cluster_ip_cell},
    {"External-IP", "string", "", 0, "The external addresses.", load_balancer_cell},
    {"Port(s)", "string", "", 0, "The ports and protocols.", ports_cell},
    kAgeColumn,
    {"Selector", "string", "", 1, "The label selector of its pods.", selector_cell},
};

}  // namespace

std::span<const PrinterColumn> service_columns() { return kServiceColumns; }

}  // namespace ebb::schema
