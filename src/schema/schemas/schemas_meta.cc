// The structures that all objects share: metadata, conditions, label selectors, and the options of
// a deletion.
#include "schema/schemas/schemas_meta.h"

namespace ebb::schema {

using enum Type;

constexpr Field kOwnerReferenceFields[] = {
    field(5, "apiVersion", kString).required(),
    field(1, "kind", kString).required(),
    field(3, "name", kString).required(),
    field(4, "uid", kString).required(),
    field(6, "controller", kBool).optional_zero(),
    field(7, "blockOwnerDeletion", kBool).optional_zero(),
};
constexpr ObjectSchema kOwnerReference =
    owned_whole("io.k8s.apimachinery.pkg.apis.meta.v1.OwnerReference", kOwnerReferenceFields);

// clang-format off
constexpr Field kManagedFieldsEntryFields[] = {
    field(1, "manager", kString),
    field(2, "operation", kString),
    field(3, "apiVersion", kString),
    field(4, "time", kTime),
    field(6, "fieldsType", kString),
    field(7, "fieldsV1", kAny),
    field(8, "subresource", kString),
};
// clang-format on
constexpr ObjectSchema kManagedFieldsEntry{
    "io.k8s.apimachinery.pkg.apis.meta.v1.ManagedFieldsEntry", kManagedFieldsEntryFields};

constexpr Field kObjectMetaFields[] = {
    field(1, "name", kString),
    field(2, "generateName", kString),
    field(3, "namespace", kString),
    field(4, "selfLink", kString),
    field(5, "uid", kString),
    field(6, "resourceVersion", kString),
    field(7, "generation", kInt64),
    field(8, "creationTimestamp", kTime),
    field(9, "deletionTimestamp", kTime),
    field(10, "deletionGracePeriodSeconds", kInt64).optional_zero().at_least(0),
    map(11, "labels", kString),
    map(12, "annotations", kString),
    list(13, "ownerReferences", kOwnerReference).merged_by("uid"),
    list(14, "finalizers", kString).united(),
    list(17, "managedFields", kManagedFieldsEntry),
};
constexpr ObjectSchema kObjectMeta{"io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta",
                                   kObjectMetaFields};

// Kubernetes calls an empty key or operator invalid rather than missing.
constexpr Field kLabelSelectorRequirementFields[] = {
    field(1, "key", kString).always().formatted(Format::kQualifiedName),
    field(2, "operator", kString).always(),
    list(3, "values", kString),
};
constexpr ObjectSchema kLabelSelectorRequirement{
    "io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelectorRequirement",
    kLabelSelectorRequirementFields};

constexpr Field kLabelSelectorFields[] = {
    map(1, "matchLabels", kString),
    list(2, "matchExpressions", kLabelSelectorRequirement),
};
constexpr ObjectSchema kLabelSelector =
    owned_whole("io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector", kLabelSelectorFields);

// clang-format off
constexpr Field kConditionFields[] = {
    field(1, "type", kString).always(),
    field(2, "status", kString).always(),
    field(3, "observedGeneration", kInt64),
    field(4, "lastTransitionTime", kTime).null_if_absent(),
    field(5, "reason", kString).always(),
    field(6, "message", kString).always(),
};
// clang-format on
constexpr ObjectSchema kCondition{"io.k8s.apimachinery.pkg.apis.meta.v1.Condition",
                                  kConditionFields};

constexpr Field kPreconditionsFields[] = {
    field(1, "uid", kString).optional_zero(),
    field(2, "resourceVersion", kString).optional_zero(),
};
constexpr ObjectSchema kPreconditions{"io.k8s.apimachinery.pkg.apis.meta.v1.Preconditions",
                                      kPreconditionsFields};

constexpr Field kDeleteOptionsFields[] = {
    kKindField,
    kApiVersionField,
    field(1, "gracePeriodSeconds", kInt64).optional_zero(),
    field(2, "preconditions", kPreconditions).optional_zero(),
    field(3, "orphanDependents", kBool).optional_zero(),
    field(4, "propagationPolicy", kString).optional_zero(),
    list(5, "dryRun", kString),
    field(6, "ignoreStoreReadErrorWithClusterBreakingPotential", kBool).optional_zero(),
};
constexpr ObjectSchema kDeleteOptions{"io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions",
                                      kDeleteOptionsFields};

// clang-format off
constexpr Field kListMetaFields[] = {
    field(1, "selfLink", kString),
    field(2, "resourceVersion", kString),
    field(3, "continue", kString),
    field(4, "remainingItemCount", kInt64).optional_zero(),
};
// clang-format on
constexpr ObjectSchema kListMeta{"io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta", kListMetaFields};

constexpr Field kStatusCauseFields[] = {
    field(1, "reason", kString),
    field(2, "message", kString),
    field(3, "field", kString),
};
constexpr ObjectSchema kStatusCause{"io.k8s.apimachinery.pkg.apis.meta.v1.StatusCause",
                                    kStatusCauseFields};

constexpr Field kStatusDetailsFields[] = {
    field(1, "name", kString),       field(2, "group", kString),
    field(3, "kind", kString),       field(6, "uid", kString),
    list(4, "causes", kStatusCause), field(5, "retryAfterSeconds", kInt32),
};
constexpr ObjectSchema kStatusDetails{"io.k8s.apimachinery.pkg.apis.meta.v1.StatusDetails",
                                      kStatusDetailsFields};

constexpr Field kStatusFields[] = {
    kKindField,
    kApiVersionField,
    field(1, "metadata", kListMeta).always(),
    field(2, "status", kString),
    field(3, "message", kString),
    field(4, "reason", kString),
    field(5, "details", kStatusDetails).optional_zero(),
    field(6, "code", kInt32),
};
constexpr ObjectSchema kStatus{"io.k8s.apimachinery.pkg.apis.meta.v1.Status", kStatusFields};

constexpr Field kPartialObjectMetadataFields[] = {
    kKindField,
    kApiVersionField,
    field(1, "metadata", kObjectMeta).always(),
};
constexpr ObjectSchema kPartialObjectMetadata{
    "io.k8s.apimachinery.pkg.apis.meta.v1.PartialObjectMetadata", kPartialObjectMetadataFields};

}  // namespace ebb::schema
