// Field docs of the spec of pods.
#include "schema/fielddocs/field_docs_text.h"

namespace ebb::schema {

constexpr std::string_view kPodFieldDocs = R"(
package io.k8s.api.core.v1

Pod: Containers that run together on one node.
  spec: The desired state.
  status: The observed state.

PodTemplateSpec: The template of a workload's pods.
  spec: The desired state of the pods.

PodSpec: The desired state of a pod.
  volumes: The volumes that its containers can mount.
  initContainers: Containers that run to completion, one after the other, before the others start.
  containers: The containers of the pod, at least one.
  ephemeralContainers: Containers that were added to the running pod for debugging.
  restartPolicy: When containers are restarted.
  terminationGracePeriodSeconds: How long containers may take to stop before they are killed.
  activeDeadlineSeconds: How long the pod may run, counted from its start on a node.
  dnsPolicy: How containers resolve names.
  nodeSelector: Labels that a node must have for the pod to run there.
  serviceAccountName: The ServiceAccount of the pod.
  serviceAccount: Deprecated; use serviceAccountName.
  automountServiceAccountToken: Whether containers get the token of the ServiceAccount.
  nodeName: The node of the pod, set by the scheduler.
  hostNetwork: Whether the pod uses the node's network.
  hostPID: Whether the pod uses the node's process namespace.
  hostIPC: Whether the pod uses the node's IPC namespace.
  shareProcessNamespace: Whether containers see each other's processes.
  securityContext: Security settings of the pod, and defaults for its containers.
  imagePullSecrets: Secrets with the credentials for pulling images.
  hostname: The host name of the pod; by default its name.
  subdomain: The subdomain of the pod's host name.
  affinity: Scheduling rules that refer to nodes and other pods.
  schedulerName: The scheduler that assigns a node to the pod.
  tolerations: The taints of nodes that the pod tolerates.
  hostAliases: Entries that are added to the hosts file of the pod.
  priorityClassName: The PriorityClass that defines the priority of the pod.
  priority: The priority of the pod; the higher, the more important.
  dnsConfig: Settings of the resolver, in addition to dnsPolicy.
  readinessGates: Conditions that must be True for the pod to be ready, in addition to its containers.
  runtimeClassName: The RuntimeClass that runs the containers.
  enableServiceLinks: Whether containers get environment variables for the Services of the namespace.
  preemptionPolicy: Whether pods with lower priority may be preempted for this one.
  overhead: The resources that the pod needs in addition to those of its containers.
  topologySpreadConstraints: How pods of this kind are spread over nodes and zones.
  setHostnameAsFQDN: Whether the host name of the pod is its fully qualified name.
  os: The operating system that the pod requires.
  hostUsers: Whether the pod uses the node's user namespace instead of its own.
  schedulingGates: Gates that must be removed before the scheduler handles the pod.
  resourceClaims: Devices that must be allocated before the pod can start.
  resources: The resource requests and limits of all containers together.
  hostnameOverride: The host name of the pod, which overrides all other settings.
  schedulingGroup: The group of pods that the pod is scheduled with.

HostAlias: Host names for an address.
  ip: The address.
  hostnames: The host names.

PodDNSConfig: Settings of the resolver.
  nameservers: The addresses of name servers.
  searches: The search domains for short names.
  options: Options of the resolver.

PodDNSConfigOption: An option of the resolver.
  name: The name of the option.
  value: The value of the option, if it has one.

PodReadinessGate: A condition that must be True for a pod to be ready.
  conditionType: The type of the condition.

PodOS: The operating system that a pod requires.
  name: linux or windows.

PodSchedulingGate: A gate that must be removed before the scheduler handles a pod.
  name: The name of the gate.

PodResourceClaim: A device that a pod needs, by a claim or a template.
  name: The name by which containers refer to the claim.
  resourceClaimName: A ResourceClaim in the same namespace.
  resourceClaimTemplateName: A template from which a ResourceClaim is created for the pod.

PodSchedulingGroup: The group of pods that a pod is scheduled with.
  podGroupName: The name of the group.
)";

}  // namespace ebb::schema
