// What structures and fields are for, in a sentence each: `kubectl explain` shows it, and so do the
// definitions of our kinds in deploy/crds.yaml.
//
// notes_*.cc hold the sentences, beside the shapes_*.cc that hold the structures. Every field that
// is served has one (notes_test.cc).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schema/shape.h"

namespace ebb::schema {

// Of a structure itself. Empty if there is none, which is so for what is not served.
[[nodiscard]] std::string_view note_of(const Shape& shape);
[[nodiscard]] std::string_view note_of(std::string_view shape_name);

// Of a field as JSON knows it, so also of a member of an inlined one.
[[nodiscard]] std::string_view note_of(const Shape& shape, std::string_view field_name);

// All that is described, as Shape or Shape.field: for a test that looks for notes about nothing.
[[nodiscard]] std::vector<std::string> noted_places();

}  // namespace ebb::schema
