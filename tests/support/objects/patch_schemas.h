// A small kind with every field type that strategic merge patches distinguish.
#pragma once

#include "schema/core/object_schema.h"

namespace ebb::testing {

using schema::field;
using schema::Field;
using schema::list;
using schema::map;
using schema::ObjectSchema;
using schema::Type;

inline constexpr Field kOwnerFields[] = {
    field(1, "kind", Type::kString),
    field(2, "name", Type::kString),
    field(3, "uid", Type::kString),
    field(4, "controller", Type::kBool),
};
inline constexpr ObjectSchema kOwner{"Owner", kOwnerFields};

inline constexpr Field kMetaFields[] = {
    field(1, "name", Type::kString),
    field(2, "uid", Type::kString),
    map(3, "labels", Type::kString),
    list(4, "ownerReferences", kOwner).merged_by("uid"),
    list(5, "finalizers", Type::kString).united(),
};
inline constexpr ObjectSchema kMeta{"Meta", kMetaFields};

inline constexpr Field kPortFields[] = {
    field(1, "containerPort", Type::kInt32),
    field(2, "protocol", Type::kString),
};
inline constexpr ObjectSchema kPort{"Port", kPortFields};

inline constexpr Field kContainerFields[] = {
    field(1, "name", Type::kString),
    field(2, "image", Type::kString),
    list(3, "ports", kPort).merged_by("containerPort"),
    list(4, "command", Type::kString),
};
inline constexpr ObjectSchema kContainer{"Container", kContainerFields};

inline constexpr Field kStrategyFields[] = {
    field(1, "type", Type::kString),
    field(2, "rollingUpdate", Type::kAny),
};
inline constexpr ObjectSchema kStrategy{"Strategy", kStrategyFields};

inline constexpr Field kTolerationFields[] = {field(1, "key", Type::kString)};
inline constexpr ObjectSchema kToleration{"Toleration", kTolerationFields};

inline constexpr Field kSpecFields[] = {
    field(1, "replicas", Type::kInt32),  list(2, "containers", kContainer).merged_by("name"),
    list(3, "tolerations", kToleration), field(4, "strategy", kStrategy).retaining_keys(),
    map(5, "templates", kContainer),
};
inline constexpr ObjectSchema kSpec{"Spec", kSpecFields};

inline constexpr Field kObjectFields[] = {field(1, "metadata", kMeta), field(2, "spec", kSpec)};
inline constexpr ObjectSchema kObject{"Object", kObjectFields};

}  // namespace ebb::testing
