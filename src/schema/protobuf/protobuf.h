// Kubernetes' protobuf encoding of objects, by the schema table.
//
// Go writes numbers, strings and structures that are not pointers even if they are zero, and reads
// absent ones as zero. So decoding drops zero values without a meaning, and encoding omits absent
// fields. A zero time is an empty message; Unix time 0 is not. `kind` and `apiVersion` are in the
// envelope (envelope.h), not in the message.
#pragma once

#include <string>
#include <string_view>

#include <boost/json/object.hpp>

#include "base/result.h"
#include "schema/core/object_schema.h"

namespace ebb::schema {

struct EncodedMessage {
  std::string bytes;
  // The first field that was not encoded, and why: the table does not know it, or its value has the
  // wrong type. Empty: nothing was lost.
  std::string lost;
};
[[nodiscard]] EncodedMessage encode_message(const ObjectSchema& schema,
                                            const boost::json::object& object);

// Skips fields that the table does not know. A truncated message, a wrong type or invalid UTF-8 is
// an error that names the field.
[[nodiscard]] Result<boost::json::object> decode_message(const ObjectSchema& schema,
                                                         std::string_view message,
                                                         boost::json::storage_ptr storage = {});

}  // namespace ebb::schema
