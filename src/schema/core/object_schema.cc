#include "schema/core/object_schema.h"

namespace ebb::schema {

const Field* ObjectSchema::find(std::string_view field_name) const {
  for (const Field& field : fields) {
    if (field.is_inlined) {
      if (const Field* member = field.schema->find(field_name)) return member;
    } else if (field.name == field_name) {
      return &field;
    }
  }
  return nullptr;
}

}  // namespace ebb::schema
