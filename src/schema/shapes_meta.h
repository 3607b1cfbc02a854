// Shapes of meta/v1.
#pragma once

#include "schema/shape.h"

namespace ebb::schema {

// The first two fields of a document. Protobuf has them in the envelope.
inline constexpr Field kKindField = field(0, "kind", Type::kString);
inline constexpr Field kApiVersionField = field(0, "apiVersion", Type::kString);

extern const Shape kObjectMeta;
extern const Shape kLabelSelector;
extern const Shape kCondition;
extern const Shape kDeleteOptions;
extern const Shape kListMeta;
extern const Shape kStatus;
extern const Shape kPartialObjectMetadata;

}  // namespace ebb::schema
