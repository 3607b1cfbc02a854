// Scheduling constraints: affinity, tolerations, topology spread, and taints.
#include "schema/schemas/schemas_scheduling.h"

#include "schema/schemas/schemas_meta.h"

namespace ebb::schema {

using enum Type;

constexpr Field kNodeSelectorRequirementFields[] = {
    field(1, "key", kString).required(),
    field(2, "operator", kString).required().one_of("DoesNotExist Exists Gt In Lt NotIn"),
    list(3, "values", kString),
};
constexpr ObjectSchema kNodeSelectorRequirement{"io.k8s.api.core.v1.NodeSelectorRequirement",
                                                kNodeSelectorRequirementFields};

constexpr Field kNodeSelectorTermFields[] = {
    list(1, "matchExpressions", kNodeSelectorRequirement),
    list(2, "matchFields", kNodeSelectorRequirement),
};
constexpr ObjectSchema kNodeSelectorTerm =
    owned_whole("io.k8s.api.core.v1.NodeSelectorTerm", kNodeSelectorTermFields);

constexpr Field kNodeSelectorFields[] = {
    list(1, "nodeSelectorTerms", kNodeSelectorTerm).required(),
};
constexpr ObjectSchema kNodeSelector =
    owned_whole("io.k8s.api.core.v1.NodeSelector", kNodeSelectorFields);

constexpr Field kPreferredSchedulingTermFields[] = {
    field(1, "weight", kInt32).always().at_least(1).at_most(100),
    field(2, "preference", kNodeSelectorTerm).always(),
};
constexpr ObjectSchema kPreferredSchedulingTerm{"io.k8s.api.core.v1.PreferredSchedulingTerm",
                                                kPreferredSchedulingTermFields};

constexpr Field kNodeAffinityFields[] = {
    field(1, "requiredDuringSchedulingIgnoredDuringExecution", kNodeSelector).optional_zero(),
    list(2, "preferredDuringSchedulingIgnoredDuringExecution", kPreferredSchedulingTerm),
};
constexpr ObjectSchema kNodeAffinity{"io.k8s.api.core.v1.NodeAffinity", kNodeAffinityFields};

constexpr Field kPodAffinityTermFields[] = {
    field(1, "labelSelector", kLabelSelector).optional_zero(),
    list(2, "namespaces", kString),
    field(3, "topologyKey", kString).required().formatted(Format::kQualifiedName),
    field(4, "namespaceSelector", kLabelSelector).optional_zero(),
    list(5, "matchLabelKeys", kString),
    list(6, "mismatchLabelKeys", kString),
};
constexpr ObjectSchema kPodAffinityTerm{"io.k8s.api.core.v1.PodAffinityTerm",
                                        kPodAffinityTermFields};

constexpr Field kWeightedPodAffinityTermFields[] = {
    field(1, "weight", kInt32).always().at_least(1).at_most(100),
    field(2, "podAffinityTerm", kPodAffinityTerm).always(),
};
constexpr ObjectSchema kWeightedPodAffinityTerm{"io.k8s.api.core.v1.WeightedPodAffinityTerm",
                                                kWeightedPodAffinityTermFields};

constexpr Field kPodAffinityFields[] = {
    list(1, "requiredDuringSchedulingIgnoredDuringExecution", kPodAffinityTerm),
    list(2, "preferredDuringSchedulingIgnoredDuringExecution", kWeightedPodAffinityTerm),
};
constexpr ObjectSchema kPodAffinity{"io.k8s.api.core.v1.PodAffinity", kPodAffinityFields};

constexpr Field kPodAntiAffinityFields[] = {
    list(1, "requiredDuringSchedulingIgnoredDuringExecution", kPodAffinityTerm),
    list(2, "preferredDuringSchedulingIgnoredDuringExecution", kWeightedPodAffinityTerm),
};
constexpr ObjectSchema kPodAntiAffinity{"io.k8s.api.core.v1.PodAntiAffinity",
                                        kPodAntiAffinityFields};

constexpr Field kAffinityFields[] = {
    field(1, "nodeAffinity", kNodeAffinity).optional_zero(),
    field(2, "podAffinity", kPodAffinity).optional_zero(),
    field(3, "podAntiAffinity", kPodAntiAffinity).optional_zero(),
};
constexpr ObjectSchema kAffinity{"io.k8s.api.core.v1.Affinity", kAffinityFields};

constexpr Field kTolerationFields[] = {
    field(1, "key", kString).formatted(Format::kQualifiedName),
    field(2, "operator", kString).one_of("Equal Exists Lt Gt"),
    field(3, "value", kString),
    field(4, "effect", kString).one_of("NoSchedule PreferNoSchedule NoExecute"),
    field(5, "tolerationSeconds", kInt64).optional_zero(),
};
constexpr ObjectSchema kToleration{"io.k8s.api.core.v1.Toleration", kTolerationFields};

constexpr Field kTopologySpreadConstraintFields[] = {
    field(1, "maxSkew", kInt32).always().at_least(1),
    field(2, "topologyKey", kString).required(),
    field(3, "whenUnsatisfiable", kString).required().one_of("DoNotSchedule ScheduleAnyway"),
    field(4, "labelSelector", kLabelSelector).optional_zero(),
    field(5, "minDomains", kInt32).optional_zero().at_least(1),
    field(6, "nodeAffinityPolicy", kString).optional_zero().one_of("Honor Ignore"),
    field(7, "nodeTaintsPolicy", kString).optional_zero().one_of("Honor Ignore"),
    list(8, "matchLabelKeys", kString),
};
constexpr ObjectSchema kTopologySpreadConstraint{"io.k8s.api.core.v1.TopologySpreadConstraint",
                                                 kTopologySpreadConstraintFields};

constexpr Field kTaintFields[] = {
    field(1, "key", kString).required().formatted(Format::kQualifiedName),
    field(2, "value", kString).formatted(Format::kLabelValue),
    field(3, "effect", kString).required().one_of("NoSchedule PreferNoSchedule NoExecute"),
    field(4, "timeAdded", kTime),
};
constexpr ObjectSchema kTaint{"io.k8s.api.core.v1.Taint", kTaintFields};

}  // namespace ebb::schema
