#include "schema/shape.h"

namespace ebb::schema {

const Field* Shape::find(std::string_view field_name) const {
  for (const Field& field : fields) {
    if (field.name == field_name) return &field;
  }
  return nullptr;
}

}  // namespace ebb::schema
