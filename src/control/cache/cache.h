// One resource of the store: the objects that it holds, and the rules by which they change.
//
// The rules are the same for every resource; the table decides how objects are stored and found.
// Objects never go back: a state older than the one held is ignored, and so are listed objects that
// must have been deleted before.
//
// An object that cannot be decoded is never treated as deleted. If the cache holds it, the old
// state stays. A pod is also marked as unread, and a pod that the cache does not hold is added with
// its name, uid and controller: its ReplicaSet waits until the pod can be decoded, because counting
// without it could create or delete too many. If the name, or the owner of a new pod, is unknown
// too, the whole cache counts as incomplete until a list can be decoded.
#pragma once  // private to its room

#include <cstdint>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

#include "control/cache/store.h"

namespace ebb::control {

[[nodiscard]] inline model::Revision revision_of(const Pod& pod) { return pod.revision; }
[[nodiscard]] inline model::Revision revision_of(const ReplicaSet& set) {
  return set.revision_seen;
}
[[nodiscard]] inline model::Revision revision_of(const Deployment& deployment) {
  return deployment.revision_seen;
}
[[nodiscard]] inline model::Revision revision_of(const Policy& policy) {
  return policy.revision_seen;
}
[[nodiscard]] inline model::Revision revision_of(const Node& node) { return node.revision_seen; }
[[nodiscard]] inline model::Revision revision_of(const GroupCost& cost) {
  return cost.revision_seen;
}
[[nodiscard]] inline model::Revision revision_of(const DecisionObject& decision) {
  return decision.revision_seen;
}

// A Table has Object, Row (an Object with a `listing`), find(object), insert(object), replace(row,
// object), erase(row) and each(visit), which may erase the current row.
template <class Table>
class Cache {
 public:
  using Object = typename Table::Object;
  using Row = typename Table::Row;
  using Notify = std::function<void(const Change<Object>&)>;

  explicit Cache(Notify notify, Table table = Table())
      : notify_(std::move(notify)), table_(std::move(table)) {}

  [[nodiscard]] Table& table() { return table_; }
  [[nodiscard]] const Table& table() const { return table_; }
  [[nodiscard]] model::Revision seen() const { return seen_; }
  [[nodiscard]] std::optional<bool> available() const { return available_; }

  void advance(model::Revision seen) {
    if (seen > seen_) seen_ = seen;
  }

  // Some objects are from an incomplete listing and others from before it; or an event or item
  // could not be attributed to an object.
  [[nodiscard]] bool mixed() const { return mixed_ || incomplete_; }

  void upsert(Object fresh) {
    mixed_ = mixed_ || lists_;
    Row* row = table_.find(fresh);
    if (row == nullptr) {
      if (!is_ghost(fresh)) insert(std::move(fresh));
      return;
    }
    row->listing = listing_;
    if (is_before(fresh, *row)) return;
    if (row->uid != fresh.uid) {
      erase(*row, *row);
      insert(std::move(fresh));
      return;
    }
    if (revision_of(fresh) != 0 && revision_of(fresh) == revision_of(*row) && !is_unread(*row)) {
      return;
    }
    const Object before = *row;
    table_.replace(*row, std::move(fresh));
    notify_({&before, row});
  }

  // The object exists but could not be decoded: only the known parts of its identity count.
  void keep(const Object& damaged, bool owner_known) {
    mixed_ = mixed_ || lists_;
    if (damaged.name.empty() || has_no_uid(damaged)) return lose_track();
    Row* row = table_.find(damaged);
    if (row != nullptr && row->uid != damaged.uid && !is_before(damaged, *row)) {
      erase(*row, *row);
      row = nullptr;
    }
    if (row != nullptr) {
      row->listing = listing_;
      if (row->uid == damaged.uid && !is_before(damaged, *row)) mark_unread(*row);
      return;
    }
    if (is_ghost(damaged)) return;
    if constexpr (kKeepsUnread) {
      if (!owner_known) return lose_track();
      // An orphan does not count until it is adopted.
      if (damaged.controller == nullptr) return miss();
      Row& fresh = table_.insert(damaged);
      fresh.listing = listing_;
      mark_unread(fresh);
      notify_({nullptr, &fresh});
    } else {
      miss();
    }
  }

  // An object was changed or deleted, and it is unknown which one.
  void lose_track() {
    incomplete_ = true;
    listed_all_ = false;
    miss();
  }

  // `last` is the object as it was deleted.
  void remove(const Object& last) {
    Row* row = table_.find(last);
    if (row == nullptr) return;
    const bool same = row->uid == last.uid;
    // A later object of the same name stays.
    if (!same && is_before(last, *row)) return;
    erase(*row, same ? last : *row);
  }

  void begin_listing() {
    ++listing_;
    lists_ = true;
    listed_all_ = true;
    listing_misses_ = false;
  }

  void end_listing() {
    lists_ = false;
    available_ = true;
    mixed_ = false;
    // An object that was not listed may be the one that could not be decoded.
    misses_ = listing_misses_;
    if (!listed_all_) return;
    incomplete_ = false;
    table_.each([&](Row& row) {
      if (row.listing != listing_) erase(row, row);
    });
  }

  void clear() {
    lists_ = false;
    available_ = false;
    mixed_ = false;
    incomplete_ = false;
    misses_ = false;
    seen_ = 0;
    table_.each([&](Row& row) { erase(row, row); });
  }

 private:
  // Only pods are counted, so only they are kept while unread.
  static constexpr bool kKeepsUnread = requires(Table & table, Row& row) {
    table.mark_unread(row);
  };

  void mark_unread([[maybe_unused]] Row& row) {
    if constexpr (kKeepsUnread) table_.mark_unread(row);
  }
  [[nodiscard]] static bool is_unread([[maybe_unused]] const Row& row) {
    if constexpr (kKeepsUnread) return row.unread;
    return false;
  }
  // Nodes are identified by name.
  [[nodiscard]] static bool has_no_uid(const Object& object) {
    return !std::is_same_v<Object, Node> && object.uid.empty();
  }

  // Revisions that are not numbers cannot be compared.
  [[nodiscard]] static bool is_before(const Object& a, const Object& b) {
    return revision_of(a) != 0 && revision_of(b) != 0 && revision_of(a) < revision_of(b);
  }

  // There is an object that the cache does not hold because it could not be decoded.
  void miss() {
    misses_ = true;
    listing_misses_ = true;
  }

  // Everything up to `seen` is known. An unknown object that is older has been deleted, so the list
  // is outdated; unless the object could not be decoded before.
  [[nodiscard]] bool is_ghost(const Object& object) const {
    return lists_ && !misses_ && revision_of(object) != 0 && revision_of(object) <= seen_;
  }

  void insert(Object fresh) {
    Row& row = table_.insert(std::move(fresh));
    row.listing = listing_;
    notify_({nullptr, &row});
  }

  void erase(Row& row, const Object& last) {
    const Object before = last;
    table_.erase(row);
    notify_({&before, nullptr});
  }

  Notify notify_;
  Table table_;
  model::Revision seen_ = 0;
  std::uint32_t listing_ = 0;  // number of the last listing
  bool lists_ = false;         // a listing is in progress
  std::optional<bool> available_{};
  bool mixed_ = false;
  bool incomplete_ = false;
  bool listed_all_ = true;  // for the last listing
  bool misses_ = false;
  bool listing_misses_ = false;  // the last listing has undecodable objects
};

}  // namespace ebb::control
