// Defaults that depend on other fields. Each function sets one field of the given structure; the
// table says which one, and calls it only if the field is absent.
#pragma once  // private to its room

#include <boost/json/object.hpp>

namespace ebb::schema {

// imagePullPolicy of a container and pullPolicy of an image volume: Always for a moving tag.
void default_image_pull_policy(boost::json::object& container);
void default_image_volume_pull_policy(boost::json::object& image);

// emptyDir, for a volume without any source.
void default_volume_source(boost::json::object& volume);

// The service account of a pod has an old and a new name: the old one is used if the new one is
// absent, and otherwise follows it.
void default_service_account_name(boost::json::object& pod_spec);
void complete_pod_spec(boost::json::object& pod_spec);

// allocatable of a node: its capacity.
void default_allocatable(boost::json::object& node_status);

// rollingUpdate, for strategies of that type.
void default_rolling_update(boost::json::object& strategy);

// Fields of services that depend on the type, and targetPort of their ports, for which 0 means
// absent.
void complete_service_port(boost::json::object& service_port);
void default_session_affinity(boost::json::object& service_spec);
void default_external_traffic(boost::json::object& service_spec);
void default_internal_traffic(boost::json::object& service_spec);
void default_node_ports(boost::json::object& service_spec);

// port of a pod picker, by scheme or tls.
void default_http_picker_port(boost::json::object& http);
void default_grpc_picker_port(boost::json::object& grpc);

// Defaults of a Pod that do not apply to the template of a workload: requests follow limits,
// service links are on, and ports of pods on the host's network are host ports.
void complete_pod(boost::json::object& pod);

// Adds the label with the namespace's name.
void complete_namespace(boost::json::object& namespace_name);

}  // namespace ebb::schema
