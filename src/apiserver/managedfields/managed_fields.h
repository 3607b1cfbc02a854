// metadata.managedFields: the owners of an object's fields.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json/array.hpp>

#include "apiserver/managedfields/field_set.h"
#include "base/result.h"

namespace ebb::apiserver {

// The manager of an entry. An applier is the same manager under every API version.
struct Manager {
  std::string name{};
  bool applies = false;
  std::string api_version{};
  std::string subresource{};

  [[nodiscard]] bool is_same_as(const Manager& other) const {
    return name == other.name && applies == other.applies && subresource == other.subresource &&
           (applies || api_version == other.api_version);
  }
  // The name in conflict messages: "kubectl-edit" using apps/v1.
  [[nodiscard]] std::string text() const;
};

// The fields that a manager owns, kept as the stored FieldsV1 text: most writes touch few entries,
// and parsing and printing all of them would dominate the cost of a write.
class OwnedFields {
 public:
  explicit OwnedFields(std::string fields) : own_(std::move(fields)), is_own_(true) {}
  explicit OwnedFields(const FieldSet& set) : OwnedFields(fields_v1(set)) {}
  // Refers to a text that the caller keeps alive.
  [[nodiscard]] static OwnedFields stored(std::string_view fields);

  [[nodiscard]] FieldSet set() const;
  [[nodiscard]] std::string_view fields() const { return is_own_ ? own_ : stored_; }
  [[nodiscard]] bool empty() const { return fields() == "{}"; }

  // Returns true if any, or all, places of the set are owned.
  [[nodiscard]] bool has_any(const FieldSet& set) const;
  [[nodiscard]] bool has_all(const FieldSet& set) const;
  // Returns true if any place of the set is owned or has owned places below it.
  [[nodiscard]] bool reaches(const FieldSet& set) const;

 private:
  std::string own_{};
  std::string_view stored_{};
  bool is_own_ = false;
};

struct ManagedEntry {
  Manager manager;
  std::string time{};  // RFC 3339; empty: none
  OwnedFields owned;
};

class ManagedFields {
 public:
  // Decodes JSON that ebb stored. The text must outlive the result.
  [[nodiscard]] static ManagedFields decode(std::string_view entries);
  // Decodes entries that a client sent: fields are checked and normalised.
  [[nodiscard]] static Result<ManagedFields> decode_foreign(const boost::json::array& entries);
  // JSON without white space, the entries in Kubernetes' order.
  [[nodiscard]] std::string encode() const;

  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] const std::vector<ManagedEntry>& entries() const { return entries_; }
  [[nodiscard]] std::vector<ManagedEntry>& entries() { return entries_; }

  [[nodiscard]] ManagedEntry* find(const Manager& manager);
  [[nodiscard]] const ManagedEntry* find(const Manager& manager) const;
  // Sets the manager's fields; an empty set removes the manager. An empty time keeps the old one.
  void set(const Manager& manager, const FieldSet& owned, std::string_view time);
  // Removes managers that own nothing.
  void drop_empty();
  // Limits the entries of updates to `most`: the oldest are merged into "ancient-changes".
  void cap_updates(std::size_t most);

 private:
  std::vector<ManagedEntry> entries_;
};

// Returns true if two lists of entries are equal except for times.
[[nodiscard]] bool same_but_for_times(const ManagedFields& a, const ManagedFields& b);

}  // namespace ebb::apiserver
