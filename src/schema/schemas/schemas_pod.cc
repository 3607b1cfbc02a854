// The spec of pods. The template of a workload has the same spec, so all defaults except those of
// the Pod itself apply there too.
#include "schema/schemas/schemas_pod.h"

#include "schema/schemas/defaults.h"
#include "schema/schemas/schemas_container.h"
#include "schema/schemas/schemas_meta.h"
#include "schema/schemas/schemas_pod_status.h"
#include "schema/schemas/schemas_references.h"
#include "schema/schemas/schemas_scheduling.h"
#include "schema/schemas/schemas_security.h"
#include "schema/schemas/schemas_volumes.h"

namespace ebb::schema {

using enum Type;

constexpr Field kHostAliasFields[] = {
    field(1, "ip", kString).required(),
    list(2, "hostnames", kString),
};
constexpr ObjectSchema kHostAlias{"io.k8s.api.core.v1.HostAlias", kHostAliasFields};

constexpr Field kPodDNSConfigOptionFields[] = {
    field(1, "name", kString),
    field(2, "value", kString).optional_zero(),
};
constexpr ObjectSchema kPodDNSConfigOption{"io.k8s.api.core.v1.PodDNSConfigOption",
                                           kPodDNSConfigOptionFields};

constexpr Field kPodDNSConfigFields[] = {
    list(1, "nameservers", kString),
    list(2, "searches", kString),
    list(3, "options", kPodDNSConfigOption),
};
constexpr ObjectSchema kPodDNSConfig{"io.k8s.api.core.v1.PodDNSConfig", kPodDNSConfigFields};

constexpr Field kPodReadinessGateFields[] = {
    field(1, "conditionType", kString).required().formatted(Format::kQualifiedName),
};
constexpr ObjectSchema kPodReadinessGate{"io.k8s.api.core.v1.PodReadinessGate",
                                         kPodReadinessGateFields};

constexpr Field kPodOSFields[] = {
    field(1, "name", kString).required().one_of("linux windows"),
};
constexpr ObjectSchema kPodOS{"io.k8s.api.core.v1.PodOS", kPodOSFields};

constexpr Field kPodSchedulingGateFields[] = {
    field(1, "name", kString).required().formatted(Format::kQualifiedName),
};
constexpr ObjectSchema kPodSchedulingGate{"io.k8s.api.core.v1.PodSchedulingGate",
                                          kPodSchedulingGateFields};

constexpr Field kPodResourceClaimFields[] = {
    field(1, "name", kString).required().formatted(Format::kDnsLabel),
    field(3, "resourceClaimName", kString).optional_zero(),
    field(4, "resourceClaimTemplateName", kString).optional_zero(),
};
constexpr ObjectSchema kPodResourceClaim{"io.k8s.api.core.v1.PodResourceClaim",
                                         kPodResourceClaimFields};

constexpr Field kPodSchedulingGroupFields[] = {
    field(1, "podGroupName", kString).optional_zero(),
};
constexpr ObjectSchema kPodSchedulingGroup{"io.k8s.api.core.v1.PodSchedulingGroup",
                                           kPodSchedulingGroupFields};

constexpr Field kPodSpecFields[] = {
    list(1, "volumes", kVolume).merged_by("name").retaining_keys(),
    list(20, "initContainers", kContainer).merged_by("name"),
    list(2, "containers", kContainer).merged_by("name").required(),
    list(34, "ephemeralContainers", kEphemeralContainer).merged_by("name"),
    field(3, "restartPolicy", kString).by_default(R"("Always")").one_of("Always OnFailure Never"),
    field(4, "terminationGracePeriodSeconds", kInt64).optional_zero().by_default("30"),
    field(5, "activeDeadlineSeconds", kInt64).optional_zero().at_least(1).at_most(kHighestInt32),
    field(6, "dnsPolicy", kString)
        .by_default(R"("ClusterFirst")")
        .one_of("ClusterFirstWithHostNet ClusterFirst Default None"),
    map(7, "nodeSelector", kString).applied_whole(),
    field(8, "serviceAccountName", kString)
        .by_default(default_service_account_name)
        .formatted(Format::kDnsSubdomain),
    field(9, "serviceAccount", kString),
    field(21, "automountServiceAccountToken", kBool).optional_zero(),
    field(10, "nodeName", kString).formatted(Format::kDnsSubdomain),
    field(11, "hostNetwork", kBool),
    field(12, "hostPID", kBool),
    field(13, "hostIPC", kBool),
    field(27, "shareProcessNamespace", kBool).optional_zero(),
    field(14, "securityContext", kPodSecurityContext).optional_zero().by_default("{}"),
    list(15, "imagePullSecrets", kLocalObjectReference).merged_by("name"),
    field(16, "hostname", kString).formatted(Format::kDnsLabel),
    field(17, "subdomain", kString).formatted(Format::kDnsLabel),
    field(18, "affinity", kAffinity).optional_zero(),
    field(19, "schedulerName", kString).by_default(R"("default-scheduler")"),
    list(22, "tolerations", kToleration),
    list(23, "hostAliases", kHostAlias).merged_by("ip"),
    field(24, "priorityClassName", kString).formatted(Format::kDnsSubdomain),
    field(25, "priority", kInt32).optional_zero(),
    field(26, "dnsConfig", kPodDNSConfig).optional_zero(),
    list(28, "readinessGates", kPodReadinessGate),
    field(29, "runtimeClassName", kString).optional_zero().formatted(Format::kDnsSubdomain),
    field(30, "enableServiceLinks", kBool).optional_zero(),
    field(31, "preemptionPolicy", kString).optional_zero().one_of("PreemptLowerPriority Never"),
    map(32, "overhead", kQuantity),
    list(33, "topologySpreadConstraints", kTopologySpreadConstraint)
        .merged_by("topologyKey")
        .applied_by("topologyKey whenUnsatisfiable"),
    field(35, "setHostnameAsFQDN", kBool).optional_zero(),
    field(36, "os", kPodOS).optional_zero(),
    field(37, "hostUsers", kBool).optional_zero(),
    list(38, "schedulingGates", kPodSchedulingGate).merged_by("name"),
    list(39, "resourceClaims", kPodResourceClaim).merged_by("name").retaining_keys(),
    field(40, "resources", kResourceRequirements).optional_zero(),
    field(41, "hostnameOverride", kString).optional_zero(),
    field(43, "schedulingGroup", kPodSchedulingGroup).optional_zero(),
};
constexpr ObjectSchema kPodSpec{"io.k8s.api.core.v1.PodSpec", kPodSpecFields, complete_pod_spec};

constexpr Field kPodFields[] = {
    kKindField,
    kApiVersionField,
    field(1, "metadata", kObjectMeta).always(),
    field(2, "spec", kPodSpec).always(),
    field(3, "status", kPodStatus).always(),
};
constexpr ObjectSchema kPod{"io.k8s.api.core.v1.Pod", kPodFields, complete_pod};

constexpr Field kPodTemplateSpecFields[] = {
    field(1, "metadata", kObjectMeta).always(),
    field(2, "spec", kPodSpec).always(),
};
constexpr ObjectSchema kPodTemplateSpec{"io.k8s.api.core.v1.PodTemplateSpec",
                                        kPodTemplateSpecFields};

}  // namespace ebb::schema
