// encode_response.h in protobuf: objects in envelopes, and the frames of watches.
#pragma once  // private to its room

#include <span>
#include <string>
#include <string_view>

#include "apiserver/response/encode_response.h"

namespace ebb::apiserver {

[[nodiscard]] Bytes protobuf_object(const Form& form, const ObjectPtr& object);
[[nodiscard]] Bytes protobuf_list(const Form& form, const schema::Kind& kind, const ListHead& head,
                                  std::span<const ObjectPtr> objects);
[[nodiscard]] std::string protobuf_document(const schema::ObjectSchema& schema,
                                            const boost::json::object& document);

// Appends a frame with a stored object, or with another document.
void append_frame(Bytes& bytes, const Form& form, std::string_view type, const ObjectPtr& object);
void append_frame(Bytes& bytes, std::string_view type, const schema::ObjectSchema& schema,
                  const boost::json::object& document);

// The metadata of a list.
[[nodiscard]] boost::json::object list_metadata(const ListHead& head);

}  // namespace ebb::apiserver
