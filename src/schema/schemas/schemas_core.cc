// The small kinds of the core group.
#include "schema/schemas/schemas_core.h"

#include "schema/schemas/defaults.h"
#include "schema/schemas/schemas_meta.h"
#include "schema/schemas/schemas_references.h"

namespace ebb::schema {

using enum Type;

constexpr Field kNamespaceSpecFields[] = {
    list(1, "finalizers", kString),
};
constexpr ObjectSchema kNamespaceSpec{"io.k8s.api.core.v1.NamespaceSpec", kNamespaceSpecFields};

// clang-format off
constexpr Field kNamespaceConditionFields[] = {
    field(1, "type", kString).always(),
    field(2, "status", kString).always(),
    field(4, "lastTransitionTime", kTime).null_if_absent(),
    field(5, "reason", kString),
    field(6, "message", kString),
};
// clang-format on
constexpr ObjectSchema kNamespaceCondition{"io.k8s.api.core.v1.NamespaceCondition",
                                           kNamespaceConditionFields};

constexpr Field kNamespaceStatusFields[] = {
    field(1, "phase", kString).by_default(R"("Active")"),
    list(2, "conditions", kNamespaceCondition).merged_by("type"),
};
constexpr ObjectSchema kNamespaceStatus{"io.k8s.api.core.v1.NamespaceStatus",
                                        kNamespaceStatusFields};

constexpr Field kNamespaceFields[] = {
    kKindField,
    kApiVersionField,
    field(1, "metadata", kObjectMeta).always(),
    field(2, "spec", kNamespaceSpec).always(),
    field(3, "status", kNamespaceStatus).always(),
};
constexpr ObjectSchema kNamespace{"io.k8s.api.core.v1.Namespace", kNamespaceFields,
                                  complete_namespace};

constexpr Field kSecretFields[] = {
    kKindField,
    kApiVersionField,
    field(1, "metadata", kObjectMeta).always(),
    field(5, "immutable", kBool).optional_zero(),
    map(2, "data", kBytes),
    map(4, "stringData", kString),
    field(3, "type", kString).by_default(R"("Opaque")"),
};
constexpr ObjectSchema kSecret{"io.k8s.api.core.v1.Secret", kSecretFields};

constexpr Field kEventSourceFields[] = {
    field(1, "component", kString),
    field(2, "host", kString),
};
constexpr ObjectSchema kEventSource{"io.k8s.api.core.v1.EventSource", kEventSourceFields};

constexpr Field kEventSeriesFields[] = {
    field(1, "count", kInt32),
    field(2, "lastObservedTime", kMicroTime).null_if_absent(),
};
constexpr ObjectSchema kEventSeries{"io.k8s.api.core.v1.EventSeries", kEventSeriesFields};

constexpr Field kEventFields[] = {
    kKindField,
    kApiVersionField,
    field(1, "metadata", kObjectMeta).always(),
    field(2, "involvedObject", kObjectReference).always(),
    field(3, "reason", kString),
    field(4, "message", kString),
    field(5, "source", kEventSource).always(),
    field(6, "firstTimestamp", kTime).null_if_absent(),
    field(7, "lastTimestamp", kTime).null_if_absent(),
    field(8, "count", kInt32),
    field(9, "type", kString),
    field(10, "eventTime", kMicroTime).null_if_absent(),
    field(11, "series", kEventSeries).optional_zero(),
    field(12, "action", kString),
    field(13, "related", kObjectReference).optional_zero(),
    field(14, "reportingComponent", kString).always(),
    field(15, "reportingInstance", kString).always(),
};
constexpr ObjectSchema kEvent{"io.k8s.api.core.v1.Event", kEventFields};

constexpr Field kConfigMapFields[] = {
    kKindField,
    kApiVersionField,
    field(1, "metadata", kObjectMeta).always(),
    field(4, "immutable", kBool).optional_zero(),
    map(2, "data", kString),
    map(3, "binaryData", kBytes),
};
constexpr ObjectSchema kConfigMap{"io.k8s.api.core.v1.ConfigMap", kConfigMapFields};

constexpr Field kServiceAccountFields[] = {
    kKindField,
    kApiVersionField,
    field(1, "metadata", kObjectMeta).always(),
    list(2, "secrets", kObjectReference).merged_by("name"),
    list(3, "imagePullSecrets", kLocalObjectReference),
    field(4, "automountServiceAccountToken", kBool).optional_zero(),
};
constexpr ObjectSchema kServiceAccount{"io.k8s.api.core.v1.ServiceAccount", kServiceAccountFields};

}  // namespace ebb::schema
