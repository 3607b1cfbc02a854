// Our own kinds: how a workload wants to be scaled down, and the ranks of its pods. They are
// custom kinds elsewhere, where what was written is kept as it is; hence every plain value
// keeps its zero. `scheme` has no list of choices because any case will do.
#include "schema/shapes_ebb.h"

#include "schema/defaults.h"
#include "schema/ranking_rules.h"
#include "schema/shapes_meta.h"

namespace ebb::schema {

using enum Type;

constexpr Field kPickerSecretKeyFields[] = {
    field(1, "name", kString).required().formatted(Format::kDnsSubdomain),
    field(2, "key", kString).required(),
    field(3, "optional", kBool).optional_zero(),
};
constexpr Shape kPickerSecretKey{"dev.ebb.v1alpha1.SecretKeySelector", kPickerSecretKeyFields};

constexpr Field kPickerHeaderSourceFields[] = {
    field(1, "secretKeyRef", kPickerSecretKey).optional_zero().required(),
};
constexpr Shape kPickerHeaderSource{"dev.ebb.v1alpha1.PickerHeaderSource",
                                    kPickerHeaderSourceFields};

constexpr Field kPickerHeaderFields[] = {
    field(1, "name", kString).required(),
    field(2, "value", kString).optional_zero(),
    field(3, "valueFrom", kPickerHeaderSource).optional_zero(),
};
constexpr Shape kPickerHeader{"dev.ebb.v1alpha1.PickerHeader", kPickerHeaderFields};

constexpr Field kPickerSecretFields[] = {
    field(1, "name", kString).required().formatted(Format::kDnsSubdomain),
};
constexpr Shape kPickerSecret{"dev.ebb.v1alpha1.SecretReference", kPickerSecretFields};

constexpr Field kClientCertificateFields[] = {
    field(1, "secretRef", kPickerSecret).optional_zero().required(),
};
constexpr Shape kClientCertificate{"dev.ebb.v1alpha1.ClientCertificate", kClientCertificateFields};

constexpr Field kHttpPickerFields[] = {
    field(1, "scheme", kString).by_default(R"("http")"),
    field(2, "host", kString).required(),
    field(3, "port", kIntOrString).optional_zero().by_default(default_http_picker_port),
    field(4, "path", kString).by_default(R"("/")"),
    list(5, "httpHeaders", kPickerHeader),
    field(6, "caBundle", kBytes),
    field(7, "serverName", kString),
    field(8, "clientCertificate", kClientCertificate).optional_zero(),
};
constexpr Shape kHttpPicker{"dev.ebb.v1alpha1.HttpPicker", kHttpPickerFields};

constexpr Field kGrpcPickerFields[] = {
    field(1, "host", kString).required(),
    field(2, "port", kIntOrString).optional_zero().by_default(default_grpc_picker_port),
    field(3, "tls", kBool).optional_zero(),
    list(4, "metadata", kPickerHeader),
    field(5, "caBundle", kBytes),
    field(6, "serverName", kString),
    field(7, "clientCertificate", kClientCertificate).optional_zero(),
};
constexpr Shape kGrpcPicker{"dev.ebb.v1alpha1.GrpcPicker", kGrpcPickerFields};

constexpr Field kPodPickerFields[] = {
    field(1, "http", kHttpPicker).optional_zero(),
    field(2, "grpc", kGrpcPicker).optional_zero(),
    field(3, "context", kString).by_default(R"("names")").one_of("full names"),
    field(4, "timeoutSeconds", kInt32).optional_zero().by_default("1").at_least(1).at_most(30),
    field(5, "maxRetries", kInt32).optional_zero().by_default("3").at_least(0).at_most(10),
};
constexpr Shape kPodPicker{"dev.ebb.v1alpha1.PodPicker", kPodPickerFields};

constexpr Field kTargetReferenceFields[] = {
    field(1, "apiVersion", kString).by_default(R"("apps/v1")").one_of("apps/v1"),
    field(2, "kind", kString).required().one_of("Deployment ReplicaSet"),
    field(3, "name", kString).required().formatted(Format::kDnsSubdomain),
};
constexpr Shape kTargetReference{"dev.ebb.v1alpha1.TargetReference", kTargetReferenceFields};

// Those of all strategies together; ranking_rules.h says which has which.
constexpr Field kRankingArgsFields[] = {
    field(1, "topologyKey", kString).optional_zero(),
    field(2, "count", kString).optional_zero(),
    field(3, "label", kString).optional_zero(),
    map(4, "prices", kDouble).optional_zero().at_least(0),
    field(5, "annotation", kString).optional_zero(),
};
constexpr Shape kRankingArgs{"dev.ebb.v1alpha1.RankingArgs", kRankingArgsFields};

constexpr Field kRankingStrategyFields[] = {
    field(1, "name", kString).required().one_of(kStrategyNames),
    field(2, "weight", kInt32)
        .optional_zero()
        .by_default("1")
        .at_least(0)
        .at_most(kMostStrategyWeight),
    field(3, "threshold", kInt32).optional_zero().at_least(0),
    field(4, "args", kRankingArgs).optional_zero(),
};
constexpr Shape kRankingStrategy{"dev.ebb.v1alpha1.RankingStrategy", kRankingStrategyFields};

constexpr Field kRankingFields[] = {
    field(1, "preset", kString).one_of(kPresetNames),
    list(2, "strategies", kRankingStrategy),
    field(3, "exact", kBool).optional_zero().by_default("false"),
    field(4, "publish", kString).by_default(R"("PodGroupCost")").one_of(kPublishChoices),
    field(5, "waitSeconds", kInt32).optional_zero().at_least(0).at_most(kMostWaitSeconds),
    field(6, "duringRollouts", kBool).optional_zero().by_default("false"),
};
constexpr Shape kRanking{"dev.ebb.v1alpha1.Ranking", kRankingFields};

constexpr Field kDownscalePolicySpecFields[] = {
    field(1, "targetRef", kTargetReference).optional_zero().required(),
    field(2, "podPicker", kPodPicker).optional_zero(),
    field(3, "ranking", kRanking).optional_zero(),
};
constexpr Shape kDownscalePolicySpec{"dev.ebb.v1alpha1.DownscalePolicySpec",
                                     kDownscalePolicySpecFields};

constexpr Field kDownscalePolicyStatusFields[] = {
    field(1, "observedGeneration", kInt64).optional_zero(),
    list(2, "conditions", kCondition).merged_by("type"),
    field(3, "lastDecision", kAny),
};
constexpr Shape kDownscalePolicyStatus{"dev.ebb.v1alpha1.DownscalePolicyStatus",
                                       kDownscalePolicyStatusFields};

constexpr Field kDownscalePolicyFields[] = {
    kKindField,
    kApiVersionField,
    field(1, "metadata", kObjectMeta).always(),
    field(2, "spec", kDownscalePolicySpec).optional_zero().required(),
    field(3, "status", kDownscalePolicyStatus).optional_zero(),
};
constexpr Shape kDownscalePolicy{"dev.ebb.v1alpha1.DownscalePolicy", kDownscalePolicyFields};

constexpr Field kPodGroupOwnerFields[] = {
    field(1, "kind", kString).required().one_of("Deployment ReplicaSet"),
    field(2, "name", kString).required().formatted(Format::kDnsSubdomain),
    field(3, "uid", kString),
};
constexpr Shape kPodGroupOwner{"dev.ebb.v1alpha1.PodGroupOwner", kPodGroupOwnerFields};

constexpr Field kPodGroupCostSpecFields[] = {
    field(1, "owner", kPodGroupOwner).optional_zero().required(),
    map(2, "costs", kInt32),
};
constexpr Shape kPodGroupCostSpec{"dev.ebb.v1alpha1.PodGroupCostSpec", kPodGroupCostSpecFields};

constexpr Field kPodGroupCostStatusFields[] = {
    field(1, "podSetHash", kString),
    field(2, "recompute", kBool).optional_zero(),
    field(3, "observedGeneration", kInt64).optional_zero(),
};
constexpr Shape kPodGroupCostStatus{"dev.ebb.v1alpha1.PodGroupCostStatus",
                                    kPodGroupCostStatusFields};

constexpr Field kPodGroupCostFields[] = {
    kKindField,
    kApiVersionField,
    field(1, "metadata", kObjectMeta).always(),
    field(2, "spec", kPodGroupCostSpec).optional_zero().required(),
    field(3, "status", kPodGroupCostStatus).optional_zero(),
};
constexpr Shape kPodGroupCost{"dev.ebb.v1alpha1.PodGroupCost", kPodGroupCostFields};

}  // namespace ebb::schema
