// One resource of the store: what is held of it, and how that changes.
//
// The rules are the same for every resource; where objects live and how they are found is the
// table's business. Objects never go back: what is older than what is held is ignored, and so is,
// in a listing, what must have been deleted before.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "control/store.h"

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

// A Table has Object, Row (an Object with a `listing`), find(object), insert(object),
// replace(row, object), erase(row) and each(visit), which may erase the row it is at.
template <class Table>
class Cache {
 public:
  using Object = typename Table::Object;
  using Row = typename Table::Row;
  using Tell = std::function<void(const Change<Object>&)>;

  explicit Cache(Tell tell) : tell_(std::move(tell)) {}

  [[nodiscard]] Table& table() { return table_; }
  [[nodiscard]] const Table& table() const { return table_; }
  [[nodiscard]] model::Revision seen() const { return seen_; }

  void advance(model::Revision seen) {
    if (seen > seen_) seen_ = seen;
  }

  // Some objects are as of a listing that is under way, and others as of before.
  [[nodiscard]] bool mixed() const { return mixed_; }

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
    if (revision_of(fresh) != 0 && revision_of(fresh) == revision_of(*row)) return;
    const Object before = *row;
    table_.replace(*row, std::move(fresh));
    tell_({&before, row});
  }

  // `last` is the object as it was deleted.
  void remove(const Object& last) {
    Row* row = table_.find(last);
    if (row == nullptr) return;
    const bool same = row->uid == last.uid;
    // A later object of the same name is not meant.
    if (!same && is_before(last, *row)) return;
    erase(*row, same ? last : *row);
  }

  void begin_listing() {
    ++listing_;
    lists_ = true;
  }

  void end_listing() {
    lists_ = false;
    mixed_ = false;
    table_.each([&](Row& row) {
      if (row.listing != listing_) erase(row, row);
    });
  }

  void clear() {
    lists_ = false;
    mixed_ = false;
    seen_ = 0;
    table_.each([&](Row& row) { erase(row, row); });
  }

 private:
  // Revisions that are no numbers tell nothing.
  [[nodiscard]] static bool is_before(const Object& a, const Object& b) {
    return revision_of(a) != 0 && revision_of(b) != 0 && revision_of(a) < revision_of(b);
  }

  // Everything up to `seen` is known. What is unknown and older was deleted meanwhile, and whoever
  // lists it now looks at the past.
  [[nodiscard]] bool is_ghost(const Object& object) const {
    return lists_ && revision_of(object) != 0 && revision_of(object) <= seen_;
  }

  void insert(Object fresh) {
    Row& row = table_.insert(std::move(fresh));
    row.listing = listing_;
    tell_({nullptr, &row});
  }

  void erase(Row& row, const Object& last) {
    const Object before = last;
    table_.erase(row);
    tell_({&before, nullptr});
  }

  Tell tell_;
  Table table_;
  model::Revision seen_ = 0;
  std::uint32_t listing_ = 0;  // the number of the last one
  bool lists_ = false;         // it is not over
  bool mixed_ = false;
};

}  // namespace ebb::control
