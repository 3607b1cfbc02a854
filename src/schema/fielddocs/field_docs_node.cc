// Field docs of nodes.
#include "schema/fielddocs/field_docs_text.h"

namespace ebb::schema {

constexpr std::string_view kNodeFieldDocs = R"(
package io.k8s.api.core.v1

Node: A machine that runs pods.
  spec: The desired state.
  status: The observed state.

NodeSpec: The desired state of a node.
  podCIDR: The address range of its pods.
  podCIDRs: All address ranges of its pods, one for each IP family.
  providerID: The id of the machine at its cloud provider.
  unschedulable: Whether the node is cordoned: the scheduler places no new pods on it.
  taints: The taints of the node, which repel pods that do not tolerate them.
  configSource: No longer used.
  externalID: No longer used.

NodeConfigSource: The source of a kubelet's configuration. No longer used.
  configMap: A ConfigMap.

ConfigMapNodeConfigSource: A ConfigMap with the configuration of a kubelet. No longer used.
  namespace: The namespace of the ConfigMap.
  name: The name of the ConfigMap.
  uid: The uid of the ConfigMap.
  resourceVersion: The revision of the ConfigMap.
  kubeletConfigKey: The key of the configuration in the ConfigMap.

NodeStatus: The observed state of a node.
  capacity: The total resources of the node.
  allocatable: The resources that are available to pods.
  phase: No longer used.
  conditions: The conditions Ready, MemoryPressure and others.
  addresses: The addresses and host names of the node.
  daemonEndpoints: The ports of daemons on the node.
  nodeInfo: The ids and software versions of the node.
  images: The images that the node has.
  volumesInUse: The volumes that pods on the node use.
  volumesAttached: The volumes that are attached to the node.
  config: The source of the kubelet's configuration. No longer used.
  runtimeHandlers: The handlers of the container runtime.
  features: The features of the container runtime.
  declaredFeatures: The features that the kubelet declares.

NodeCondition: One aspect of the state of a node.
  type: The aspect that the condition describes.
  status: True, False or Unknown.
  lastHeartbeatTime: When the condition was last checked.
  lastTransitionTime: When the status last changed.
  reason: The reason for the status, in one word.
  message: The reason for the status, in a sentence.

NodeAddress: An address or name of a node.
  type: Hostname, InternalIP, ExternalIP, InternalDNS or ExternalDNS.
  address: The address or name.

NodeDaemonEndpoints: The ports of daemons on a node.
  kubeletEndpoint: The port of the kubelet.

DaemonEndpoint: The port of a daemon.
  Port: The port number.

NodeSystemInfo: The ids and software versions of a node.
  machineID: The id of the machine, from /etc/machine-id.
  systemUUID: The id of the machine, from its hardware.
  bootID: The id of the current boot.
  kernelVersion: The version of the kernel.
  osImage: The name and version of the operating system.
  containerRuntimeVersion: The name and version of the container runtime.
  kubeletVersion: The version of the kubelet.
  kubeProxyVersion: No longer used.
  operatingSystem: linux or windows.
  architecture: The CPU architecture, such as amd64.
  swap: The swap of the node.

NodeSwapStatus: The swap of a node.
  capacity: The size in bytes.

ContainerImage: An image on a node.
  names: The names of the image.
  sizeBytes: The size of the image.

AttachedVolume: A volume that is attached to a node.
  name: The name of the volume.
  devicePath: The path of its device.

NodeConfigStatus: The status of a kubelet's configuration. No longer used.
  assigned: The configuration that the kubelet should use.
  active: The configuration that the kubelet uses.
  lastKnownGood: The configuration that the kubelet falls back to.
  error: The error in the configuration.

NodeRuntimeHandler: A handler of the container runtime.
  name: The name of the handler. Empty for the default handler.
  features: The features of the handler.

NodeRuntimeHandlerFeatures: The features of a handler of the container runtime.
  recursiveReadOnlyMounts: Whether it supports recursive read-only mounts.
  userNamespaces: Whether it supports user namespaces.

NodeFeatures: The features of a node's container runtime.
  supplementalGroupsPolicy: Whether it supports supplementalGroupsPolicy.
)";

}  // namespace ebb::schema
