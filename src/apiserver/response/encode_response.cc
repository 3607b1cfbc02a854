// Encodes JSON itself and delegates protobuf to encode_protobuf.h.
#include "apiserver/response/encode_response.h"

#include <utility>

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "apiserver/response/encode_protobuf.h"
#include "schema/schemas/schemas_meta.h"

namespace ebb::apiserver {

namespace json = boost::json;

namespace {

json::object table(const schema::Kind& kind, json::object metadata, json::array rows,
                   bool with_columns) {
  json::object table{{"kind", "Table"}, {"apiVersion", "meta.k8s.io/v1"}};
  table["metadata"] = std::move(metadata);
  table["columnDefinitions"] = with_columns ? table_columns(kind) : json::array();
  table["rows"] = std::move(rows);
  return table;
}

json::object table_of_one(const Form& form, const schema::Kind& kind, const json::object& object,
                          Revision revision, bool with_columns, Timestamp now) {
  json::array rows;
  rows.push_back(table_row(kind, object, form.include, now));
  return table(kind, {{"resourceVersion", fmt::to_string(revision)}}, std::move(rows),
               with_columns);
}

json::object table_of_one(const Form& form, const Object& object, bool with_columns,
                          Timestamp now) {
  return table_of_one(form, object.kind(), object.content(), object.revision(), with_columns, now);
}

void append_json(Bytes& bytes, const ObjectPtr& object) {
  const PiecedText& text = object->json_pieces();
  text.append_to(bytes, object, 0, text.size());
}

void append_line(Bytes& bytes, std::string_view type, json::object object) {
  bytes.append(json::serialize(json::object{{"type", type}, {"object", std::move(object)}}));
  bytes.append_static("\n");
}

}  // namespace

json::object list_metadata(const ListHead& head) {
  json::object metadata{{"resourceVersion", fmt::to_string(head.revision)}};
  if (!head.continue_token.empty()) metadata["continue"] = head.continue_token;
  if (head.remaining) metadata["remainingItemCount"] = *head.remaining;
  return metadata;
}

Bytes encode_response(const Form& form, const ObjectPtr& object, Timestamp now) {
  if (form.encoding == Encoding::kProtobuf) return protobuf_object(form, object);
  Bytes bytes;
  switch (form.representation) {
    case Representation::kObject:
      append_json(bytes, object);
      break;
    case Representation::kTable:
      bytes.append(json::serialize(table_of_one(form, *object, true, now)));
      break;
    case Representation::kMetadata:
      bytes.append(json::serialize(partial_metadata(object->content())));
      break;
  }
  return bytes;
}

Bytes encode_list(const Form& form, const schema::Kind& kind, const ListHead& head,
                  std::span<const ObjectPtr> objects, Timestamp now) {
  if (form.encoding == Encoding::kProtobuf) return protobuf_list(form, kind, head, objects);
  Bytes bytes;
  if (form.representation == Representation::kTable) {
    json::array rows;
    rows.reserve(objects.size());
    for (const ObjectPtr& object : objects) {
      rows.push_back(table_row(kind, object->content(), form.include, now));
    }
    bytes.append(json::serialize(table(kind, list_metadata(head), std::move(rows), true)));
    return bytes;
  }
  const bool whole = form.representation == Representation::kObject;
  bytes.append(fmt::format(R"({{"kind":"{}List","apiVersion":"{}","metadata":{},"items":[)",
                           whole ? kind.name : "PartialObjectMetadata",
                           whole ? kind.api_version() : "meta.k8s.io/v1",
                           json::serialize(list_metadata(head))));
  bool first = true;
  for (const ObjectPtr& object : objects) {
    if (!std::exchange(first, false)) bytes.append_static(",");
    if (whole) {
      append_json(bytes, object);
    } else {
      bytes.append(json::serialize(partial_metadata(object->content())));
    }
  }
  bytes.append_static("]}");
  return bytes;
}

void append_event(Bytes& bytes, const Form& form, std::string_view type, const ObjectPtr& object,
                  bool with_columns, Timestamp now) {
  if (form.encoding == Encoding::kProtobuf) return append_frame(bytes, form, type, object);
  // Static strings, so that an event allocates no memory.
  bytes.append_static(type == "ADDED"      ? R"({"type":"ADDED","object":)"
                      : type == "MODIFIED" ? R"({"type":"MODIFIED","object":)"
                                           : R"({"type":"DELETED","object":)");
  switch (form.representation) {
    case Representation::kObject:
      append_json(bytes, object);
      break;
    case Representation::kTable:
      bytes.append(json::serialize(table_of_one(form, *object, with_columns, now)));
      break;
    case Representation::kMetadata:
      bytes.append(json::serialize(partial_metadata(object->content())));
      break;
  }
  bytes.append_static("}\n");
}

void append_bookmark(Bytes& bytes, const Form& form, const schema::Kind& kind, Revision revision,
                     bool ends_initial_events) {
  json::object metadata{{"resourceVersion", fmt::to_string(revision)},
                        {"creationTimestamp", nullptr}};
  if (ends_initial_events) {
    metadata["annotations"] = json::object{{"k8s.io/initial-events-end", "true"}};
  }
  json::object object{{"kind", kind.name}, {"apiVersion", kind.api_version()}};
  if (form.representation == Representation::kMetadata) {
    object = {{"kind", "PartialObjectMetadata"}, {"apiVersion", "meta.k8s.io/v1"}};
  }
  object["metadata"] = std::move(metadata);
  if (form.encoding == Encoding::kProtobuf) {
    // A bookmark has only metadata, whatever its kind.
    return append_frame(bytes, "BOOKMARK", schema::kPartialObjectMetadata, object);
  }
  if (form.representation == Representation::kTable) {
    json::array rows;
    rows.push_back(json::object{{"cells", json::array()}, {"object", std::move(object)}});
    object = table(kind, {{"resourceVersion", fmt::to_string(revision)}}, std::move(rows), false);
  }
  append_line(bytes, "BOOKMARK", std::move(object));
}

void append_error(Bytes& bytes, const Form& form, const model::Status& status) {
  if (form.encoding == Encoding::kProtobuf) {
    append_frame(bytes, "ERROR", schema::kStatus, status.to_json());
  } else {
    append_line(bytes, "ERROR", status.to_json());
  }
}

Bytes encode_document(Encoding encoding, const schema::ObjectSchema& schema,
                      const json::object& document) {
  if (encoding == Encoding::kProtobuf) return Bytes(protobuf_document(schema, document));
  return Bytes(json::serialize(document));
}

Bytes encode_as_table(const Form& form, const schema::Kind& kind, const json::object& document,
                      Revision revision, Timestamp now) {
  return Bytes(json::serialize(table_of_one(form, kind, document, revision, true, now)));
}

}  // namespace ebb::apiserver
