// Resolves the address of a webhook that is given as a service: the cluster IP, or the external
// name if the service is of type ExternalName, as in Kubernetes. This cluster does not allocate
// cluster IPs, so a service is reachable only by external name or by an IP that the user set.
#include "apiserver/admission/webhook_endpoint.h"

#include <algorithm>

#include <fmt/format.h>

#include "schema/core/json.h"

namespace ebb::apiserver {

namespace json = boost::json;
using schema::text_at;

namespace {

bool has_port(const json::object& service, std::int64_t port) {
  const json::array* ports = schema::array_at(service, {"spec", "ports"});
  return ports != nullptr && std::any_of(ports->begin(), ports->end(), [&](const json::value& one) {
           return one.is_object() && schema::integer_at(one.get_object(), {"port"}) == port;
         });
}

void find_address(const json::object& service, std::string_view name, std::int64_t port,
                  WebhookEndpoint& place) {
  if (text_at(service, {"spec", "type"}) == "ExternalName") {
    place.address = text_at(service, {"spec", "externalName"});
    return;
  }
  const std::string_view cluster_ip = text_at(service, {"spec", "clusterIP"});
  if (!has_port(service, port)) {
    place.problem = fmt::format("no service port {} found for service \"{}\"", port, name);
  } else if (cluster_ip == "None") {
    place.problem = "service type cannot be ClusterIP with None";
  } else if (cluster_ip.empty()) {
    place.problem = fmt::format(
        "service \"{}\" has no clusterIP, and this cluster assigns none: set one, make it of type "
        "ExternalName, or give the webhook a url",
        name);
  } else {
    place.address = cluster_ip;
  }
}

}  // namespace

WebhookEndpoint endpoint_of(const Webhook& webhook, const Store& store) {
  WebhookEndpoint place;
  std::string base = webhook.url;
  if (base.empty()) {
    const std::string_view namespace_name = text_at(webhook.service, {"namespace"});
    const std::string_view name = text_at(webhook.service, {"name"});
    const std::int64_t port = schema::integer_at(webhook.service, {"port"}).value_or(443);
    const std::string_view path = text_at(webhook.service, {"path"});
    base = fmt::format("https://{}.{}.svc:{}{}{}", name, namespace_name, port,
                       path.starts_with('/') ? "" : "/", path);
    const ObjectPtr service =
        store.find(*schema::find_kind("", "v1", "services"), namespace_name, name);
    if (service == nullptr) {
      place.problem = fmt::format("service \"{}\" not found", name);
    } else {
      find_address(service->draft(), name, port, place);
    }
  }
  place.url = fmt::format("{}?timeout={}s", base, webhook.timeout_seconds);
  return place;
}

}  // namespace ebb::apiserver
