#include "control/pod_table.h"

#include "base/check.h"

namespace ebb::control {

using model::Interned;
using model::Pod;

namespace {

const PodTable::Group* group_of(const boost::unordered_flat_map<Interned, PodTable::Group>& groups,
                                Interned key) {
  const auto found = groups.find(key);
  return found == groups.end() ? nullptr : &found->second;
}

}  // namespace

std::size_t PodTable::NameHash::operator()(const Name& name) const {
  std::size_t seed = hash_value(name.name);
  boost::hash_combine(seed, hash_value(name.name_space));
  return seed;
}

PodTable::Row* PodTable::find(Interned name_space, Interned name) const {
  const auto found = by_name_.find(Name{name_space, name});
  return found == by_name_.end() ? nullptr : *found;
}

PodTable::Row& PodTable::insert(const Pod& pod) {
  EBB_CHECK(!pod.name.empty());
  Row* row = nullptr;
  if (free_.empty()) {
    row = &rows_.emplace_back();
  } else {
    row = free_.back();
    free_.pop_back();
  }
  static_cast<Pod&>(*row) = pod;
  index(*row);
  return *row;
}

void PodTable::index(Row& row) {
  EBB_CHECK(by_name_.insert(&row).second);
  join(by_namespace_, row.name_space, row, &Row::place_in_namespace);
  join(owner_groups(row), owner_key(row), row, &Row::place_with_owner);
}

void PodTable::replace(Row& row, const Pod& pod) {
  const bool moves = row.controller != pod.controller;
  if (moves) leave(owner_groups(row), owner_key(row), row, &Row::place_with_owner);
  static_cast<Pod&>(row) = pod;
  if (moves) join(owner_groups(row), owner_key(row), row, &Row::place_with_owner);
}

void PodTable::erase(Row& row) {
  EBB_CHECK(by_name_.erase(&row) == 1);
  leave(by_namespace_, row.name_space, row, &Row::place_in_namespace);
  leave(owner_groups(row), owner_key(row), row, &Row::place_with_owner);
  row = Row{};
  free_.push_back(&row);
}

PodTable::Groups& PodTable::owner_groups(const Row& row) {
  return row.controller == nullptr ? orphans_ : by_owner_;
}

Interned PodTable::owner_key(const Row& row) {
  return row.controller == nullptr ? row.name_space : row.controller->uid;
}

void PodTable::join(Groups& groups, Interned key, Row& row, Place place) {
  Group& group = groups[key];
  row.*place = static_cast<std::uint32_t>(group.size());
  group.push_back(&row);
}

void PodTable::leave(Groups& groups, Interned key, Row& row, Place place) {
  const auto found = groups.find(key);
  EBB_CHECK(found != groups.end());
  Group& group = found->second;
  Row* last = group.back();
  group[row.*place] = last;
  last->*place = row.*place;
  group.pop_back();
  if (group.empty()) groups.erase(found);
}

const PodTable::Group* PodTable::in_namespace(Interned name_space) const {
  return group_of(by_namespace_, name_space);
}

const PodTable::Group* PodTable::of_owner(Interned uid) const { return group_of(by_owner_, uid); }

const PodTable::Group* PodTable::orphans(Interned name_space) const {
  return group_of(orphans_, name_space);
}

void PodTable::rebuild_indexes() {
  by_name_ = {};
  by_namespace_ = {};
  by_owner_ = {};
  orphans_ = {};
  each([&](Row& row) { index(row); });
}

std::size_t PodTable::bytes() const {
  constexpr std::size_t kPointer = sizeof(void*);
  std::size_t total = rows_.size() * sizeof(Row) + free_.capacity() * kPointer +
                      by_name_.bucket_count() * (kPointer + 1);
  for (const Groups* groups : {&by_namespace_, &by_owner_, &orphans_}) {
    total += groups->bucket_count() * (sizeof(Groups::value_type) + 1);
    for (const auto& [key, group] : *groups) total += group.capacity() * kPointer;
  }
  return total;
}

}  // namespace ebb::control
