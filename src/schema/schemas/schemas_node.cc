// Nodes.
#include "schema/schemas/schemas_node.h"

#include "schema/schemas/defaults.h"
#include "schema/schemas/schemas_meta.h"
#include "schema/schemas/schemas_scheduling.h"

namespace ebb::schema {

using enum Type;

constexpr Field kConfigMapNodeConfigSourceFields[] = {
    field(1, "namespace", kString).always(),
    field(2, "name", kString).always(),
    field(3, "uid", kString),
    field(4, "resourceVersion", kString),
    field(5, "kubeletConfigKey", kString).always(),
};
constexpr ObjectSchema kConfigMapNodeConfigSource{"io.k8s.api.core.v1.ConfigMapNodeConfigSource",
                                                  kConfigMapNodeConfigSourceFields};

constexpr Field kNodeConfigSourceFields[] = {
    field(2, "configMap", kConfigMapNodeConfigSource).optional_zero(),
};
constexpr ObjectSchema kNodeConfigSource{"io.k8s.api.core.v1.NodeConfigSource",
                                         kNodeConfigSourceFields};

// clang-format off
constexpr Field kNodeSpecFields[] = {
    field(1, "podCIDR", kString),
    list(7, "podCIDRs", kString).united(),
    field(3, "providerID", kString),
    field(4, "unschedulable", kBool),
    list(5, "taints", kTaint),
    field(6, "configSource", kNodeConfigSource).optional_zero(),
    field(2, "externalID", kString),
};
// clang-format on
constexpr ObjectSchema kNodeSpec{"io.k8s.api.core.v1.NodeSpec", kNodeSpecFields};

// clang-format off
constexpr Field kNodeConditionFields[] = {
    field(1, "type", kString).always(),
    field(2, "status", kString).always(),
    field(3, "lastHeartbeatTime", kTime).null_if_absent(),
    field(4, "lastTransitionTime", kTime).null_if_absent(),
    field(5, "reason", kString),
    field(6, "message", kString),
};
// clang-format on
constexpr ObjectSchema kNodeCondition{"io.k8s.api.core.v1.NodeCondition", kNodeConditionFields};

constexpr Field kNodeAddressFields[] = {
    field(1, "type", kString).always(),
    field(2, "address", kString).always(),
};
constexpr ObjectSchema kNodeAddress{"io.k8s.api.core.v1.NodeAddress", kNodeAddressFields};

constexpr Field kDaemonEndpointFields[] = {
    field(1, "Port", kInt32).always(),
};
constexpr ObjectSchema kDaemonEndpoint{"io.k8s.api.core.v1.DaemonEndpoint", kDaemonEndpointFields};

constexpr Field kNodeDaemonEndpointsFields[] = {
    field(1, "kubeletEndpoint", kDaemonEndpoint).always(),
};
constexpr ObjectSchema kNodeDaemonEndpoints{"io.k8s.api.core.v1.NodeDaemonEndpoints",
                                            kNodeDaemonEndpointsFields};

constexpr Field kNodeSwapStatusFields[] = {
    field(1, "capacity", kInt64).optional_zero(),
};
constexpr ObjectSchema kNodeSwapStatus{"io.k8s.api.core.v1.NodeSwapStatus", kNodeSwapStatusFields};

constexpr Field kNodeSystemInfoFields[] = {
    field(1, "machineID", kString).always(),
    field(2, "systemUUID", kString).always(),
    field(3, "bootID", kString).always(),
    field(4, "kernelVersion", kString).always(),
    field(5, "osImage", kString).always(),
    field(6, "containerRuntimeVersion", kString).always(),
    field(7, "kubeletVersion", kString).always(),
    field(8, "kubeProxyVersion", kString).always(),
    field(9, "operatingSystem", kString).always(),
    field(10, "architecture", kString).always(),
    field(11, "swap", kNodeSwapStatus).optional_zero(),
};
constexpr ObjectSchema kNodeSystemInfo{"io.k8s.api.core.v1.NodeSystemInfo", kNodeSystemInfoFields};

constexpr Field kContainerImageFields[] = {
    list(1, "names", kString),
    field(2, "sizeBytes", kInt64),
};
constexpr ObjectSchema kContainerImage{"io.k8s.api.core.v1.ContainerImage", kContainerImageFields};

constexpr Field kAttachedVolumeFields[] = {
    field(1, "name", kString).always(),
    field(2, "devicePath", kString).always(),
};
constexpr ObjectSchema kAttachedVolume{"io.k8s.api.core.v1.AttachedVolume", kAttachedVolumeFields};

constexpr Field kNodeConfigStatusFields[] = {
    field(1, "assigned", kNodeConfigSource).optional_zero(),
    field(2, "active", kNodeConfigSource).optional_zero(),
    field(3, "lastKnownGood", kNodeConfigSource).optional_zero(),
    field(4, "error", kString),
};
constexpr ObjectSchema kNodeConfigStatus{"io.k8s.api.core.v1.NodeConfigStatus",
                                         kNodeConfigStatusFields};

constexpr Field kNodeRuntimeHandlerFeaturesFields[] = {
    field(1, "recursiveReadOnlyMounts", kBool).optional_zero(),
    field(2, "userNamespaces", kBool).optional_zero(),
};
constexpr ObjectSchema kNodeRuntimeHandlerFeatures{"io.k8s.api.core.v1.NodeRuntimeHandlerFeatures",
                                                   kNodeRuntimeHandlerFeaturesFields};

constexpr Field kNodeRuntimeHandlerFields[] = {
    field(1, "name", kString).always(),
    field(2, "features", kNodeRuntimeHandlerFeatures).optional_zero(),
};
constexpr ObjectSchema kNodeRuntimeHandler{"io.k8s.api.core.v1.NodeRuntimeHandler",
                                           kNodeRuntimeHandlerFields};

constexpr Field kNodeFeaturesFields[] = {
    field(1, "supplementalGroupsPolicy", kBool).optional_zero(),
};
constexpr ObjectSchema kNodeFeatures{"io.k8s.api.core.v1.NodeFeatures", kNodeFeaturesFields};

constexpr Field kNodeStatusFields[] = {
    map(1, "capacity", kQuantity),
    map(2, "allocatable", kQuantity).by_default(default_allocatable),
    field(3, "phase", kString),
    list(4, "conditions", kNodeCondition).merged_by("type"),
    list(5, "addresses", kNodeAddress).merged_by("type"),
    field(6, "daemonEndpoints", kNodeDaemonEndpoints).always(),
    field(7, "nodeInfo", kNodeSystemInfo).always(),
    list(8, "images", kContainerImage),
    list(9, "volumesInUse", kString),
    list(10, "volumesAttached", kAttachedVolume),
    field(11, "config", kNodeConfigStatus).optional_zero(),
    list(12, "runtimeHandlers", kNodeRuntimeHandler),
    field(13, "features", kNodeFeatures).optional_zero(),
    list(14, "declaredFeatures", kString),
};
constexpr ObjectSchema kNodeStatus{"io.k8s.api.core.v1.NodeStatus", kNodeStatusFields};

constexpr Field kNodeFields[] = {
    kKindField,
    kApiVersionField,
    field(1, "metadata", kObjectMeta).always(),
    field(2, "spec", kNodeSpec).always(),
    field(3, "status", kNodeStatus).always(),
};
constexpr ObjectSchema kNode{"io.k8s.api.core.v1.Node", kNodeFields};

}  // namespace ebb::schema
