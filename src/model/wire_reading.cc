#include "model/wire_reading.h"

#include <algorithm>

#include <fmt/format.h>
#include <simdjson.h>

#include "model/wire_fields.h"

namespace ebb::model {
namespace {

// Short of asking what the processor can do, for nearly every text is.
bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

}  // namespace

void WireReading::report(std::string_view where, std::string_view problem) {
  if (problem_.empty()) problem_ = fmt::format("{}: {}", where, problem);
}

Interned WireReading::intern(std::string_view text, std::string_view where) {
  if (!is_ascii(text) && !simdjson::validate_utf8(text.data(), text.size())) {
    report(where, "is no UTF-8");
    return {};
  }
  return pool_->intern(text);
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
