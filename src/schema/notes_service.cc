// What the fields of services are for.
#include "schema/notes_text.h"

namespace ebb::schema {

constexpr std::string_view kServiceNotes = R"(
package io.k8s.api.core.v1

Service: One name and address for a set of pods.
  spec: What is wanted.
  status: What has become of it.

ServiceSpec: What is wanted of a Service.
  ports: The ports it has.
  selector: The labels of the pods behind it. None, if somebody else says where it leads.
  clusterIP: Its address within the cluster. None: it has no address, and its name leads to the pods.
  clusterIPs: All of its addresses within the cluster, one for each family.
  type: How far it can be reached: within the cluster, at a port of each node, from outside through a
    load balancer, or not at all because it is another name for something outside.
  externalIPs: Other addresses at which nodes take requests for it.
  sessionAffinity: Whether requests of one client go to the same pod.
  loadBalancerIP: The address that the load balancer should have, where that can be chosen.
  loadBalancerSourceRanges: The addresses that the load balancer takes requests from.
  externalName: The name that it stands for, for ExternalName.
  externalTrafficPolicy: Whether requests from outside go to all pods, or only to those on the node
    that they came to.
  healthCheckNodePort: The port at which nodes say whether they have such pods.
  publishNotReadyAddresses: Whether pods count that are not ready.
  sessionAffinityConfig: For how long requests of one client go to the same pod.
  ipFamilies: The families of its addresses.
  ipFamilyPolicy: Whether it wants addresses of one family or of two.
  allocateLoadBalancerNodePorts: Whether a load balancer gets ports of nodes as well.
  loadBalancerClass: Which kind of load balancer is meant.
  internalTrafficPolicy: Whether requests from within the cluster go to all pods, or only to those on
    the same node.
  trafficDistribution: Which pods are preferred, such as those in the same zone.

ServicePort: A port of a Service.
  name: Its name. If there are several ports, each has to have one.
  protocol: The protocol.
  appProtocol: The protocol that is spoken above that.
  port: The port of the Service.
  targetPort: The port of the pods, by number or name. The same number, unless it is given.
  nodePort: The port of each node that leads to it.

SessionAffinityConfig: How requests are kept together.
  clientIP: By the address of the client.

ClientIPConfig: How requests are kept together by the address of the client.
  timeoutSeconds: For how long.

ServiceStatus: What has become of a Service.
  loadBalancer: Its load balancer.
  conditions: How it is, by aspect.

LoadBalancerStatus: A load balancer.
  ingress: Where it takes requests.

LoadBalancerIngress: Where a load balancer takes requests.
  ip: Its address.
  hostname: Its name.
  ipMode: How requests come from it to the nodes: VIP or Proxy.
  ports: How its ports are.

PortStatus: How a port is.
  port: The port.
  protocol: The protocol.
  error: What is wrong with it.
)";

}  // namespace ebb::schema
