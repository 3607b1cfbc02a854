// The same as represent.h in protobuf: objects in envelopes, and the frames of watches.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "apiserver/represent.h"

namespace ebb::apiserver {

[[nodiscard]] Bytes protobuf_object(const Form& form, const ObjectPtr& object);
[[nodiscard]] Bytes protobuf_list(const Form& form, const schema::Kind& kind, const ListHead& head,
                                  std::span<const ObjectPtr> objects);
[[nodiscard]] std::string protobuf_document(const schema::Shape& shape,
                                            const boost::json::object& document);

// Of an object that is stored, and of any other document.
void append_frame(Bytes& bytes, const Form& form, std::string_view type, const ObjectPtr& object);
void append_frame(Bytes& bytes, std::string_view type, const schema::Shape& shape,
                  const boost::json::object& document);

// The metadata of a list.
[[nodiscard]] boost::json::object list_metadata(const ListHead& head);

}  // namespace ebb::apiserver
