// Objects, lists and watch events in the form that the client requested.
#pragma once

#include <span>
#include <string_view>

#include "apiserver/response/negotiate.h"
#include "apiserver/response/table.h"
#include "apiserver/store/change.h"
#include "apiserver/store/object.h"
#include "model/api/status.h"

namespace ebb::apiserver {

struct Form {
  Representation representation = Representation::kObject;
  Encoding encoding = Encoding::kJson;
  IncludeObject include = IncludeObject::kMetadata;  // in rows of tables
};

[[nodiscard]] Bytes encode_response(const Form& form, const ObjectPtr& object, Timestamp now);

struct ListHead {
  Revision revision = 0;
  std::string continue_token;
  std::optional<std::size_t> remaining;
};
[[nodiscard]] Bytes encode_list(const Form& form, const schema::Kind& kind, const ListHead& head,
                                std::span<const ObjectPtr> objects, Timestamp now);

// Encodes a document that is not stored, such as a Status or a Scale. It contains its own kind.
[[nodiscard]] Bytes encode_document(Encoding encoding, const schema::ObjectSchema& schema,
                                    const boost::json::object& document);
// The same as a Table of one row.
[[nodiscard]] Bytes encode_as_table(const Form& form, const schema::Kind& kind,
                                    const boost::json::object& document, Revision revision,
                                    Timestamp now);

// Appends one line of a watch, or one frame. `type` is ADDED, MODIFIED or DELETED.
void append_event(Bytes& bytes, const Form& form, std::string_view type, const ObjectPtr& object,
                  bool with_columns, Timestamp now);
void append_bookmark(Bytes& bytes, const Form& form, const schema::Kind& kind, Revision revision,
                     bool ends_initial_events);
void append_error(Bytes& bytes, const Form& form, const model::Status& status);

}  // namespace ebb::apiserver
