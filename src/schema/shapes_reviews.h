// Questions that are posted and answered, and never stored: what may somebody do, and who is it.
#pragma once

#include <span>

#include "schema/kind.h"
#include "schema/shape.h"

namespace ebb::schema {

// Only `create` is known of them.
[[nodiscard]] std::span<const Kind> review_kinds();

}  // namespace ebb::schema
