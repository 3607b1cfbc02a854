// What the fields of pods as they are are for.
#include "schema/notes_text.h"

namespace ebb::schema {

constexpr std::string_view kPodStatusNotes = R"(
package io.k8s.api.core.v1

PodStatus: What has been seen of a pod.
  observedGeneration: The generation of the pod that this is about.
  phase: Pending, Running, Succeeded, Failed or Unknown.
  conditions: How it is, by aspect: scheduled, initialized, ready and others.
  message: Why it is as it is, in a sentence.
  reason: Why it is as it is, in one word.
  nominatedNodeName: The node on which room is being made for it.
  hostIP: The address of its node.
  hostIPs: All addresses of its node.
  podIP: Its address.
  podIPs: All of its addresses, one for each family.
  startTime: When its node took it on.
  initContainerStatuses: How its init containers are.
  containerStatuses: How its containers are.
  qosClass: Guaranteed, Burstable or BestEffort, by what its containers ask for.
  ephemeralContainerStatuses: How containers are that were added while it runs.
  resize: How a change of its resources is getting on. Conditions have taken its place.
  resourceClaimStatuses: The claims that were made for it.
  extendedResourceClaimStatus: The claim that was made for the extended resources it asks for.
  allocatedResources: What its node has set aside for it.
  resources: What it really has and may use.
  nodeAllocatableResourceClaimStatuses: Claims that take from what its node can give to pods.
  cost: Its rank among the pods of its workload: the higher, the sooner it goes.

PodCondition: One aspect of how a pod is.
  type: Which aspect.
  observedGeneration: The generation of the pod that this is about.
  status: True, False or Unknown.
  lastProbeTime: When it was last looked at.
  lastTransitionTime: When the status last changed.
  reason: Why, in one word.
  message: Why, in a sentence.

HostIP: An address of a node.
  ip: The address.

PodIP: An address of a pod.
  ip: The address.

ContainerStatus: How a container is.
  name: Its name.
  state: What it is doing.
  lastState: How it ended before it was last restarted.
  ready: Whether it can be sent requests.
  restartCount: How often it has been restarted.
  image: The image that it was started from.
  imageID: The exact image.
  containerID: What the container runtime calls it.
  started: Whether it has started, as far as the startup probe says.
  allocatedResources: What its node has set aside for it.
  resources: What it really has and may use.
  volumeMounts: How its volumes are mounted.
  user: Whom it was started as.
  allocatedResourcesStatus: How the devices are that it was given.
  stopSignal: The signal by which it is told to end.

ContainerState: What a container is doing: one of three.
  waiting: It has not started.
  running: It runs.
  terminated: It has ended.

ContainerStateWaiting: A container that has not started.
  reason: Why, in one word.
  message: Why, in a sentence.

ContainerStateRunning: A container that runs.
  startedAt: Since when.

ContainerStateTerminated: A container that has ended.
  exitCode: Its exit code.
  signal: The signal that ended it.
  reason: Why, in one word.
  message: Its last words, or why it ended.
  startedAt: When it started.
  finishedAt: When it ended.
  containerID: What the container runtime called it.

VolumeMountStatus: How a volume is mounted.
  name: The volume's name.
  mountPath: Where it appears.
  readOnly: Whether it can only be read.
  recursiveReadOnly: Whether what is mounted below it can only be read, too.
  volumeStatus: What is known of the volume.

VolumeStatus: What is known of a volume.
  image: Of one that is an image.

ImageVolumeStatus: What is known of a volume that is an image.
  imageRef: The exact image.

ContainerUser: Whom a container was started as.
  linux: On Linux.

LinuxContainerUser: Whom a container was started as on Linux.
  uid: The number of the user.
  gid: The number of the group.
  supplementalGroups: Further groups.

ResourceStatus: How devices of one resource are.
  name: The resource.
  resources: Each of the devices.

ResourceHealth: How a device is.
  resourceID: Which device.
  health: Healthy, Unhealthy or Unknown.
  message: Why, in a sentence.

PodResourceClaimStatus: A claim that was made for a pod.
  name: Its name among the pod's claims.
  resourceClaimName: The name of the ResourceClaim.

PodExtendedResourceClaimStatus: The claim that was made for a pod's extended resources.
  requestMappings: Which container's resource is which request of the claim.
  resourceClaimName: The name of the ResourceClaim.

ContainerExtendedResourceRequest: Which request of a claim a container's resource is.
  containerName: The container.
  resourceName: The resource.
  requestName: The request.

NodeAllocatableResourceClaimStatus: A claim that takes from what the node can give to pods.
  resourceClaimName: The name of the ResourceClaim.
  containers: The containers that use it.
  resources: What it takes.
)";

}  // namespace ebb::schema
