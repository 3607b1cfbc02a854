// Defaults that depend on other fields. Each fills in one field of the structure it is given;
// the table says which one, and that it is absent.
#pragma once

#include <boost/json/object.hpp>

namespace ebb::schema {

// imagePullPolicy of a container and pullPolicy of an image volume: Always for a tag that moves.
void default_image_pull_policy(boost::json::object& container);
void default_image_volume_pull_policy(boost::json::object& image);

// emptyDir, for a volume without any source.
void default_volume_source(boost::json::object& volume);

// The service account of a pod has an old name and a new one: the old one counts where there is no
// new one, and follows it.
void default_service_account_name(boost::json::object& pod_spec);
void complete_pod_spec(boost::json::object& pod_spec);

// allocatable of a node: its capacity.
void default_allocatable(boost::json::object& node_status);

// rollingUpdate, for the strategy that has one.
void default_rolling_update(boost::json::object& strategy);

// Fields of services that depend on the type, and targetPort of their ports: 0 is no port.
void complete_service_port(boost::json::object& service_port);
void default_session_affinity(boost::json::object& service_spec);
void default_external_traffic(boost::json::object& service_spec);
void default_internal_traffic(boost::json::object& service_spec);
void default_node_ports(boost::json::object& service_spec);

// port of a pod picker, by scheme or tls.
void default_http_picker_port(boost::json::object& http);
void default_grpc_picker_port(boost::json::object& grpc);

// What holds for a Pod but not for the template of a workload: requests follow limits,
// service links are on, and ports of pods on the host's network are host ports.
void complete_pod(boost::json::object& pod);

// A namespace carries its name as a label.
void complete_namespace(boost::json::object& name_space);

}  // namespace ebb::schema
