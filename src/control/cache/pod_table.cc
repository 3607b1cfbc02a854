#include "control/cache/pod_table.h"

#include <utility>

#include "base/check.h"

namespace ebb::control {

using model::Interned;
using model::Pod;

namespace {

template <class Groups>
const PodTable::Group* group_of(const Groups& groups, const typename Groups::key_type& key) {
  const auto found = groups.find(key);
  return found == groups.end() ? nullptr : &found->second;
}

}  // namespace

std::size_t PodTable::NameHash::operator()(const Name& name) const {
  std::size_t seed = hash_value(name.name);
  boost::hash_combine(seed, hash_value(name.namespace_name));
  return seed;
}

// Every part counts, or a tenant could put many owners into one bucket.
std::size_t PodTable::OwnerHash::operator()(const Owner& owner) const {
  std::size_t seed = hash_value(owner.uid);
  boost::hash_combine(seed, hash_value(owner.namespace_name));
  boost::hash_combine(seed, hash_value(owner.name));
  boost::hash_combine(seed, hash_value(owner.kind));
  return seed;
}

PodTable::Row* PodTable::find(Interned namespace_name, Interned name) const {
  const auto found = by_name_.find(Name{namespace_name, name});
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
  join(by_namespace_, row.namespace_name, row, &Row::place_in_namespace);
  join(by_owner_, owner_of(row), row, &Row::place_with_owner);
}

void PodTable::replace(Row& row, const Pod& pod) {
  const bool moves = row.controller != pod.controller;
  if (moves) leave(by_owner_, owner_of(row), row, &Row::place_with_owner);
  static_cast<Pod&>(row) = pod;
  if (std::exchange(row.unread, false)) --unread_;
  if (moves) join(by_owner_, owner_of(row), row, &Row::place_with_owner);
}

void PodTable::erase(Row& row) {
  EBB_CHECK(by_name_.erase(&row) == 1);
  leave(by_namespace_, row.namespace_name, row, &Row::place_in_namespace);
  leave(by_owner_, owner_of(row), row, &Row::place_with_owner);
  if (row.unread) --unread_;
  row = Row{};
  free_.push_back(&row);
}

void PodTable::mark_unread(Row& row) {
  if (!std::exchange(row.unread, true)) ++unread_;
}

PodTable::Owner PodTable::owner_of(const Row& row) const {
  if (row.controller == nullptr) return {.namespace_name = row.namespace_name};
  const model::ControllerRef& controller = *row.controller;
  return key_of({row.namespace_name, controller.kind, controller.name, controller.uid});
}

PodTable::Owner PodTable::key_of(const Owner& owner) const {
  if (full_references_ || owner.uid.empty()) return owner;
  return {.namespace_name = {}, .uid = owner.uid};
}

template <class Groups>
void PodTable::join(Groups& groups, const typename Groups::key_type& key, Row& row, Place place) {
  Group& group = groups[key];
  row.*place = static_cast<std::uint32_t>(group.size());
  group.push_back(&row);
}

template <class Groups>
void PodTable::leave(Groups& groups, const typename Groups::key_type& key, Row& row, Place place) {
  const auto found = groups.find(key);
  EBB_CHECK(found != groups.end());
  Group& group = found->second;
  Row* last = group.back();
  group[row.*place] = last;
  last->*place = row.*place;
  group.pop_back();
  if (group.empty()) groups.erase(found);
}

const PodTable::Group* PodTable::in_namespace(Interned namespace_name) const {
  return group_of(by_namespace_, namespace_name);
}

const PodTable::Group* PodTable::of_owner(const Owner& owner) const {
  return group_of(by_owner_, key_of(owner));
}

void PodTable::rebuild_indexes() {
  by_name_ = {};
  by_namespace_ = {};
  by_owner_ = {};
  each([&](Row& row) { index(row); });
}

std::size_t PodTable::bytes() const {
  constexpr std::size_t kPointer = sizeof(void*);
  std::size_t total = rows_.size() * sizeof(Row) + free_.capacity() * kPointer +
                      by_name_.bucket_count() * (kPointer + 1);
  const auto add = [&](const auto& groups) {
    total += groups.bucket_count() * (sizeof(*groups.begin()) + 1);
    for (const auto& [key, group] : groups) total += group.capacity() * kPointer;
  };
  add(by_namespace_);
  add(by_owner_);
  return total;
}

}  // namespace ebb::control
