// Containers and their settings.
#include "schema/schemas/schemas_container.h"

#include "schema/schemas/defaults.h"
#include "schema/schemas/schemas_probe.h"
#include "schema/schemas/schemas_references.h"
#include "schema/schemas/schemas_security.h"

namespace ebb::schema {

using enum Type;

constexpr Field kContainerPortFields[] = {
    field(1, "name", kString),
    field(2, "hostPort", kInt32).formatted(Format::kPort),
    field(3, "containerPort", kInt32).required().formatted(Format::kPort),
    field(4, "protocol", kString).by_default(R"("TCP")").one_of("SCTP TCP UDP"),
    field(5, "hostIP", kString),
};
constexpr ObjectSchema kContainerPort{"io.k8s.api.core.v1.ContainerPort", kContainerPortFields};

constexpr Field kConfigMapEnvSourceFields[] = {
    field(1, "localObjectReference", kLocalObjectReference).inlined(),
    field(2, "optional", kBool).optional_zero(),
};
constexpr ObjectSchema kConfigMapEnvSource{"io.k8s.api.core.v1.ConfigMapEnvSource",
                                           kConfigMapEnvSourceFields};

constexpr Field kSecretEnvSourceFields[] = {
    field(1, "localObjectReference", kLocalObjectReference).inlined(),
    field(2, "optional", kBool).optional_zero(),
};
constexpr ObjectSchema kSecretEnvSource{"io.k8s.api.core.v1.SecretEnvSource",
                                        kSecretEnvSourceFields};

constexpr Field kEnvFromSourceFields[] = {
    field(1, "prefix", kString),
    field(2, "configMapRef", kConfigMapEnvSource).optional_zero(),
    field(3, "secretRef", kSecretEnvSource).optional_zero(),
};
constexpr ObjectSchema kEnvFromSource{"io.k8s.api.core.v1.EnvFromSource", kEnvFromSourceFields};

constexpr Field kConfigMapKeySelectorFields[] = {
    field(1, "localObjectReference", kLocalObjectReference).inlined(),
    field(2, "key", kString).required(),
    field(3, "optional", kBool).optional_zero(),
};
constexpr ObjectSchema kConfigMapKeySelector =
    owned_whole("io.k8s.api.core.v1.ConfigMapKeySelector", kConfigMapKeySelectorFields);

constexpr Field kSecretKeySelectorFields[] = {
    field(1, "localObjectReference", kLocalObjectReference).inlined(),
    field(2, "key", kString).required(),
    field(3, "optional", kBool).optional_zero(),
};
constexpr ObjectSchema kSecretKeySelector =
    owned_whole("io.k8s.api.core.v1.SecretKeySelector", kSecretKeySelectorFields);

constexpr Field kFileKeySelectorFields[] = {
    field(1, "volumeName", kString).required(),
    field(2, "path", kString).required(),
    field(3, "key", kString).required(),
    field(4, "optional", kBool).optional_zero().by_default("false"),
};
constexpr ObjectSchema kFileKeySelector =
    owned_whole("io.k8s.api.core.v1.FileKeySelector", kFileKeySelectorFields);

constexpr Field kEnvVarSourceFields[] = {
    field(1, "fieldRef", kObjectFieldSelector).optional_zero(),
    field(2, "resourceFieldRef", kResourceFieldSelector).optional_zero(),
    field(3, "configMapKeyRef", kConfigMapKeySelector).optional_zero(),
    field(4, "secretKeyRef", kSecretKeySelector).optional_zero(),
    field(5, "fileKeyRef", kFileKeySelector).optional_zero(),
};
constexpr ObjectSchema kEnvVarSource{"io.k8s.api.core.v1.EnvVarSource", kEnvVarSourceFields};

constexpr Field kEnvVarFields[] = {
    field(1, "name", kString).required(),
    field(2, "value", kString),
    field(3, "valueFrom", kEnvVarSource).optional_zero(),
};
constexpr ObjectSchema kEnvVar{"io.k8s.api.core.v1.EnvVar", kEnvVarFields};

constexpr Field kResourceClaimFields[] = {
    field(1, "name", kString).required(),
    field(2, "request", kString),
};
constexpr ObjectSchema kResourceClaim{"io.k8s.api.core.v1.ResourceClaim", kResourceClaimFields};

constexpr Field kResourceRequirementsFields[] = {
    map(1, "limits", kQuantity),
    map(2, "requests", kQuantity),
    list(3, "claims", kResourceClaim).applied_by("name"),
};
constexpr ObjectSchema kResourceRequirements{"io.k8s.api.core.v1.ResourceRequirements",
                                             kResourceRequirementsFields};

constexpr Field kContainerResizePolicyFields[] = {
    field(1, "resourceName", kString).required().one_of("cpu memory"),
    field(2, "restartPolicy", kString).required().one_of("NotRequired RestartContainer"),
};
constexpr ObjectSchema kContainerResizePolicy{"io.k8s.api.core.v1.ContainerResizePolicy",
                                              kContainerResizePolicyFields};

constexpr Field kContainerRestartRuleOnExitCodesFields[] = {
    field(1, "operator", kString).required().one_of("In NotIn"),
    list(2, "values", kInt32).applied_as_set(),
};
constexpr ObjectSchema kContainerRestartRuleOnExitCodes{
    "io.k8s.api.core.v1.ContainerRestartRuleOnExitCodes", kContainerRestartRuleOnExitCodesFields};

constexpr Field kContainerRestartRuleFields[] = {
    field(1, "action", kString).required().one_of("Restart RestartAllContainers"),
    field(2, "exitCodes", kContainerRestartRuleOnExitCodes).optional_zero().required(),
};
constexpr ObjectSchema kContainerRestartRule{"io.k8s.api.core.v1.ContainerRestartRule",
                                             kContainerRestartRuleFields};

constexpr Field kVolumeMountFields[] = {
    field(1, "name", kString).required(),
    field(2, "readOnly", kBool),
    field(7, "recursiveReadOnly", kString).optional_zero().one_of("Disabled Enabled IfPossible"),
    field(3, "mountPath", kString).required(),
    field(4, "subPath", kString),
    field(5, "mountPropagation", kString)
        .optional_zero()
        .one_of("Bidirectional HostToContainer None"),
    field(6, "subPathExpr", kString),
};
constexpr ObjectSchema kVolumeMount{"io.k8s.api.core.v1.VolumeMount", kVolumeMountFields};

constexpr Field kVolumeDeviceFields[] = {
    field(1, "name", kString).required(),
    field(2, "devicePath", kString).required(),
};
constexpr ObjectSchema kVolumeDevice{"io.k8s.api.core.v1.VolumeDevice", kVolumeDeviceFields};

constexpr Field kContainerFields[] = {
    field(1, "name", kString).required().formatted(Format::kDnsLabel),
    field(2, "image", kString).required(),
    list(3, "command", kString),
    list(4, "args", kString),
    field(5, "workingDir", kString),
    list(6, "ports", kContainerPort)
        .merged_by("containerPort")
        .applied_by("containerPort protocol"),
    list(19, "envFrom", kEnvFromSource),
    list(7, "env", kEnvVar).merged_by("name"),
    field(8, "resources", kResourceRequirements).always(),
    list(23, "resizePolicy", kContainerResizePolicy),
    field(24, "restartPolicy", kString).optional_zero().one_of("Always Never OnFailure"),
    list(25, "restartPolicyRules", kContainerRestartRule),
    list(9, "volumeMounts", kVolumeMount).merged_by("mountPath"),
    list(21, "volumeDevices", kVolumeDevice).merged_by("devicePath"),
    field(10, "livenessProbe", kProbe).optional_zero(),
    field(11, "readinessProbe", kProbe).optional_zero(),
    field(22, "startupProbe", kProbe).optional_zero(),
    field(12, "lifecycle", kLifecycle).optional_zero(),
    field(13, "terminationMessagePath", kString).by_default(R"("/dev/termination-log")"),
    field(20, "terminationMessagePolicy", kString)
        .by_default(R"("File")")
        .one_of("File FallbackToLogsOnError"),
    field(14, "imagePullPolicy", kString)
        .by_default(default_image_pull_policy)
        .one_of("Always IfNotPresent Never"),
    field(15, "securityContext", kSecurityContext).optional_zero(),
    field(16, "stdin", kBool),
    field(17, "stdinOnce", kBool),
    field(18, "tty", kBool),
};
constexpr ObjectSchema kContainer{"io.k8s.api.core.v1.Container", kContainerFields};

constexpr Field kEphemeralContainerFields[] = {
    field(1, "ephemeralContainerCommon", kContainer).inlined(),
    field(2, "targetContainerName", kString),
};
constexpr ObjectSchema kEphemeralContainer{"io.k8s.api.core.v1.EphemeralContainer",
                                           kEphemeralContainerFields};

}  // namespace ebb::schema
