// Schemas of meta/v1.
#pragma once

#include "schema/core/object_schema.h"

namespace ebb::schema {

// The first two fields of a document. Protobuf has them in the envelope.
inline constexpr Field kKindField = field(0, "kind", Type::kString);
inline constexpr Field kApiVersionField = field(0, "apiVersion", Type::kString);

extern const ObjectSchema kObjectMeta;
extern const ObjectSchema kLabelSelector;
extern const ObjectSchema kCondition;
extern const ObjectSchema kDeleteOptions;
extern const ObjectSchema kListMeta;
extern const ObjectSchema kStatus;
extern const ObjectSchema kPartialObjectMetadata;

}  // namespace ebb::schema
