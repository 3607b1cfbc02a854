// Field docs of services.
#include "schema/fielddocs/field_docs_text.h"

namespace ebb::schema {

constexpr std::string_view kServiceFieldDocs = R"(
package io.k8s.api.core.v1

Service: One name and address for a set of pods.
  spec: The desired state.
  status: The observed state.

ServiceSpec: The desired state of a Service.
  ports: The ports of the Service.
  selector: The labels of its pods. Absent if its endpoints are managed elsewhere.
  clusterIP: The address within the cluster. None makes the Service headless: its name resolves to the
    addresses of its pods.
  clusterIPs: All addresses within the cluster, one for each IP family.
  type: How the Service is reachable: within the cluster (ClusterIP), at a port of each node (NodePort),
    through a load balancer (LoadBalancer), or as an alias of a DNS name (ExternalName).
  externalIPs: Further addresses at which nodes accept requests for the Service.
  sessionAffinity: Whether requests of one client go to the same pod.
  loadBalancerIP: The address of the load balancer, if the provider lets you choose it.
  loadBalancerSourceRanges: The client addresses that the load balancer accepts.
  externalName: The DNS name of a service of type ExternalName.
  externalTrafficPolicy: Whether external requests go to all pods (Cluster), or only to those on the
    node that received them (Local).
  healthCheckNodePort: The port at which nodes report whether they have pods of the Service.
  publishNotReadyAddresses: Whether pods that are not Ready are included.
  sessionAffinityConfig: The settings of session affinity.
  ipFamilies: The IP families of the addresses.
  ipFamilyPolicy: Whether the Service has addresses of one IP family or of two.
  allocateLoadBalancerNodePorts: Whether node ports are allocated for a load balancer.
  loadBalancerClass: The class of the load balancer.
  internalTrafficPolicy: Whether requests from within the cluster go to all pods (Cluster), or only to
    those on the same node (Local).
  trafficDistribution: The pods that are preferred, such as those in the same zone.

ServicePort: A port of a Service.
  name: The name of the port. Required if there are several ports.
  protocol: The transport protocol.
  appProtocol: The application protocol.
  port: The port of the Service.
  targetPort: The port of the pods, by number or name; by default the same number.
  nodePort: The port of each node that forwards to the Service.

SessionAffinityConfig: The settings of session affinity.
  clientIP: The settings of affinity by client address.

ClientIPConfig: The settings of affinity by client address.
  timeoutSeconds: How long a client keeps its pod.

ServiceStatus: The observed state of a Service.
  loadBalancer: The status of the load balancer.
  conditions: The conditions of the Service.

LoadBalancerStatus: The status of a load balancer.
  ingress: The addresses of the load balancer.

LoadBalancerIngress: An address of a load balancer.
  ip: The IP address.
  hostname: The host name.
  ipMode: How traffic reaches the nodes: VIP or Proxy.
  ports: The status of the ports.

PortStatus: The status of a port.
  port: The port number.
  protocol: The protocol.
  error: The error of the port, if any.
)";

}  // namespace ebb::schema
