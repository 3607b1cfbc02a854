#include "schema/schemas/schemas_reviews.h"

#include <array>

#include "schema/schemas/schemas_meta.h"

namespace ebb::schema {
namespace {

using enum Type;

constexpr Field kResourceAttributesFields[] = {
    field(1, "namespace", kString), field(2, "verb", kString),     field(3, "group", kString),
    field(4, "version", kString),   field(5, "resource", kString), field(6, "subresource", kString),
    field(7, "name", kString),
};
constexpr ObjectSchema kResourceAttributes{"io.k8s.api.authorization.v1.ResourceAttributes",
                                           kResourceAttributesFields};

constexpr Field kNonResourceAttributesFields[] = {
    field(1, "path", kString),
    field(2, "verb", kString),
};
constexpr ObjectSchema kNonResourceAttributes{"io.k8s.api.authorization.v1.NonResourceAttributes",
                                              kNonResourceAttributesFields};

constexpr Field kAccessSpecFields[] = {
    field(1, "resourceAttributes", kResourceAttributes),
    field(2, "nonResourceAttributes", kNonResourceAttributes),
};
constexpr ObjectSchema kSelfAccessSpec{"io.k8s.api.authorization.v1.SelfSubjectAccessReviewSpec",
                                       kAccessSpecFields};

constexpr Field kSubjectAccessSpecFields[] = {
    field(1, "resourceAttributes", kResourceAttributes),
    field(2, "nonResourceAttributes", kNonResourceAttributes),
    field(3, "user", kString),
    list(4, "groups", kString),
    field(6, "uid", kString),
};
constexpr ObjectSchema kSubjectAccessSpec{"io.k8s.api.authorization.v1.SubjectAccessReviewSpec",
                                          kSubjectAccessSpecFields};

constexpr Field kAccessStatusFields[] = {
    field(1, "allowed", kBool).always(),
    field(2, "reason", kString),
    field(3, "evaluationError", kString),
    field(4, "denied", kBool),
};
constexpr ObjectSchema kAccessStatus{"io.k8s.api.authorization.v1.SubjectAccessReviewStatus",
                                     kAccessStatusFields};

constexpr Field kSelfAccessFields[] = {
    kKindField,
    kApiVersionField,
    field(1, "metadata", kObjectMeta).always(),
    field(2, "spec", kSelfAccessSpec).always(),
    field(3, "status", kAccessStatus).always(),
};
constexpr ObjectSchema kSelfAccess{"io.k8s.api.authorization.v1.SelfSubjectAccessReview",
                                   kSelfAccessFields};

constexpr Field kSubjectAccessFields[] = {
    kKindField,
    kApiVersionField,
    field(1, "metadata", kObjectMeta).always(),
    field(2, "spec", kSubjectAccessSpec).always(),
    field(3, "status", kAccessStatus).always(),
};
constexpr ObjectSchema kSubjectAccess{"io.k8s.api.authorization.v1.SubjectAccessReview",
                                      kSubjectAccessFields};
constexpr ObjectSchema kLocalSubjectAccess{"io.k8s.api.authorization.v1.LocalSubjectAccessReview",
                                           kSubjectAccessFields};

constexpr Field kResourceRuleFields[] = {
    list(1, "verbs", kString),
    list(2, "apiGroups", kString),
    list(3, "resources", kString),
    list(4, "resourceNames", kString),
};
constexpr ObjectSchema kResourceRule{"io.k8s.api.authorization.v1.ResourceRule",
                                     kResourceRuleFields};

constexpr Field kNonResourceRuleFields[] = {
    list(1, "verbs", kString),
    list(2, "nonResourceURLs", kString),
};
constexpr ObjectSchema kNonResourceRule{"io.k8s.api.authorization.v1.NonResourceRule",
                                        kNonResourceRuleFields};

constexpr Field kRulesStatusFields[] = {
    list(1, "resourceRules", kResourceRule),
    list(2, "nonResourceRules", kNonResourceRule),
    field(3, "incomplete", kBool).always(),
    field(4, "evaluationError", kString),
};
constexpr ObjectSchema kRulesStatus{"io.k8s.api.authorization.v1.SubjectRulesReviewStatus",
                                    kRulesStatusFields};

constexpr Field kRulesSpecFields[] = {field(1, "namespace", kString)};
constexpr ObjectSchema kRulesSpec{"io.k8s.api.authorization.v1.SelfSubjectRulesReviewSpec",
                                  kRulesSpecFields};

constexpr Field kRulesFields[] = {
    kKindField,
    kApiVersionField,
    field(1, "metadata", kObjectMeta).always(),
    field(2, "spec", kRulesSpec).always(),
    field(3, "status", kRulesStatus).always(),
};
constexpr ObjectSchema kRules{"io.k8s.api.authorization.v1.SelfSubjectRulesReview", kRulesFields};

constexpr Field kUserInfoFields[] = {
    field(1, "username", kString),
    field(2, "uid", kString),
    list(3, "groups", kString),
};
constexpr ObjectSchema kUserInfo{"io.k8s.api.authentication.v1.UserInfo", kUserInfoFields};

constexpr Field kSelfStatusFields[] = {field(1, "userInfo", kUserInfo)};
constexpr ObjectSchema kSelfStatus{"io.k8s.api.authentication.v1.SelfSubjectReviewStatus",
                                   kSelfStatusFields};

constexpr Field kSelfFields[] = {
    kKindField,
    kApiVersionField,
    field(1, "metadata", kObjectMeta).always(),
    field(2, "status", kSelfStatus).always(),
};
constexpr ObjectSchema kSelf{"io.k8s.api.authentication.v1.SelfSubjectReview", kSelfFields};

constexpr Kind review(std::string_view group, std::string_view name, std::string_view plural,
                      std::string_view singular, const ObjectSchema& schema,
                      bool namespaced = false) {
  return {.group = group,
          .version = "v1",
          .name = name,
          .plural = plural,
          .singular = singular,
          .namespaced = namespaced,
          .schema = &schema};
}

constexpr std::string_view kAuthentication = "authentication.k8s.io";
constexpr std::string_view kAuthorization = "authorization.k8s.io";

constexpr std::array kReviews{
    review(kAuthentication, "SelfSubjectReview", "selfsubjectreviews", "selfsubjectreview", kSelf),
    review(kAuthorization, "LocalSubjectAccessReview", "localsubjectaccessreviews",
           "localsubjectaccessreview", kLocalSubjectAccess, true),
    review(kAuthorization, "SelfSubjectAccessReview", "selfsubjectaccessreviews",
           "selfsubjectaccessreview", kSelfAccess),
    review(kAuthorization, "SelfSubjectRulesReview", "selfsubjectrulesreviews",
           "selfsubjectrulesreview", kRules),
    review(kAuthorization, "SubjectAccessReview", "subjectaccessreviews", "subjectaccessreview",
           kSubjectAccess),
};

}  // namespace

std::span<const Kind> review_kinds() { return kReviews; }

}  // namespace ebb::schema
