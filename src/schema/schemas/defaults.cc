#include "schema/schemas/defaults.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "schema/core/json.h"
#include "schema/core/picker_rules.h"
#include "schema/schemas/schemas_volumes.h"

namespace ebb::schema {
namespace {

// Returns true if the tag is `latest`, or if there is neither a tag nor a digest. A colon before
// the last slash belongs to the port of a registry.
bool has_moving_tag(std::string_view image) {
  if (image.empty()) return false;
  const bool has_digest = image.find('@') != std::string_view::npos;
  image = image.substr(0, image.find('@'));
  const std::size_t slash = image.rfind('/');
  const std::string_view name = slash == std::string_view::npos ? image : image.substr(slash + 1);
  const std::size_t colon = name.rfind(':');
  if (colon == std::string_view::npos) return !has_digest;
  return name.substr(colon + 1) == "latest";
}

std::string_view pull_policy(std::string_view image) {
  return has_moving_tag(image) ? "Always" : "IfNotPresent";
}

void copy_text(json::object& object, std::string_view from, std::string_view to) {
  if (const std::string_view text = text_at(object, {from}); !text.empty()) {
    object[to] = std::string(text);
  }
}

bool is_type(const json::object& service_spec, std::string_view type) {
  return text_at(service_spec, {"type"}) == type;
}

// Sets absent requests to the limits.
void request_limits(json::object& container) {
  const json::object* limits = object_at(container, {"resources", "limits"});
  if (limits == nullptr || limits->empty()) return;
  const json::object wanted = *limits;
  json::object& requests = ensure_object(container, {"resources", "requests"});
  for (const json::key_value_pair& limit : wanted) {
    if (!requests.contains(limit.key())) requests.emplace(limit.key(), limit.value());
  }
}

void open_host_ports(json::object& container) {
  json::array* ports = array_at(container, {"ports"});
  if (ports == nullptr) return;
  for (json::value& value : *ports) {
    json::object* port = value.if_object();
    if (port == nullptr || integer_at(*port, {"hostPort"}).value_or(0) != 0) continue;
    if (const auto number = integer_at(*port, {"containerPort"})) (*port)["hostPort"] = *number;
  }
}

void complete_containers(json::object& pod_spec, std::string_view name) {
  json::array* containers = array_at(pod_spec, {name});
  if (containers == nullptr) return;
  const bool on_host_network = is_true_at(pod_spec, {"hostNetwork"});
  for (json::value& value : *containers) {
    json::object* container = value.if_object();
    if (container == nullptr) continue;
    request_limits(*container);
    if (on_host_network) open_host_ports(*container);
  }
}

}  // namespace

void default_image_pull_policy(json::object& container) {
  container["imagePullPolicy"] = pull_policy(text_at(container, {"image"}));
}

void default_image_volume_pull_policy(json::object& image) {
  image["pullPolicy"] = pull_policy(text_at(image, {"reference"}));
}

void default_volume_source(json::object& volume) {
  const bool has_source =
      std::any_of(volume.begin(), volume.end(), [](const json::key_value_pair& member) {
        const Field* field = kVolume.find(member.key());
        return field != nullptr && field->type == Type::kObject;
      });
  if (!has_source) volume["emptyDir"].emplace_object();
}

void default_service_account_name(json::object& pod_spec) {
  copy_text(pod_spec, "serviceAccount", "serviceAccountName");
}

void complete_pod_spec(json::object& pod_spec) {
  copy_text(pod_spec, "serviceAccountName", "serviceAccount");
}

void default_allocatable(json::object& node_status) {
  const json::object* capacity = object_at(node_status, {"capacity"});
  if (capacity == nullptr || capacity->empty()) return;
  json::object copy = *capacity;
  node_status["allocatable"] = std::move(copy);
}

void default_rolling_update(json::object& strategy) {
  if (text_at(strategy, {"type"}) == "RollingUpdate") strategy["rollingUpdate"].emplace_object();
}

void complete_service_port(json::object& service_port) {
  const json::value* target = service_port.if_contains("targetPort");
  if (target != nullptr && *target != 0 && *target != "") return;
  if (const auto port = integer_at(service_port, {"port"})) service_port["targetPort"] = *port;
}

void default_session_affinity(json::object& service_spec) {
  if (text_at(service_spec, {"sessionAffinity"}) != "ClientIP") return;
  ensure_object(service_spec, {"sessionAffinityConfig", "clientIP"});
}

void default_external_traffic(json::object& service_spec) {
  const bool reachable =
      is_type(service_spec, "NodePort") || is_type(service_spec, "LoadBalancer") ||
      (is_type(service_spec, "ClusterIP") && array_at(service_spec, {"externalIPs"}) != nullptr);
  if (reachable) service_spec["externalTrafficPolicy"] = "Cluster";
}

void default_internal_traffic(json::object& service_spec) {
  if (!is_type(service_spec, "ExternalName")) service_spec["internalTrafficPolicy"] = "Cluster";
}

void default_node_ports(json::object& service_spec) {
  if (is_type(service_spec, "LoadBalancer")) service_spec["allocateLoadBalancerNodePorts"] = true;
}

void default_http_picker_port(json::object& http) {
  http["port"] = lower_case(text_at(http, {"scheme"})) == "https" ? 443 : 80;
}

void default_grpc_picker_port(json::object& grpc) {
  grpc["port"] = is_true_at(grpc, {"tls"}) ? 443 : 80;
}

void complete_pod(json::object& pod) {
  json::object* spec = object_at(pod, {"spec"});
  if (spec == nullptr) return;
  if (!spec->contains("enableServiceLinks")) (*spec)["enableServiceLinks"] = true;
  complete_containers(*spec, "containers");
  complete_containers(*spec, "initContainers");
}

void complete_namespace(json::object& namespace_name) {
  const std::string name(text_at(namespace_name, {"metadata", "name"}));
  if (name.empty()) return;
  ensure_object(namespace_name, {"metadata", "labels"})["kubernetes.io/metadata.name"] = name;
}

}  // namespace ebb::schema
