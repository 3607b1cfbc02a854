// metadata.managedFields: who owns which fields of an object.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json/array.hpp>

#include "apiserver/field_set.h"
#include "base/result.h"

namespace ebb::apiserver {

// Whom an entry is about. An applier is the same under every version of the API.
struct Manager {
  std::string name{};
  bool applies = false;
  std::string api_version{};
  std::string subresource{};

  [[nodiscard]] bool is_same_as(const Manager& other) const {
    return name == other.name && applies == other.applies && subresource == other.subresource &&
           (applies || api_version == other.api_version);
  }
  // As messages about conflicts call it: "kubectl-edit" using apps/v1.
  [[nodiscard]] std::string text() const;
};

// What a manager owns. Kept as the text of FieldsV1 that was stored: most writes touch few entries,
// and turning all of them into sets and back would be most of the work of a write.
class Ownings {
 public:
  explicit Ownings(std::string fields) : own_(std::move(fields)), is_own_(true) {}
  explicit Ownings(const FieldSet& set) : Ownings(fields_v1(set)) {}
  // Points to a text that somebody else holds.
  [[nodiscard]] static Ownings stored(std::string_view fields);

  [[nodiscard]] FieldSet set() const;
  [[nodiscard]] std::string_view fields() const { return is_own_ ? own_ : stored_; }
  [[nodiscard]] bool empty() const { return fields() == "{}"; }

  // Whether a place of the set is owned, and whether all of them are.
  [[nodiscard]] bool has_any(const FieldSet& set) const;
  [[nodiscard]] bool has_all(const FieldSet& set) const;
  // Whether a place of the set is owned or has something owned below it.
  [[nodiscard]] bool reaches(const FieldSet& set) const;

 private:
  std::string own_{};
  std::string_view stored_{};
  bool is_own_ = false;
};

struct ManagedEntry {
  Manager manager;
  std::string time{};  // RFC 3339; empty: none
  Ownings owned;
};

class ManagedFields {
 public:
  // Of JSON that we stored, which must outlive what is made of it here.
  [[nodiscard]] static ManagedFields decode(std::string_view entries);
  // As a client sent them: fields are looked at, and brought into their usual spelling.
  [[nodiscard]] static Result<ManagedFields> decode_foreign(const boost::json::array& entries);
  // JSON without white space, the entries in Kubernetes' order.
  [[nodiscard]] std::string encode() const;

  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] const std::vector<ManagedEntry>& entries() const { return entries_; }
  [[nodiscard]] std::vector<ManagedEntry>& entries() { return entries_; }

  [[nodiscard]] ManagedEntry* find(const Manager& manager);
  [[nodiscard]] const ManagedEntry* find(const Manager& manager) const;
  // Makes the manager own just this; with nothing it leaves. An empty time keeps the old one.
  void set(const Manager& manager, const FieldSet& owned, std::string_view time);
  // Those who own nothing any more leave.
  void drop_empty();
  // At most `most` entries of updates: the oldest become one, "ancient-changes".
  void cap_updates(std::size_t most);

 private:
  std::vector<ManagedEntry> entries_;
};

// Whether two lists of entries differ in nothing but times.
[[nodiscard]] bool same_but_for_times(const ManagedFields& a, const ManagedFields& b);

}  // namespace ebb::apiserver
