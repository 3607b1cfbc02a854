// A stored object: its JSON, encoded once, and what selectors look at.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "apiserver/selectors.h"
#include "apiserver/shared_text.h"
#include "model/api.h"
#include "schema/kind.h"

namespace ebb::apiserver {

// Immutable and shared: between the store, its history, lists and watches under way. Only the
// text is kept, not a tree of values: it is what readers want, and a fraction of the memory. What
// many objects have in common is kept once (shared_text.h).
class Object {
 public:
  // Sets metadata.resourceVersion and encodes; takes drafts as well. Revision 0 is for objects that
  // are only shown, the results of dry runs: they have none. Without a pool nothing is shared.
  Object(const schema::Kind& kind, boost::json::object content, model::Revision revision,
         TextPool* pool = nullptr);

  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  [[nodiscard]] const schema::Kind& kind() const { return *kind_; }
  [[nodiscard]] model::Revision revision() const { return revision_; }
  [[nodiscard]] std::string json() const { return json_.str(); }
  [[nodiscard]] const PiecedText& json_pieces() const { return json_; }
  [[nodiscard]] boost::json::object content() const;
  // The content for whoever writes: there metadata.managedFields is a text, its own JSON. Most
  // writes only hand it on, and it is often as much as all the rest.
  [[nodiscard]] boost::json::object draft() const;

  // The object in protobuf, as it stands in a list, which has items as field 2. It is made when it
  // is first asked for, and then kept for all who read this object; requests are handled one at a
  // time, so nobody asks while it is being made.
  struct Wire {
    PiecedText item;
    std::size_t message = 0;       // where the message begins; it ends with the item
    std::size_t metadata_end = 0;  // what comes before is a PartialObjectMetadata by itself
  };
  [[nodiscard]] const Wire& wire() const;

  [[nodiscard]] std::string_view name() const { return fields_[0]; }
  [[nodiscard]] std::string_view namespace_name() const { return fields_[1]; }
  [[nodiscard]] std::span<const LabelView> labels() const { return labels_; }
  // Name, namespace, then the selectable fields of the kind, as FieldSelector wants them.
  [[nodiscard]] std::span<const std::string_view> fields() const { return fields_; }

  // Whether its deletion has begun.
  [[nodiscard]] bool is_terminating() const { return is_terminating_; }

  // Bytes this object takes, without protobuf: the history adds them up and takes them off again.
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
