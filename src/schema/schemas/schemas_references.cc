// References to objects and to parts of objects.
#include "schema/schemas/schemas_references.h"

namespace ebb::schema {

using enum Type;

constexpr Field kKeyToPathFields[] = {
    field(1, "key", kString).required(),
    field(2, "path", kString).required(),
    file_mode(3, "mode"),
};
constexpr ObjectSchema kKeyToPath{"io.k8s.api.core.v1.KeyToPath", kKeyToPathFields};

constexpr Field kLocalObjectReferenceFields[] = {
    field(1, "name", kString),
};
constexpr ObjectSchema kLocalObjectReference =
    owned_whole("io.k8s.api.core.v1.LocalObjectReference", kLocalObjectReferenceFields);

constexpr Field kObjectFieldSelectorFields[] = {
    field(1, "apiVersion", kString).by_default(R"("v1")"),
    field(2, "fieldPath", kString).required(),
};
constexpr ObjectSchema kObjectFieldSelector =
    owned_whole("io.k8s.api.core.v1.ObjectFieldSelector", kObjectFieldSelectorFields);

constexpr Field kResourceFieldSelectorFields[] = {
    field(1, "containerName", kString),
    field(2, "resource", kString).required(),
    field(3, "divisor", kQuantity).always(),
};
constexpr ObjectSchema kResourceFieldSelector =
    owned_whole("io.k8s.api.core.v1.ResourceFieldSelector", kResourceFieldSelectorFields);

constexpr Field kTypedLocalObjectReferenceFields[] = {
    field(1, "apiGroup", kString).optional_zero(),
    field(2, "kind", kString).required(),
    field(3, "name", kString).required(),
};
constexpr ObjectSchema kTypedLocalObjectReference =
    owned_whole("io.k8s.api.core.v1.TypedLocalObjectReference", kTypedLocalObjectReferenceFields);

constexpr Field kTypedObjectReferenceFields[] = {
    field(1, "apiGroup", kString).optional_zero(),
    field(2, "kind", kString).required(),
    field(3, "name", kString).required(),
    field(4, "namespace", kString).optional_zero(),
};
constexpr ObjectSchema kTypedObjectReference{"io.k8s.api.core.v1.TypedObjectReference",
                                             kTypedObjectReferenceFields};

// clang-format off
constexpr Field kObjectReferenceFields[] = {
    field(1, "kind", kString),
    field(2, "namespace", kString),
    field(3, "name", kString),
    field(4, "uid", kString),
    field(5, "apiVersion", kString),
    field(6, "resourceVersion", kString),
    field(7, "fieldPath", kString),
};
// clang-format on
constexpr ObjectSchema kObjectReference =
    owned_whole("io.k8s.api.core.v1.ObjectReference", kObjectReferenceFields);

}  // namespace ebb::schema
