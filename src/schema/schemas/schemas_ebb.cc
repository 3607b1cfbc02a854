// ebb's own kinds: the scale-down policy of a workload, the ranks of its pods, and the records of
// its scale-downs. Other API servers have them as custom kinds and store what was written
// unchanged; hence every plain value keeps its zero. `scheme` has no choices because it is
// case-insensitive.
#include "schema/schemas/schemas_ebb.h"

#include "schema/core/ranking_rules.h"
#include "schema/schemas/defaults.h"
#include "schema/schemas/schemas_meta.h"

namespace ebb::schema {

using enum Type;

constexpr Field kPickerSecretKeyFields[] = {
    field(1, "name", kString).required().formatted(Format::kDnsSubdomain),
    field(2, "key", kString).required(),
    field(3, "optional", kBool).optional_zero(),
};
constexpr ObjectSchema kPickerSecretKey{"dev.ebb.v1alpha1.SecretKeySelector",
                                        kPickerSecretKeyFields};

constexpr Field kPickerHeaderSourceFields[] = {
    field(1, "secretKeyRef", kPickerSecretKey).optional_zero().required(),
};
constexpr ObjectSchema kPickerHeaderSource{"dev.ebb.v1alpha1.PickerHeaderSource",
                                           kPickerHeaderSourceFields};

constexpr Field kPickerHeaderFields[] = {
    field(1, "name", kString).required(),
    field(2, "value", kString).optional_zero(),
    field(3, "valueFrom", kPickerHeaderSource).optional_zero(),
};
constexpr ObjectSchema kPickerHeader{"dev.ebb.v1alpha1.PickerHeader", kPickerHeaderFields};

constexpr Field kPickerSecretFields[] = {
    field(1, "name", kString).required().formatted(Format::kDnsSubdomain),
};
constexpr ObjectSchema kPickerSecret{"dev.ebb.v1alpha1.SecretReference", kPickerSecretFields};

constexpr Field kClientCertificateFields[] = {
    field(1, "secretRef", kPickerSecret).optional_zero().required(),
};
constexpr ObjectSchema kClientCertificate{"dev.ebb.v1alpha1.ClientCertificate",
                                          kClientCertificateFields};

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
constexpr ObjectSchema kHttpPicker{"dev.ebb.v1alpha1.HttpPicker", kHttpPickerFields};

constexpr Field kGrpcPickerFields[] = {
    field(1, "host", kString).required(),
    field(2, "port", kIntOrString).optional_zero().by_default(default_grpc_picker_port),
    field(3, "tls", kBool).optional_zero(),
    list(4, "metadata", kPickerHeader),
    field(5, "caBundle", kBytes),
    field(6, "serverName", kString),
    field(7, "clientCertificate", kClientCertificate).optional_zero(),
};
constexpr ObjectSchema kGrpcPicker{"dev.ebb.v1alpha1.GrpcPicker", kGrpcPickerFields};

constexpr Field kPodPickerFields[] = {
    field(1, "http", kHttpPicker).optional_zero(),
    field(2, "grpc", kGrpcPicker).optional_zero(),
    field(3, "context", kString).by_default(R"("names")").one_of("full names"),
    field(4, "timeoutSeconds", kInt32).optional_zero().by_default("1").at_least(1).at_most(30),
    field(5, "maxRetries", kInt32).optional_zero().by_default("3").at_least(0).at_most(10),
};
constexpr ObjectSchema kPodPicker{"dev.ebb.v1alpha1.PodPicker", kPodPickerFields};

constexpr Field kTargetReferenceFields[] = {
    field(1, "apiVersion", kString).by_default(R"("apps/v1")").formatted(Format::kApiVersion),
    field(2, "kind", kString).required().formatted(Format::kKind),
    field(3, "name", kString).required().formatted(Format::kDnsSubdomain),
};
constexpr ObjectSchema kTargetReference{"dev.ebb.v1alpha1.TargetReference", kTargetReferenceFields};

// The arguments of all strategies together; ranking_rules.h lists them by strategy.
constexpr Field kRankingArgsFields[] = {
    field(1, "topologyKey", kString).optional_zero(),
    field(2, "count", kString).optional_zero(),
    field(3, "label", kString).optional_zero(),
    map(4, "prices", kDouble).optional_zero().at_least(0),
    field(5, "annotation", kString).optional_zero(),
};
constexpr ObjectSchema kRankingArgs{"dev.ebb.v1alpha1.RankingArgs", kRankingArgsFields};

constexpr Field kRankingStrategyFields[] = {
    field(1, "name", kString).required().one_of(kStrategyNames),
    field(2, "weight", kInt32)
        .optional_zero()
        .by_default("1")
        .at_least(0)
        .at_most(kMaxStrategyWeight),
    field(3, "threshold", kInt32).optional_zero().at_least(0),
    field(4, "args", kRankingArgs).optional_zero(),
};
constexpr ObjectSchema kRankingStrategy{"dev.ebb.v1alpha1.RankingStrategy", kRankingStrategyFields};

constexpr Field kRankingFields[] = {
    field(1, "preset", kString).one_of(kPresetNames),
    list(2, "strategies", kRankingStrategy),
    field(3, "exact", kBool).optional_zero().by_default("false"),
    field(4, "publish", kString).by_default(R"("PodGroupCost")").one_of(kPublishChoices),
    field(5, "waitSeconds", kInt32).optional_zero().at_least(0).at_most(kMaxWaitSeconds),
    field(6, "duringRollouts", kBool).optional_zero().by_default("false"),
};
constexpr ObjectSchema kRanking{"dev.ebb.v1alpha1.Ranking", kRankingFields};

constexpr Field kDownscalePolicySpecFields[] = {
    field(1, "targetRef", kTargetReference).optional_zero().required(),
    field(2, "podPicker", kPodPicker).optional_zero(),
    field(3, "ranking", kRanking).optional_zero(),
    field(4, "deletionCost", kString).by_default(R"("Respect")").one_of("Ignore Respect"),
    field(5, "mode", kString).by_default(R"("Active")").one_of("Active Shadow"),
};
constexpr ObjectSchema kDownscalePolicySpec{"dev.ebb.v1alpha1.DownscalePolicySpec",
                                            kDownscalePolicySpecFields};

constexpr Field kShadowStatusFields[] = {
    field(1, "decisions", kInt64).optional_zero(),
    field(2, "victims", kInt64).optional_zero(),
    field(3, "agreed", kInt64).optional_zero(),
};
constexpr ObjectSchema kShadowStatus{"dev.ebb.v1alpha1.ShadowStatus", kShadowStatusFields};

constexpr Field kDownscalePolicyStatusFields[] = {
    field(1, "observedGeneration", kInt64).optional_zero(),
    list(2, "conditions", kCondition).merged_by("type"),
    field(3, "lastDecision", kAny),
    field(4, "shadow", kShadowStatus).optional_zero(),
};
constexpr ObjectSchema kDownscalePolicyStatus{"dev.ebb.v1alpha1.DownscalePolicyStatus",
                                              kDownscalePolicyStatusFields};

constexpr Field kDownscalePolicyFields[] = {
    kKindField,
    kApiVersionField,
    field(1, "metadata", kObjectMeta).always(),
    field(2, "spec", kDownscalePolicySpec).optional_zero().required(),
    field(3, "status", kDownscalePolicyStatus).optional_zero(),
};
constexpr ObjectSchema kDownscalePolicy{"dev.ebb.v1alpha1.DownscalePolicy", kDownscalePolicyFields};

constexpr Field kPodGroupOwnerFields[] = {
    field(1, "kind", kString).required().one_of("Deployment ReplicaSet"),
    field(2, "name", kString).required().formatted(Format::kDnsSubdomain),
    field(3, "uid", kString),
};
constexpr ObjectSchema kPodGroupOwner{"dev.ebb.v1alpha1.PodGroupOwner", kPodGroupOwnerFields};

constexpr Field kPodGroupCostSpecFields[] = {
    field(1, "owner", kPodGroupOwner).optional_zero().required(),
    map(2, "costs", kInt32),
};
constexpr ObjectSchema kPodGroupCostSpec{"dev.ebb.v1alpha1.PodGroupCostSpec",
                                         kPodGroupCostSpecFields};

constexpr Field kPodGroupCostStatusFields[] = {
    field(1, "podSetHash", kString),
    field(2, "recompute", kBool).optional_zero(),
    field(3, "observedGeneration", kInt64).optional_zero(),
};
constexpr ObjectSchema kPodGroupCostStatus{"dev.ebb.v1alpha1.PodGroupCostStatus",
                                           kPodGroupCostStatusFields};

constexpr Field kPodGroupCostFields[] = {
    kKindField,
    kApiVersionField,
    field(1, "metadata", kObjectMeta).always(),
    field(2, "spec", kPodGroupCostSpec).optional_zero().required(),
    field(3, "status", kPodGroupCostStatus).optional_zero(),
};
constexpr ObjectSchema kPodGroupCost{"dev.ebb.v1alpha1.PodGroupCost", kPodGroupCostFields};

// The fields of a decision record (control/core/decision.h). Names and kinds have no format,
// because API servers do not check owner references, and a record must not be refused for one.
constexpr Field kDecisionWorkloadFields[] = {
    field(1, "kind", kString).optional_zero(),
    field(2, "name", kString).optional_zero(),
};
constexpr ObjectSchema kDecisionWorkload{"dev.ebb.v1alpha1.DecisionWorkload",
                                         kDecisionWorkloadFields};

constexpr Field kDecisionReplicaSetFields[] = {
    field(1, "name", kString).optional_zero(),
    field(2, "uid", kString).optional_zero(),
};
constexpr ObjectSchema kDecisionReplicaSet{"dev.ebb.v1alpha1.DecisionReplicaSet",
                                           kDecisionReplicaSetFields};

constexpr Field kDecisionReplicasFields[] = {
    field(1, "from", kInt64).optional_zero(),
    field(2, "to", kInt64).optional_zero(),
};
constexpr ObjectSchema kDecisionReplicas{"dev.ebb.v1alpha1.DecisionReplicas",
                                         kDecisionReplicasFields};

constexpr Field kDecisionPickerFields[] = {
    field(1, "carrier", kString).optional_zero(),
    field(2, "outcome", kString).optional_zero(),
    field(3, "endpoint", kString).optional_zero(),
    field(4, "code", kInt32).optional_zero(),
    field(5, "problem", kString).optional_zero(),
    field(6, "requested", kInt64).optional_zero(),
    field(7, "attempts", kInt32).optional_zero(),
    field(8, "durationSeconds", kDouble).optional_zero(),
    field(9, "idempotencyKey", kString).optional_zero(),
    field(10, "chosen", kInt64).optional_zero(),
    field(11, "tied", kInt64).optional_zero(),
    field(12, "namesIgnored", kInt64).optional_zero(),
};
constexpr ObjectSchema kDecisionPicker{"dev.ebb.v1alpha1.DecisionPicker", kDecisionPickerFields};

constexpr Field kDecisionRankingFields[] = {
    field(1, "outcome", kString).optional_zero(),
    field(2, "policy", kString).optional_zero(),
    field(3, "carrier", kString).optional_zero(),
    field(4, "recompute", kBool).optional_zero(),
    field(5, "waitedSeconds", kDouble).optional_zero(),
    list(6, "problems", kString),
};
constexpr ObjectSchema kDecisionRanking{"dev.ebb.v1alpha1.DecisionRanking", kDecisionRankingFields};

constexpr Field kDecisionVictimFields[] = {
    field(1, "position", kInt64).optional_zero(),   field(2, "name", kString).optional_zero(),
    field(3, "uid", kString).optional_zero(),       field(4, "node", kString).optional_zero(),
    field(5, "decidedBy", kString).optional_zero(), field(6, "because", kString).optional_zero(),
    field(7, "outcome", kString).optional_zero(),
};
constexpr ObjectSchema kDecisionVictim{"dev.ebb.v1alpha1.DecisionVictim", kDecisionVictimFields};

constexpr Field kDecisionRemovedFields[] = {
    field(1, "name", kString).optional_zero(),   field(2, "uid", kString).optional_zero(),
    field(3, "node", kString).optional_zero(),   field(4, "agreed", kBool).optional_zero(),
    field(5, "keptBy", kString).optional_zero(), field(6, "because", kString).optional_zero(),
};
constexpr ObjectSchema kDecisionRemoved{"dev.ebb.v1alpha1.DecisionRemoved", kDecisionRemovedFields};

constexpr Field kDecisionActualFields[] = {
    field(1, "end", kString).optional_zero(),
    field(2, "agreed", kInt64).optional_zero(),
    list(3, "removed", kDecisionRemoved),
    field(4, "omittedRemoved", kInt64).optional_zero(),
};
constexpr ObjectSchema kDecisionActual{"dev.ebb.v1alpha1.DecisionActual", kDecisionActualFields};

constexpr Field kDownscaleDecisionSpecFields[] = {
    field(1, "id", kString).optional_zero(),
    field(2, "time", kMicroTime).optional_zero(),
    field(3, "workload", kDecisionWorkload).optional_zero(),
    field(4, "replicaSet", kDecisionReplicaSet).optional_zero(),
    field(5, "replicas", kDecisionReplicas).optional_zero(),
    field(6, "candidates", kInt64).optional_zero(),
    field(7, "gone", kInt64).optional_zero(),
    field(8, "decidedBy", kString).optional_zero(),
    field(9, "picker", kDecisionPicker).optional_zero(),
    field(10, "ranking", kDecisionRanking).optional_zero(),
    list(11, "consulted", kString),
    list(12, "victims", kDecisionVictim),
    field(13, "omittedVictims", kInt64).optional_zero(),
    field(14, "firstKept", kString).optional_zero(),
    map(15, "gates", kBool),
    field(16, "version", kString).optional_zero(),
    field(17, "shadow", kBool).optional_zero(),
    field(18, "agreement", kString).optional_zero(),
    field(19, "actual", kDecisionActual).optional_zero(),
};
constexpr ObjectSchema kDownscaleDecisionSpec{"dev.ebb.v1alpha1.DownscaleDecisionSpec",
                                              kDownscaleDecisionSpecFields};

constexpr Field kDownscaleDecisionFields[] = {
    kKindField,
    kApiVersionField,
    field(1, "metadata", kObjectMeta).always(),
    field(2, "spec", kDownscaleDecisionSpec).optional_zero().required(),
};
constexpr ObjectSchema kDownscaleDecision{"dev.ebb.v1alpha1.DownscaleDecision",
                                          kDownscaleDecisionFields};

}  // namespace ebb::schema
