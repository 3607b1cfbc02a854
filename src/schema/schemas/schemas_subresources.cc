// The documents posted to the subresources binding, eviction and scale.
#include "schema/schemas/schemas_subresources.h"

#include "schema/schemas/schemas_meta.h"
#include "schema/schemas/schemas_references.h"

namespace ebb::schema {

using enum Type;

constexpr Field kBindingFields[] = {
    kKindField,
    kApiVersionField,
    field(1, "metadata", kObjectMeta).always(),
    field(2, "target", kObjectReference).always(),
};
constexpr ObjectSchema kBinding{"io.k8s.api.core.v1.Binding", kBindingFields};

constexpr Field kEvictionFields[] = {
    kKindField,
    kApiVersionField,
    field(1, "metadata", kObjectMeta).always(),
    field(2, "deleteOptions", kDeleteOptions).optional_zero(),
};
constexpr ObjectSchema kEviction{"io.k8s.api.policy.v1.Eviction", kEvictionFields};

constexpr Field kScaleSpecFields[] = {
    field(1, "replicas", kInt32).at_least(0),
};
constexpr ObjectSchema kScaleSpec{"io.k8s.api.autoscaling.v1.ScaleSpec", kScaleSpecFields};

constexpr Field kScaleStatusFields[] = {
    field(1, "replicas", kInt32).always(),
    field(2, "selector", kString),
};
constexpr ObjectSchema kScaleStatus{"io.k8s.api.autoscaling.v1.ScaleStatus", kScaleStatusFields};

constexpr Field kScaleFields[] = {
    kKindField,
    kApiVersionField,
    field(1, "metadata", kObjectMeta).always(),
    field(2, "spec", kScaleSpec).always(),
    field(3, "status", kScaleStatus).always(),
};
constexpr ObjectSchema kScale{"io.k8s.api.autoscaling.v1.Scale", kScaleFields};

}  // namespace ebb::schema
