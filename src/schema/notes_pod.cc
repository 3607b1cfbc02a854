// What the fields of pods as they are wanted are for.
#include "schema/notes_text.h"

namespace ebb::schema {

constexpr std::string_view kPodNotes = R"(
package io.k8s.api.core.v1

Pod: Containers that run together on one node.
  spec: What is wanted.
  status: What has been seen of it.

PodTemplateSpec: What new pods of a workload look like.
  spec: What is wanted of them.

PodSpec: What is wanted of a pod.
  volumes: Volumes that its containers can mount.
  initContainers: Containers that run one after the other before the rest, each to its end.
  containers: Its containers. There has to be one at least.
  ephemeralContainers: Containers that were added while it runs, to look for a fault.
  restartPolicy: When its containers are started again.
  terminationGracePeriodSeconds: How long its containers are given to end before they are killed.
  activeDeadlineSeconds: How long it may run, counted from its start on a node.
  dnsPolicy: Where its containers look up names.
  nodeSelector: Labels that a node must have for the pod to run there.
  serviceAccountName: The ServiceAccount that it runs as.
  serviceAccount: An older name for serviceAccountName.
  automountServiceAccountToken: Whether its containers get the token of the ServiceAccount.
  nodeName: The node it runs on. The scheduler fills it in.
  hostNetwork: Whether it uses the network of the node.
  hostPID: Whether it sees the processes of the node.
  hostIPC: Whether it shares the node's means of talking between processes.
  shareProcessNamespace: Whether its containers see each other's processes.
  securityContext: What its containers may do, unless they say otherwise.
  imagePullSecrets: Secrets that its images are fetched with.
  hostname: Its host name, which is its own name unless it is given.
  subdomain: The domain below which its host name is found.
  affinity: Where it should run, in view of nodes and other pods.
  schedulerName: The scheduler that looks for its node.
  tolerations: Taints of nodes that do not keep it away.
  hostAliases: Names and addresses that are added to its hosts file.
  priorityClassName: The PriorityClass that says how important it is.
  priority: How important it is: the higher, the more.
  dnsConfig: How names are looked up, in addition to dnsPolicy.
  readinessGates: Conditions that have to be True for it to be ready, beside those of its containers.
  runtimeClassName: The RuntimeClass that says how its containers are run.
  enableServiceLinks: Whether its containers get variables that name the Services there are.
  preemptionPolicy: Whether less important pods may be ended to make room for it.
  overhead: What it takes beyond the needs of its containers.
  topologySpreadConstraints: How pods like it are spread over nodes and zones.
  setHostnameAsFQDN: Whether its host name has its domain in it.
  os: The operating system that it is made for.
  hostUsers: Whether it has the users of the node, rather than some of its own.
  schedulingGates: What has to be taken away before the scheduler looks at it.
  resourceClaims: Devices that have to be there before it can start.
  resources: What all of its containers together need and may use at most.
  hostnameOverride: Its host name in place of everything else that says so.
  schedulingGroup: The group of pods that it is scheduled with.

HostAlias: Names for an address.
  ip: The address.
  hostnames: The names.

PodDNSConfig: How names are looked up.
  nameservers: Servers to ask.
  searches: Domains in which short names are looked for.
  options: Options of the resolver.

PodDNSConfigOption: An option of the resolver.
  name: Its name.
  value: Its value, if it has one.

PodReadinessGate: A condition that has to be True for a pod to be ready.
  conditionType: The condition.

PodOS: The operating system that a pod is made for.
  name: linux or windows.

PodSchedulingGate: Something that has to be taken away before the scheduler looks at a pod.
  name: Its name.

PodResourceClaim: A device that a pod wants. Either a claim or a template is named.
  name: The name by which containers refer to it.
  resourceClaimName: A ResourceClaim in the same namespace.
  resourceClaimTemplateName: A template from which a ResourceClaim is made for the pod.

PodSchedulingGroup: The group of pods that a pod is scheduled with.
  podGroupName: Its name.
)";

}  // namespace ebb::schema
