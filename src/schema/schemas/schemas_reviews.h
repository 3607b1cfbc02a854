// Schemas of access reviews, which are posted and answered, and never stored.
#pragma once

#include <span>

#include "schema/core/kind.h"
#include "schema/core/object_schema.h"

namespace ebb::schema {

// These kinds support only `create`.
[[nodiscard]] std::span<const Kind> review_kinds();

}  // namespace ebb::schema
