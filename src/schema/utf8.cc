#include "schema/utf8.h"

#include <algorithm>

#include <simdjson.h>

namespace ebb::schema {

bool is_utf8(std::string_view bytes) {
  // Short of asking what the processor can do, for nearly every text is.
  const bool is_ascii = std::all_of(bytes.begin(), bytes.end(),
                                    [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  return is_ascii || simdjson::validate_utf8(bytes.data(), bytes.size());
}

}  // namespace ebb::schema
