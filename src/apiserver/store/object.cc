#include "apiserver/store/object.h"

#include <optional>
#include <utility>

#include <boost/json/monotonic_resource.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "base/check.h"
#include "base/wire_reader.h"
#include "base/wire_writer.h"
#include "model/json/managed_fields_text.h"
#include "schema/core/json.h"
#include "schema/protobuf/protobuf.h"

namespace ebb::apiserver {

namespace json = boost::json;

namespace {

// The value that a field selector compares at a path such as status.phase.
std::string selectable_text(const json::object& content, const schema::Selectable& selectable) {
  const json::object* here = &content;
  std::string_view path = selectable.path.empty() ? selectable.label : selectable.path;
  const json::value* found = nullptr;
  while (here != nullptr && !path.empty()) {
    const std::size_t dot = path.find('.');
    found = here->if_contains(path.substr(0, dot));
    here = found == nullptr ? nullptr : found->if_object();
    path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  }
  if (found == nullptr || !path.empty()) return std::string(selectable.fallback);
  if (found->is_string()) return std::string(found->get_string());
  return json::serialize(*found);
}

// The JSON of an object whose metadata.managedFields may be a text.
std::string serialize_draft(json::object& content, json::object& metadata) {
  constexpr std::string_view kField = R"("managedFields":)";
  json::value* entries = metadata.if_contains("managedFields");
  if (entries == nullptr || !entries->is_string()) return json::serialize(content);
  const json::string list = std::move(entries->get_string());
  *entries = nullptr;
  std::string text = json::serialize(content);
  // Quotes within strings are escaped, and no other field has this name, so this is the one.
  const std::size_t place = text.find(std::string(kField) + "null");
  EBB_CHECK(place != std::string::npos);
  text.replace(place + kField.size(), 4, list.data(), list.size());
  return text;
}

// Uses one block of memory, because the tree is short-lived.
json::object parse_stored(std::string_view text) {
  json::parse_options options;
  options.max_depth = 1000;           // stored objects were bounded on their way in
  options.allow_invalid_utf8 = true;  // and checked; placeholders for shared texts are not UTF-8
  json::error_code error;
  json::value value =
      json::parse(json::string_view(text.data(), text.size()), error,
                  json::make_shared_resource<json::monotonic_resource>(2 * text.size()), options);
  EBB_CHECK(!error && value.is_object());
  return std::move(value.get_object());
}

}  // namespace

std::string serialize_draft(json::object draft) {
  json::object* metadata = schema::object_at(draft, {"metadata"});
  return metadata == nullptr ? json::serialize(draft) : serialize_draft(draft, *metadata);
}

Object::Object(const schema::Kind& kind, json::object content, model::Revision revision,
               TextPool* pool)
    : kind_(&kind), revision_(revision) {
  json::object& metadata = schema::ensure_object(content, {"metadata"});
  if (revision == 0) {
    metadata.stable_erase("resourceVersion");
  } else {
    metadata["resourceVersion"] = fmt::to_string(revision);
  }
  is_terminating_ = metadata.contains("deletionTimestamp");
  std::string text = serialize_draft(content, metadata);
  json_ = pool == nullptr ? PiecedText(std::move(text)) : PiecedText(text, *pool);

  // Take views only once the texts have their final address.
  std::vector<std::size_t> ends;
  const auto keep = [&](std::string_view part) {
    selected_ += part;
    ends.push_back(selected_.size());
  };
  keep(schema::text_at(metadata, {"name"}));
  keep(schema::text_at(metadata, {"namespace"}));
  for (const schema::Selectable& selectable : kind.selectable) {
    keep(selectable_text(content, selectable));
  }
  const std::size_t field_count = ends.size();
  if (const json::object* labels = schema::object_at(metadata, {"labels"})) {
    for (const json::key_value_pair& label : *labels) {
      keep(label.key());
      keep(label.value().is_string() ? std::string_view(label.value().get_string()) : "");
    }
  }
  selected_.shrink_to_fit();

  std::size_t start = 0;
  auto next = [&, index = std::size_t{0}]() mutable {
    const std::size_t end = ends[index++];
    const std::string_view view(selected_.data() + start, end - start);
    start = end;
    return view;
  };
  fields_.reserve(field_count);
  for (std::size_t i = 0; i < field_count; ++i) fields_.push_back(next());
  labels_.reserve((ends.size() - field_count) / 2);
  for (std::size_t i = field_count; i < ends.size(); i += 2) {
    const std::string_view key = next();
    labels_.emplace_back(key, next());
  }
}

json::object Object::content() const { return parse_stored(json()); }

json::object Object::draft() const {
  const std::string text = json();
  const std::optional<model::CutText> cut = model::cut_managed_fields(text);
  if (!cut) {
    json::object whole = content();
    if (json::value* entries = schema::lookup(whole, {"metadata", "managedFields"})) {
      *entries = json::serialize(*entries);
    }
    return whole;
  }
  json::object draft = parse_stored(cut->rest);
  schema::ensure_object(draft, {"metadata"})["managedFields"] = cut->entries;
  return draft;
}

const Object::Wire& Object::wire() const {
  constexpr unsigned kItem = 2;
  constexpr unsigned kMetadata = 1;
  if (wire_) return *wire_;
  // Only the log of another version can contain fields that the table does not know.
  const std::string message =
      schema::encode_message(*kind_->schema, parse_stored(json_.with_placeholders())).bytes;
  WireReader fields(message);
  EBB_CHECK(fields.next() && fields.field() == kMetadata);
  const std::size_t metadata = fields.bytes().size();
  std::string item;
  append_message_field(item, kItem, message);
  const std::size_t begin = item.size() - message.size();
  wire_ = std::make_unique<const Wire>(
      Wire{.item = PiecedText(item, json_),
           .message = begin,
           .metadata_end = begin + bytes_head_size(kMetadata, metadata) + metadata});
  return *wire_;
}

std::size_t Object::footprint() const {
  return sizeof(Object) + json_.footprint() + selected_.capacity() +
         labels_.capacity() * sizeof(LabelView) + fields_.capacity() * sizeof(std::string_view);
}

}  // namespace ebb::apiserver
