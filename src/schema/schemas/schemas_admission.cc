// Webhook configurations. The two kinds of webhooks differ in one field and a few numbers.
#include "schema/schemas/schemas_admission.h"

#include "schema/schemas/schemas_meta.h"

namespace ebb::schema {

using enum Type;

constexpr Field kServiceReferenceFields[] = {
    field(1, "namespace", kString).always(),
    field(2, "name", kString).always(),
    field(3, "path", kString).optional_zero(),
    field(4, "port", kInt32).optional_zero().by_default("443"),
};
constexpr ObjectSchema kServiceReference{"io.k8s.api.admissionregistration.v1.ServiceReference",
                                         kServiceReferenceFields};

constexpr Field kWebhookClientConfigFields[] = {
    field(3, "url", kString).optional_zero(),
    field(1, "service", kServiceReference).optional_zero(),
    field(2, "caBundle", kBytes),
};
constexpr ObjectSchema kWebhookClientConfig{
    "io.k8s.api.admissionregistration.v1.WebhookClientConfig", kWebhookClientConfigFields};

constexpr Field kRuleFields[] = {
    list(1, "apiGroups", kString),
    list(2, "apiVersions", kString),
    list(3, "resources", kString),
    field(4, "scope", kString).optional_zero().by_default(R"("*")").one_of("* Cluster Namespaced"),
};
constexpr ObjectSchema kRule{"io.k8s.api.admissionregistration.v1.Rule", kRuleFields};

constexpr Field kRuleWithOperationsFields[] = {
    list(1, "operations", kString).one_of("* CONNECT CREATE DELETE UPDATE"),
    field(2, "rule", kRule).inlined(),
};
constexpr ObjectSchema kRuleWithOperations{"io.k8s.api.admissionregistration.v1.RuleWithOperations",
                                           kRuleWithOperationsFields};

constexpr Field kMatchConditionFields[] = {
    field(1, "name", kString).always(),
    field(2, "expression", kString).always(),
};
constexpr ObjectSchema kMatchCondition{"io.k8s.api.admissionregistration.v1.MatchCondition",
                                       kMatchConditionFields};

constexpr Field kName = field(1, "name", kString).always();
constexpr Field kClientConfig = field(2, "clientConfig", kWebhookClientConfig).always();
constexpr Field kRules = list(3, "rules", kRuleWithOperations);
constexpr Field kFailurePolicy = field(4, "failurePolicy", kString)
                                     .optional_zero()
                                     .by_default(R"("Fail")")
                                     .one_of("Fail Ignore");
constexpr Field kMatchPolicy = field(9, "matchPolicy", kString)
                                   .optional_zero()
                                   .by_default(R"("Equivalent")")
                                   .one_of("Equivalent Exact");
constexpr Field kNamespaceSelector =
    field(5, "namespaceSelector", kLabelSelector).optional_zero().by_default("{}");
constexpr Field kSideEffects =
    field(6, "sideEffects", kString).optional_zero().one_of("None NoneOnDryRun");
// Its bounds have special messages (apiserver/validation/check_webhooks.cc).
constexpr Field kTimeoutSeconds =
    field(7, "timeoutSeconds", kInt32).optional_zero().by_default("10");
constexpr Field kReviewVersions = list(8, "admissionReviewVersions", kString);

constexpr Field object_selector(std::uint16_t number) {
  return field(number, "objectSelector", kLabelSelector).optional_zero().by_default("{}");
}

constexpr Field match_conditions(std::uint16_t number) {
  return list(number, "matchConditions", kMatchCondition).merged_by("name");
}

constexpr Field kMutatingWebhookFields[] = {
    kName,
    kClientConfig,
    kRules,
    kFailurePolicy,
    kMatchPolicy,
    kNamespaceSelector,
    object_selector(11),
    kSideEffects,
    kTimeoutSeconds,
    kReviewVersions,
    field(10, "reinvocationPolicy", kString)
        .optional_zero()
        .by_default(R"("Never")")
        .one_of("IfNeeded Never"),
    match_conditions(12),
};
constexpr ObjectSchema kMutatingWebhook{"io.k8s.api.admissionregistration.v1.MutatingWebhook",
                                        kMutatingWebhookFields};

constexpr Field kValidatingWebhookFields[] = {
    kName,
    kClientConfig,
    kRules,
    kFailurePolicy,
    kMatchPolicy,
    kNamespaceSelector,
    object_selector(10),
    kSideEffects,
    kTimeoutSeconds,
    kReviewVersions,
    match_conditions(11),
};
constexpr ObjectSchema kValidatingWebhook{"io.k8s.api.admissionregistration.v1.ValidatingWebhook",
                                          kValidatingWebhookFields};

constexpr Field kMutatingWebhookConfigurationFields[] = {
    kKindField,
    kApiVersionField,
    field(1, "metadata", kObjectMeta).always(),
    list(2, "webhooks", kMutatingWebhook).merged_by("name"),
};
constexpr ObjectSchema kMutatingWebhookConfiguration{
    "io.k8s.api.admissionregistration.v1.MutatingWebhookConfiguration",
    kMutatingWebhookConfigurationFields};

constexpr Field kValidatingWebhookConfigurationFields[] = {
    kKindField,
    kApiVersionField,
    field(1, "metadata", kObjectMeta).always(),
    list(2, "webhooks", kValidatingWebhook).merged_by("name"),
};
constexpr ObjectSchema kValidatingWebhookConfiguration{
    "io.k8s.api.admissionregistration.v1.ValidatingWebhookConfiguration",
    kValidatingWebhookConfigurationFields};

}  // namespace ebb::schema
