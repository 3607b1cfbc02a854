#include "model/protobuf/wire_reading.h"

#include <fmt/format.h>

#include "model/protobuf/wire_fields.h"
#include "schema/core/utf8.h"

namespace ebb::model {
void WireReading::report(std::string_view where, std::string_view problem) {
  remark(where, problem);
  damaged_ = true;
}

void WireReading::remark(std::string_view where, std::string_view problem) {
  if (problem_.empty()) problem_ = fmt::format("{}: {}", where, problem);
}

Interned WireReading::intern(std::string_view text, std::string_view where) {
  if (!schema::is_utf8(text)) {
    report(where, "is not valid UTF-8");
    return {};
  }
  return pool_->intern(text);
}

Interned WireReading::intern_if_utf8(std::string_view text, std::string_view where) {
  if (schema::is_utf8(text)) return pool_->intern(text);
  remark(where, "is not valid UTF-8");
  return {};
}

Label WireReading::label(std::string_view entry, std::string_view where) {
  std::string_view key;
  std::string_view value;
  WireReader fields(entry);
  while (fields.next()) {
    if (fields.field() == wire::kKey) key = fields.bytes();
    if (fields.field() == wire::kValue) value = fields.bytes();
  }
  check(fields, where);
  return {intern(key, where), intern(value, where)};
}

}  // namespace ebb::model
