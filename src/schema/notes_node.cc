// What the fields of nodes are for.
#include "schema/notes_text.h"

namespace ebb::schema {

constexpr std::string_view kNodeNotes = R"(
package io.k8s.api.core.v1

Node: A machine that pods run on.
  spec: What is wanted.
  status: What has been seen of it.

NodeSpec: What is wanted of a node.
  podCIDR: The range of addresses that its pods have.
  podCIDRs: All ranges of addresses that its pods have, one for each family.
  providerID: What the provider of the machine calls it.
  unschedulable: Whether no new pods are placed on it.
  taints: What keeps pods away that do not tolerate it.
  configSource: Not used any more.
  externalID: Not used any more.

NodeConfigSource: Where a kubelet had its settings from. Not used any more.
  configMap: A ConfigMap.

ConfigMapNodeConfigSource: A ConfigMap with the settings of a kubelet. Not used any more.
  namespace: Its namespace.
  name: Its name.
  uid: Its uid.
  resourceVersion: Its revision.
  kubeletConfigKey: The key of the settings in it.

NodeStatus: What has been seen of a node.
  capacity: What it has, by resource.
  allocatable: What pods can have of that.
  phase: Not used any more.
  conditions: How it is, by aspect: Ready, MemoryPressure and others.
  addresses: Its addresses and names.
  daemonEndpoints: Where programs on it listen.
  nodeInfo: What it runs.
  images: Images that it has already.
  volumesInUse: Volumes that its pods use.
  volumesAttached: Volumes that are attached to it.
  config: Where its kubelet had its settings from. Not used any more.
  runtimeHandlers: The ways in which it can run containers.
  features: What its container runtime is capable of.
  declaredFeatures: Features of its kubelet that others may need to know of.

NodeCondition: One aspect of how a node is.
  type: Which aspect.
  status: True, False or Unknown.
  lastHeartbeatTime: When it was last looked at.
  lastTransitionTime: When the status last changed.
  reason: Why, in one word.
  message: Why, in a sentence.

NodeAddress: An address or name of a node.
  type: What kind it is: Hostname, InternalIP, ExternalIP, InternalDNS or ExternalDNS.
  address: The address or name.

NodeDaemonEndpoints: Where programs on a node listen.
  kubeletEndpoint: The kubelet.

DaemonEndpoint: Where a program listens.
  Port: The port.

NodeSystemInfo: What a node runs.
  machineID: The number of the machine, from its file machine-id.
  systemUUID: The number of the machine, from its hardware.
  bootID: The number of its present boot.
  kernelVersion: The version of its kernel.
  osImage: The name of its operating system and its version.
  containerRuntimeVersion: The name of its container runtime and its version.
  kubeletVersion: The version of its kubelet.
  kubeProxyVersion: Not used any more.
  operatingSystem: linux or windows.
  architecture: Its architecture, such as amd64.
  swap: Its swap.

NodeSwapStatus: The swap of a node.
  capacity: How many bytes there are.

ContainerImage: An image on a node.
  names: The names it is known by.
  sizeBytes: How large it is.

AttachedVolume: A volume that is attached to a node.
  name: Its name.
  devicePath: Where its device is.

NodeConfigStatus: Where a kubelet had its settings from. Not used any more.
  assigned: Those that it should use.
  active: Those that it uses.
  lastKnownGood: Those that it goes back to.
  error: What was wrong with them.

NodeRuntimeHandler: A way in which a node can run containers.
  name: Its name. The usual one has none.
  features: What it is capable of.

NodeRuntimeHandlerFeatures: What a way to run containers is capable of.
  recursiveReadOnlyMounts: Whether mounts below a read-only one can be read-only, too.
  userNamespaces: Whether pods can have users of their own.

NodeFeatures: What the container runtime of a node is capable of.
  supplementalGroupsPolicy: Whether it respects supplementalGroupsPolicy.
)";

}  // namespace ebb::schema
