// Deployments and ReplicaSets, with the pod picker field of ebb's API server.
#include "schema/schemas/schemas_apps.h"

#include "schema/schemas/defaults.h"
#include "schema/schemas/schemas_ebb.h"
#include "schema/schemas/schemas_meta.h"
#include "schema/schemas/schemas_pod.h"

namespace ebb::schema {

using enum Type;

constexpr Field kRollingUpdateDeploymentFields[] = {
    field(1, "maxUnavailable", kIntOrString).optional_zero().by_default(R"("25%")"),
    field(2, "maxSurge", kIntOrString).optional_zero().by_default(R"("25%")"),
};
constexpr ObjectSchema kRollingUpdateDeployment{"io.k8s.api.apps.v1.RollingUpdateDeployment",
                                                kRollingUpdateDeploymentFields};

constexpr Field kDeploymentStrategyFields[] = {
    field(1, "type", kString).by_default(R"("RollingUpdate")").one_of("Recreate RollingUpdate"),
    field(2, "rollingUpdate", kRollingUpdateDeployment)
        .optional_zero()
        .by_default(default_rolling_update),
};
constexpr ObjectSchema kDeploymentStrategy{"io.k8s.api.apps.v1.DeploymentStrategy",
                                           kDeploymentStrategyFields};

constexpr Field kDeploymentSpecFields[] = {
    field(1, "replicas", kInt32).optional_zero().by_default("1").at_least(0),
    field(2, "selector", kLabelSelector).optional_zero().required(),
    field(3, "template", kPodTemplateSpec).always(),
    field(4, "strategy", kDeploymentStrategy).always().retaining_keys(),
    field(5, "minReadySeconds", kInt32).at_least(0),
    field(6, "revisionHistoryLimit", kInt32).optional_zero().by_default("10").at_least(0),
    field(7, "paused", kBool),
    field(9, "progressDeadlineSeconds", kInt32).optional_zero().by_default("600").at_least(0),
    field(1000, "downscalePodPicker", kPodPicker).optional_zero(),
};
constexpr ObjectSchema kDeploymentSpec{"io.k8s.api.apps.v1.DeploymentSpec", kDeploymentSpecFields};

// clang-format off
constexpr Field kDeploymentConditionFields[] = {
    field(1, "type", kString).always(),
    field(2, "status", kString).always(),
    field(6, "lastUpdateTime", kTime).null_if_absent(),
    field(7, "lastTransitionTime", kTime).null_if_absent(),
    field(4, "reason", kString),
    field(5, "message", kString),
};
// clang-format on
constexpr ObjectSchema kDeploymentCondition{"io.k8s.api.apps.v1.DeploymentCondition",
                                            kDeploymentConditionFields};

constexpr Field kDeploymentStatusFields[] = {
    field(1, "observedGeneration", kInt64).at_least(0),
    field(2, "replicas", kInt32).at_least(0),
    field(3, "updatedReplicas", kInt32).at_least(0),
    field(7, "readyReplicas", kInt32).at_least(0),
    field(4, "availableReplicas", kInt32).at_least(0),
    field(5, "unavailableReplicas", kInt32).at_least(0),
    field(9, "terminatingReplicas", kInt32).optional_zero().at_least(0),
    list(6, "conditions", kDeploymentCondition).merged_by("type"),
    field(8, "collisionCount", kInt32).optional_zero().at_least(0),
};
constexpr ObjectSchema kDeploymentStatus{"io.k8s.api.apps.v1.DeploymentStatus",
                                         kDeploymentStatusFields};

constexpr Field kDeploymentFields[] = {
    kKindField,
    kApiVersionField,
    field(1, "metadata", kObjectMeta).always(),
    field(2, "spec", kDeploymentSpec).always(),
    field(3, "status", kDeploymentStatus).always(),
};
constexpr ObjectSchema kDeployment{"io.k8s.api.apps.v1.Deployment", kDeploymentFields};

constexpr Field kReplicaSetSpecFields[] = {
    field(1, "replicas", kInt32).optional_zero().by_default("1").at_least(0),
    field(4, "minReadySeconds", kInt32).at_least(0),
    field(2, "selector", kLabelSelector).optional_zero().required(),
    field(3, "template", kPodTemplateSpec).always(),
    field(1000, "downscalePodPicker", kPodPicker).optional_zero(),
};
constexpr ObjectSchema kReplicaSetSpec{"io.k8s.api.apps.v1.ReplicaSetSpec", kReplicaSetSpecFields};

// clang-format off
constexpr Field kReplicaSetConditionFields[] = {
    field(1, "type", kString).always(),
    field(2, "status", kString).always(),
    field(3, "lastTransitionTime", kTime).null_if_absent(),
    field(4, "reason", kString),
    field(5, "message", kString),
};
// clang-format on
constexpr ObjectSchema kReplicaSetCondition{"io.k8s.api.apps.v1.ReplicaSetCondition",
                                            kReplicaSetConditionFields};

constexpr Field kReplicaSetStatusFields[] = {
    field(1, "replicas", kInt32).always().at_least(0),
    field(2, "fullyLabeledReplicas", kInt32).at_least(0),
    field(4, "readyReplicas", kInt32).at_least(0),
    field(5, "availableReplicas", kInt32).at_least(0),
    field(7, "terminatingReplicas", kInt32).optional_zero().at_least(0),
    field(3, "observedGeneration", kInt64).at_least(0),
    list(6, "conditions", kReplicaSetCondition).merged_by("type"),
};
constexpr ObjectSchema kReplicaSetStatus{"io.k8s.api.apps.v1.ReplicaSetStatus",
                                         kReplicaSetStatusFields};

constexpr Field kReplicaSetFields[] = {
    kKindField,
    kApiVersionField,
    field(1, "metadata", kObjectMeta).always(),
    field(2, "spec", kReplicaSetSpec).always(),
    field(3, "status", kReplicaSetStatus).always(),
};
constexpr ObjectSchema kReplicaSet{"io.k8s.api.apps.v1.ReplicaSet", kReplicaSetFields};

}  // namespace ebb::schema
