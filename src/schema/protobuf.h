// Objects in Kubernetes' protobuf, by the schema table.
//
// Go writes a number, text or structure that is no pointer even where it is zero, and reads an
// absent one as zero. So zero values that mean nothing are dropped when a message is read, and
// an absent field is not written. A zero time is an empty message; Unix time 0 is not.
// `kind` and `apiVersion` are in the envelope (envelope.h), not in the message.
#pragma once

#include <string>
#include <string_view>

#include <boost/json/object.hpp>

#include "base/result.h"
#include "schema/shape.h"

namespace ebb::schema {

struct EncodedMessage {
  std::string bytes;
  // The first field that did not make it into the message, and why: the table does not know it,
  // or its value is none of its type. Empty: nothing was lost.
  std::string lost;
};
[[nodiscard]] EncodedMessage encode_message(const Shape& shape, const boost::json::object& object);

// Fields that the table does not know are skipped. What is cut off, of a wrong type or no text
// where it should be is an error that names the field.
[[nodiscard]] Result<boost::json::object> decode_message(const Shape& shape,
                                                         std::string_view message,
                                                         boost::json::storage_ptr storage = {});

}  // namespace ebb::schema
