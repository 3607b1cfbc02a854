// The pods of a store, with the indexes that controllers need.
//
// Tens of thousands of them are held, so a row is the record and little else, and everything
// is found by handles of the pool. Rows stay where they are; the place of a pod that went is given
// to another one later. Nothing depends on the addresses of handles, so a run can be repeated.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "model/pod.h"

namespace ebb::control {

class PodTable {
 public:
  using Object = model::Pod;
  struct Row : model::Pod {
    std::uint32_t listing = 0;
    // Where it stands in its groups.
    std::uint32_t place_in_namespace = 0;
    std::uint32_t place_with_owner = 0;
  };
  using Group = std::vector<Row*>;

  [[nodiscard]] Row* find(const model::Pod& pod) { return find(pod.name_space, pod.name); }
  [[nodiscard]] Row* find(model::Interned name_space, model::Interned name) const;
  Row& insert(const model::Pod& pod);
  void replace(Row& row, const model::Pod& pod);
  void erase(Row& row);

  template <class Visit>
  void each(Visit visit) {
    for (Row& row : rows_) {
      if (!row.name.empty()) visit(row);
    }
  }

  // Null if there are none.
  [[nodiscard]] const Group* in_namespace(model::Interned name_space) const;
  [[nodiscard]] const Group* of_owner(model::Interned uid) const;
  [[nodiscard]] const Group* orphans(model::Interned name_space) const;

  [[nodiscard]] std::size_t size() const { return by_name_.size(); }
  // After all handles have been replaced by those of another pool.
  void rebuild_indexes();
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Name {
    model::Interned name_space;
    model::Interned name;
  };
  struct NameHash {
    using is_transparent = void;
    std::size_t operator()(const Name& name) const;
    std::size_t operator()(const Row* row) const { return (*this)({row->name_space, row->name}); }
  };
  struct NameEqual {
    using is_transparent = void;
    bool operator()(const Row* a, const Row* b) const { return a == b; }
    bool operator()(const Name& a, const Row* b) const {
      return a.name == b->name && a.name_space == b->name_space;
    }
    bool operator()(const Row* a, const Name& b) const { return (*this)(b, a); }
  };
  using Groups = boost::unordered_flat_map<model::Interned, Group>;
  using Place = std::uint32_t Row::*;

  void index(Row& row);
  // Orphans are grouped by namespace, the others by the uid of their controller.
  [[nodiscard]] Groups& owner_groups(const Row& row);
  [[nodiscard]] static model::Interned owner_key(const Row& row);
  static void join(Groups& groups, model::Interned key, Row& row, Place place);
  static void leave(Groups& groups, model::Interned key, Row& row, Place place);

  std::deque<Row> rows_;    // those without a name are free
  std::vector<Row*> free_;  // to be taken from the end
  boost::unordered_flat_set<Row*, NameHash, NameEqual> by_name_;
  Groups by_namespace_;
  Groups by_owner_;
  Groups orphans_;
};

}  // namespace ebb::control
