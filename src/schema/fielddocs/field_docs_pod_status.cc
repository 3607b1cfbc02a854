// Field docs of the status of pods.
#include "schema/fielddocs/field_docs_text.h"

namespace ebb::schema {

constexpr std::string_view kPodStatusFieldDocs = R"(
package io.k8s.api.core.v1

PodStatus: The observed state of a pod.
  observedGeneration: The generation of the pod that the status describes.
  phase: Pending, Running, Succeeded, Failed or Unknown.
  conditions: The conditions PodScheduled, Initialized, ContainersReady, Ready and others.
  message: The reason for the state of the pod, in a sentence.
  reason: The reason for the state of the pod, in one word.
  nominatedNodeName: The node on which other pods are preempted for this one.
  hostIP: The address of the pod's node.
  hostIPs: All addresses of the pod's node.
  podIP: The address of the pod.
  podIPs: All addresses of the pod, one for each IP family.
  startTime: When the kubelet accepted the pod.
  initContainerStatuses: The status of each init container.
  containerStatuses: The status of each container.
  qosClass: Guaranteed, Burstable or BestEffort, by the requests and limits of the containers.
  ephemeralContainerStatuses: The status of each ephemeral container.
  resize: The progress of a resize. Replaced by conditions.
  resourceClaimStatuses: The ResourceClaims that were created for the pod.
  extendedResourceClaimStatus: The ResourceClaim that was created for the pod's extended resources.
  allocatedResources: The resources that the node has reserved for the pod.
  resources: The resource requests and limits that are in effect.
  nodeAllocatableResourceClaimStatuses: ResourceClaims that use allocatable resources of the node.
  cost: The cost rank of the pod in its workload; the higher the rank, the sooner the pod goes.

PodCondition: One aspect of the state of a pod.
  type: The aspect that the condition describes.
  observedGeneration: The generation of the pod that the condition describes.
  status: True, False or Unknown.
  lastProbeTime: When the condition was last checked.
  lastTransitionTime: When the status last changed.
  reason: The reason for the status, in one word.
  message: The reason for the status, in a sentence.

HostIP: An address of a node.
  ip: The address.

PodIP: An address of a pod.
  ip: The address.

ContainerStatus: The observed state of a container.
  name: The name of the container.
  state: The current state.
  lastState: The state in which the container terminated before its last restart.
  ready: Whether the container is ready for requests.
  restartCount: How often the container has been restarted.
  image: The image that the container runs.
  imageID: The digest of the image.
  containerID: The id of the container in the container runtime.
  started: Whether the startup probe has succeeded.
  allocatedResources: The resources that the node has reserved for the container.
  resources: The resource requests and limits that are in effect.
  volumeMounts: The status of the volume mounts.
  user: The user that the container was started as.
  allocatedResourcesStatus: The health of the devices that the container uses.
  stopSignal: The signal that stops the container.

ContainerState: The state of a container. Exactly one field is set.
  waiting: The container has not started.
  running: The container is running.
  terminated: The container has terminated.

ContainerStateWaiting: A container that has not started.
  reason: The reason, in one word.
  message: The reason, in a sentence.

ContainerStateRunning: A container that is running.
  startedAt: When the container started.

ContainerStateTerminated: A container that has terminated.
  exitCode: The exit code.
  signal: The signal that terminated the container.
  reason: The reason, in one word.
  message: The termination message, or the cause.
  startedAt: When the container started.
  finishedAt: When the container terminated.
  containerID: The id of the container in the container runtime.

VolumeMountStatus: The status of a volume mount.
  name: The name of the volume.
  mountPath: The path in the container.
  readOnly: Whether the mount is read-only.
  recursiveReadOnly: Whether mounts below it are read-only too.
  volumeStatus: The status of the volume.

VolumeStatus: The status of a volume.
  image: The status of an image volume.

ImageVolumeStatus: The status of an image volume.
  imageRef: The digest of the image.

ContainerUser: The user that a container was started as.
  linux: The user on Linux.

LinuxContainerUser: The user that a container was started as on Linux.
  uid: The user id.
  gid: The group id.
  supplementalGroups: The ids of supplemental groups.

ResourceStatus: The health of the devices of one resource.
  name: The name of the resource.
  resources: The devices.

ResourceHealth: The health of a device.
  resourceID: The id of the device.
  health: Healthy, Unhealthy or Unknown.
  message: The reason, in a sentence.

PodResourceClaimStatus: A ResourceClaim that was created for a pod.
  name: The name of the pod's resource claim.
  resourceClaimName: The name of the ResourceClaim.

PodExtendedResourceClaimStatus: The ResourceClaim that was created for a pod's extended resources.
  requestMappings: The request of the claim for each resource of each container.
  resourceClaimName: The name of the ResourceClaim.

ContainerExtendedResourceRequest: The request of a claim for one resource of a container.
  containerName: The name of the container.
  resourceName: The name of the resource.
  requestName: The name of the request.

NodeAllocatableResourceClaimStatus: A ResourceClaim that uses allocatable resources of the node.
  resourceClaimName: The name of the ResourceClaim.
  containers: The containers that use the claim.
  resources: The resources that it uses.
)";

}  // namespace ebb::schema
