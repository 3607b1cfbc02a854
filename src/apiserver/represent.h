// Objects, lists and watch events in the form that a client asked for.
#pragma once

#include <span>
#include <string_view>

#include "apiserver/api_server.h"
#include "apiserver/negotiate.h"
#include "apiserver/object.h"
#include "apiserver/table.h"
#include "model/status.h"

namespace ebb::apiserver {

struct Form {
  Representation representation = Representation::kObject;
  Encoding encoding = Encoding::kJson;
  IncludeObject include = IncludeObject::kMetadata;  // in rows of tables
};

[[nodiscard]] Bytes represent(const Form& form, const ObjectPtr& object, Timestamp now);

struct ListHead {
  Revision revision = 0;
  std::string continue_token;
  std::optional<std::size_t> remaining;
};
[[nodiscard]] Bytes represent_list(const Form& form, const schema::Kind& kind, const ListHead& head,
                                   std::span<const ObjectPtr> objects, Timestamp now);

// A document that is not stored: a Status, a Scale. It says itself what kind it is.
[[nodiscard]] Bytes represent_document(Encoding encoding, const schema::Shape& shape,
                                       const boost::json::object& document);
// The same as a Table of one row.
[[nodiscard]] Bytes represent_as_table(const Form& form, const schema::Kind& kind,
                                       const boost::json::object& document, Revision revision,
                                       Timestamp now);

// One line of a watch, or one frame. `type` is ADDED, MODIFIED or DELETED.
void append_event(Bytes& bytes, const Form& form, std::string_view type, const ObjectPtr& object,
                  bool with_columns, Timestamp now);
void append_bookmark(Bytes& bytes, const Form& form, const schema::Kind& kind, Revision revision,
                     bool ends_initial_events);
void append_error(Bytes& bytes, const Form& form, const model::Status& status);

}  // namespace ebb::apiserver
