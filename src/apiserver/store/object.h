// A stored object: its JSON, encoded once, and the values that selectors compare.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "apiserver/store/selectors.h"
#include "apiserver/store/shared_text.h"
#include "model/api/api.h"
#include "schema/core/kind.h"

namespace ebb::apiserver {

// Immutable, and shared by the store, its history, and lists and watches in flight. Only the text
// is kept, not a tree of values: readers need the text, and it takes a fraction of the memory.
// Parts that many objects have in common are stored once (shared_text.h).
class Object {
 public:
  // Sets metadata.resourceVersion and encodes; also takes drafts. Revision 0 is for the results of
  // dry runs, which have none. Without a pool nothing is shared.
  Object(const schema::Kind& kind, boost::json::object content, model::Revision revision,
         TextPool* pool = nullptr);

  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  [[nodiscard]] const schema::Kind& kind() const { return *kind_; }
  [[nodiscard]] model::Revision revision() const { return revision_; }
  [[nodiscard]] std::string json() const { return json_.str(); }
  [[nodiscard]] const PiecedText& json_pieces() const { return json_; }
  [[nodiscard]] boost::json::object content() const;
  // The content for writers, in which metadata.managedFields is a text, its own JSON. Most writes
  // pass it on unchanged, and it is often half of the object.
  [[nodiscard]] boost::json::object draft() const;

  // The object in protobuf as an item of a list (field 2). It is encoded on first use and then kept
  // for all readers of this object. Requests are handled one at a time, so this needs no lock.
  struct Wire {
    PiecedText item;
    std::size_t message = 0;       // start of the message, which ends with the item
    std::size_t metadata_end = 0;  // everything before is a valid PartialObjectMetadata
  };
  [[nodiscard]] const Wire& wire() const;

  [[nodiscard]] std::string_view name() const { return fields_[0]; }
  [[nodiscard]] std::string_view namespace_name() const { return fields_[1]; }
  [[nodiscard]] std::span<const LabelView> labels() const { return labels_; }
  // Name, namespace, then the selectable fields of the kind, in the order of FieldSelector.
  [[nodiscard]] std::span<const std::string_view> fields() const { return fields_; }

  // Returns true if the object has a deletionTimestamp.
  [[nodiscard]] bool is_terminating() const { return is_terminating_; }

  // The bytes that this object takes, without protobuf. Constant, because the history adds and
  // subtracts it.
  [[nodiscard]] std::size_t footprint() const;

 private:
  const schema::Kind* kind_;
  model::Revision revision_;
  bool is_terminating_ = false;
  PiecedText json_;
  std::string selected_;  // the texts that labels_ and fields_ point to
  std::vector<LabelView> labels_;
  std::vector<std::string_view> fields_;
  mutable std::unique_ptr<const Wire> wire_;
};

// The JSON of a draft, or of any object.
[[nodiscard]] std::string serialize_draft(boost::json::object draft);

using ObjectPtr = std::shared_ptr<const Object>;

}  // namespace ebb::apiserver
