// The pods of a store, with the indexes that controllers need.
//
// The table holds tens of thousands of pods, so a row is little more than the record, and all
// lookups use handles of the pool. Rows keep their addresses; the row of a removed pod is reused
// later. Nothing depends on the addresses of handles, so runs are reproducible.
#pragma once  // private to its room

#include <cstdint>
#include <deque>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "model/records/pod.h"

namespace ebb::control {

class PodTable {
 public:
  using Object = model::Pod;
  struct Row : model::Pod {
    std::uint32_t listing = 0;
    // Its index in each group.
    std::uint32_t place_in_namespace = 0;
    std::uint32_t place_with_owner = 0;
    bool unread = false;  // its newest state could not be decoded
  };
  using Group = std::vector<Row*>;
  // A controller as an owner reference names it, and the namespace that it shares with its pods.
  // All four parts form the key, as in Kubernetes' own index: API servers do not validate
  // references, so any client can write the uid of a ReplicaSet in another namespace. For orphans
  // only the namespace is set.
  struct Owner {
    model::Interned namespace_name;
    model::Interned kind{};
    model::Interned name{};
    model::Interned uid{};

    friend bool operator==(const Owner&, const Owner&) = default;
  };

  // Without `full_references` the uid alone is the key; only for src/sim's mutation check.
  explicit PodTable(bool full_references = true) : full_references_(full_references) {}

  [[nodiscard]] Row* find(const model::Pod& pod) { return find(pod.namespace_name, pod.name); }
  [[nodiscard]] Row* find(model::Interned namespace_name, model::Interned name) const;
  Row& insert(const model::Pod& pod);
  void replace(Row& row, const model::Pod& pod);
  void erase(Row& row);
  // Lasts until the row is replaced.
  void mark_unread(Row& row);
  [[nodiscard]] std::size_t unread() const { return unread_; }

  template <class Visit>
  void each(Visit visit) {
    for (Row& row : rows_) {
      if (!row.name.empty()) visit(row);
    }
  }

  template <class Visit>
  void each(Visit visit) const {
    for (const Row& row : rows_) {
      if (!row.name.empty()) visit(row);
    }
  }

  // Null if there are none.
  [[nodiscard]] const Group* in_namespace(model::Interned namespace_name) const;
  [[nodiscard]] const Group* of_owner(const Owner& owner) const;
  [[nodiscard]] const Group* orphans(model::Interned namespace_name) const {
    return of_owner({.namespace_name = namespace_name});
  }

  [[nodiscard]] std::size_t size() const { return by_name_.size(); }
  // Call after all handles have been replaced by those of another pool.
  void rebuild_indexes();
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Name {
    model::Interned namespace_name;
    model::Interned name;
  };
  struct NameHash {
    using is_transparent = void;
    std::size_t operator()(const Name& name) const;
    std::size_t operator()(const Row* row) const {
      return (*this)({row->namespace_name, row->name});
    }
  };
  struct NameEqual {
    using is_transparent = void;
    bool operator()(const Row* a, const Row* b) const { return a == b; }
    bool operator()(const Name& a, const Row* b) const {
      return a.name == b->name && a.namespace_name == b->namespace_name;
    }
    bool operator()(const Row* a, const Name& b) const { return (*this)(b, a); }
  };
  struct OwnerHash {
    std::size_t operator()(const Owner& owner) const;
  };
  using Namespaces = boost::unordered_flat_map<model::Interned, Group>;
  using Owners = boost::unordered_flat_map<Owner, Group, OwnerHash>;
  using Place = std::uint32_t Row::*;

  void index(Row& row);
  [[nodiscard]] Owner owner_of(const Row& row) const;
  [[nodiscard]] Owner key_of(const Owner& owner) const;
  template <class Groups>
  static void join(Groups& groups, const typename Groups::key_type& key, Row& row, Place place);
  template <class Groups>
  static void leave(Groups& groups, const typename Groups::key_type& key, Row& row, Place place);

  bool full_references_;

  std::deque<Row> rows_;    // rows without a name are free
  std::vector<Row*> free_;  // taken from the end
  boost::unordered_flat_set<Row*, NameHash, NameEqual> by_name_;
  Namespaces by_namespace_;
  Owners by_owner_;
  std::size_t unread_ = 0;  // number of unread rows
};

}  // namespace ebb::control
