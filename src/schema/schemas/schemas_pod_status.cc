// The status of pods.
#include "schema/schemas/schemas_pod_status.h"

#include "schema/schemas/schemas_container.h"

namespace ebb::schema {

using enum Type;

// clang-format off
constexpr Field kPodConditionFields[] = {
    field(1, "type", kString).always(),
    field(7, "observedGeneration", kInt64),
    field(2, "status", kString).always(),
    field(3, "lastProbeTime", kTime).null_if_absent(),
    field(4, "lastTransitionTime", kTime).null_if_absent(),
    field(5, "reason", kString),
    field(6, "message", kString),
};
// clang-format on
constexpr ObjectSchema kPodCondition{"io.k8s.api.core.v1.PodCondition", kPodConditionFields};

constexpr Field kHostIPFields[] = {
    field(1, "ip", kString).always(),
};
constexpr ObjectSchema kHostIP{"io.k8s.api.core.v1.HostIP", kHostIPFields};

constexpr Field kPodIPFields[] = {
    field(1, "ip", kString).always(),
};
constexpr ObjectSchema kPodIP{"io.k8s.api.core.v1.PodIP", kPodIPFields};

constexpr Field kContainerStateWaitingFields[] = {
    field(1, "reason", kString),
    field(2, "message", kString),
};
constexpr ObjectSchema kContainerStateWaiting{"io.k8s.api.core.v1.ContainerStateWaiting",
                                              kContainerStateWaitingFields};

constexpr Field kContainerStateRunningFields[] = {
    field(1, "startedAt", kTime).null_if_absent(),
};
constexpr ObjectSchema kContainerStateRunning{"io.k8s.api.core.v1.ContainerStateRunning",
                                              kContainerStateRunningFields};

// clang-format off
constexpr Field kContainerStateTerminatedFields[] = {
    field(1, "exitCode", kInt32).always(),
    field(2, "signal", kInt32),
    field(3, "reason", kString),
    field(4, "message", kString),
    field(5, "startedAt", kTime).null_if_absent(),
    field(6, "finishedAt", kTime).null_if_absent(),
    field(7, "containerID", kString),
};
// clang-format on
constexpr ObjectSchema kContainerStateTerminated{"io.k8s.api.core.v1.ContainerStateTerminated",
                                                 kContainerStateTerminatedFields};

constexpr Field kContainerStateFields[] = {
    field(1, "waiting", kContainerStateWaiting).optional_zero(),
    field(2, "running", kContainerStateRunning).optional_zero(),
    field(3, "terminated", kContainerStateTerminated).optional_zero(),
};
constexpr ObjectSchema kContainerState{"io.k8s.api.core.v1.ContainerState", kContainerStateFields};

constexpr Field kImageVolumeStatusFields[] = {
    field(1, "imageRef", kString),
};
constexpr ObjectSchema kImageVolumeStatus{"io.k8s.api.core.v1.ImageVolumeStatus",
                                          kImageVolumeStatusFields};

constexpr Field kVolumeStatusFields[] = {
    field(1, "image", kImageVolumeStatus).optional_zero(),
};
constexpr ObjectSchema kVolumeStatus{"io.k8s.api.core.v1.VolumeStatus", kVolumeStatusFields};

constexpr Field kVolumeMountStatusFields[] = {
    field(1, "name", kString).always(),
    field(2, "mountPath", kString).always(),
    field(3, "readOnly", kBool),
    field(4, "recursiveReadOnly", kString).optional_zero(),
    field(5, "volumeStatus", kVolumeStatus).optional_zero(),
};
constexpr ObjectSchema kVolumeMountStatus{"io.k8s.api.core.v1.VolumeMountStatus",
                                          kVolumeMountStatusFields};

constexpr Field kLinuxContainerUserFields[] = {
    field(1, "uid", kInt64).always(),
    field(2, "gid", kInt64).always(),
    list(3, "supplementalGroups", kInt64),
};
constexpr ObjectSchema kLinuxContainerUser{"io.k8s.api.core.v1.LinuxContainerUser",
                                           kLinuxContainerUserFields};

constexpr Field kContainerUserFields[] = {
    field(1, "linux", kLinuxContainerUser).optional_zero(),
};
constexpr ObjectSchema kContainerUser{"io.k8s.api.core.v1.ContainerUser", kContainerUserFields};

constexpr Field kResourceHealthFields[] = {
    field(1, "resourceID", kString).always(),
    field(2, "health", kString),
    field(6, "message", kString).optional_zero(),
};
constexpr ObjectSchema kResourceHealth{"io.k8s.api.core.v1.ResourceHealth", kResourceHealthFields};

constexpr Field kResourceStatusFields[] = {
    field(1, "name", kString).always(),
    list(2, "resources", kResourceHealth).applied_by("resourceID"),
};
constexpr ObjectSchema kResourceStatus{"io.k8s.api.core.v1.ResourceStatus", kResourceStatusFields};

constexpr Field kContainerStatusFields[] = {
    field(1, "name", kString).always(),
    field(2, "state", kContainerState).always(),
    field(3, "lastState", kContainerState).always(),
    field(4, "ready", kBool).always(),
    field(5, "restartCount", kInt32).always(),
    field(6, "image", kString).always(),
    field(7, "imageID", kString).always(),
    field(8, "containerID", kString),
    field(9, "started", kBool).optional_zero(),
    map(10, "allocatedResources", kQuantity),
    field(11, "resources", kResourceRequirements).optional_zero(),
    list(12, "volumeMounts", kVolumeMountStatus).merged_by("mountPath"),
    field(13, "user", kContainerUser).optional_zero(),
    list(14, "allocatedResourcesStatus", kResourceStatus).merged_by("name"),
    field(15, "stopSignal", kString).optional_zero(),
};
constexpr ObjectSchema kContainerStatus{"io.k8s.api.core.v1.ContainerStatus",
                                        kContainerStatusFields};

constexpr Field kPodResourceClaimStatusFields[] = {
    field(1, "name", kString).always(),
    field(2, "resourceClaimName", kString).optional_zero(),
};
constexpr ObjectSchema kPodResourceClaimStatus{"io.k8s.api.core.v1.PodResourceClaimStatus",
                                               kPodResourceClaimStatusFields};

constexpr Field kContainerExtendedResourceRequestFields[] = {
    field(1, "containerName", kString).always(),
    field(2, "resourceName", kString).always(),
    field(3, "requestName", kString).always(),
};
constexpr ObjectSchema kContainerExtendedResourceRequest{
    "io.k8s.api.core.v1.ContainerExtendedResourceRequest", kContainerExtendedResourceRequestFields};

constexpr Field kPodExtendedResourceClaimStatusFields[] = {
    list(1, "requestMappings", kContainerExtendedResourceRequest),
    field(2, "resourceClaimName", kString).always(),
};
constexpr ObjectSchema kPodExtendedResourceClaimStatus{
    "io.k8s.api.core.v1.PodExtendedResourceClaimStatus", kPodExtendedResourceClaimStatusFields};

constexpr Field kNodeAllocatableResourceClaimStatusFields[] = {
    field(1, "resourceClaimName", kString).always(),
    list(2, "containers", kString).applied_as_set(),
    map(3, "resources", kQuantity),
};
constexpr ObjectSchema kNodeAllocatableResourceClaimStatus{
    "io.k8s.api.core.v1.NodeAllocatableResourceClaimStatus",
    kNodeAllocatableResourceClaimStatusFields};

constexpr Field kPodStatusFields[] = {
    field(17, "observedGeneration", kInt64),
    field(1, "phase", kString),
    list(2, "conditions", kPodCondition).merged_by("type"),
    field(3, "message", kString),
    field(4, "reason", kString),
    field(11, "nominatedNodeName", kString),
    field(5, "hostIP", kString),
    list(16, "hostIPs", kHostIP).merged_by("ip").applied_whole(),
    field(6, "podIP", kString),
    list(12, "podIPs", kPodIP).merged_by("ip"),
    field(7, "startTime", kTime),
    list(10, "initContainerStatuses", kContainerStatus),
    list(8, "containerStatuses", kContainerStatus),
    field(9, "qosClass", kString),
    list(13, "ephemeralContainerStatuses", kContainerStatus),
    field(14, "resize", kString),
    list(15, "resourceClaimStatuses", kPodResourceClaimStatus).merged_by("name").retaining_keys(),
    field(18, "extendedResourceClaimStatus", kPodExtendedResourceClaimStatus).optional_zero(),
    map(19, "allocatedResources", kQuantity),
    field(20, "resources", kResourceRequirements).optional_zero(),
    list(21, "nodeAllocatableResourceClaimStatuses", kNodeAllocatableResourceClaimStatus),
    field(1000, "cost", kInt32).optional_zero(),
};
constexpr ObjectSchema kPodStatus{"io.k8s.api.core.v1.PodStatus", kPodStatusFields};

}  // namespace ebb::schema
