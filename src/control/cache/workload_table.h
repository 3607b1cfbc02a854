// The ReplicaSets, Deployments, policies, nodes, PodGroupCosts or DownscaleDecisions of a store.
// They are far fewer than pods, and most keep their whole text, so this table is optimised for
// reading: ordered by name.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "control/cache/store.h"

namespace ebb::control {

// The owner of a PodGroupCost, as one string.
[[nodiscard]] inline std::string target_text(std::string_view namespace_name, std::string_view kind,
                                             std::string_view name) {
  std::string text;
  for (const std::string_view part : {namespace_name, kind, name}) text.append(part).append("/");
  return text;
}

// The target of a policy, in the same form.
[[nodiscard]] inline std::string target_text(std::string_view namespace_name,
                                             const model::TargetRef& target) {
  return target_text(namespace_name, target.kind, target.name).append(target.group);
}

// An owner, in the same form.
[[nodiscard]] inline std::string owner_text(const OwnerName& owner) {
  return target_text(owner.namespace_name, owner.kind, owner.name).append(owner.uid);
}

template <class T>
class WorkloadTable {
 public:
  using Object = T;
  // `full_references` as for PodTable.
  explicit WorkloadTable(bool full_references = true) : full_references_(full_references) {}

  struct Row : T {
    std::uint32_t listing = 0;
  };
  using ByName = std::map<std::string, Row, std::less<>>;

  [[nodiscard]] Row* find(const T& object) {
    return const_cast<Row*>(find(object.namespace_name.view(), object.name.view()));
  }
  [[nodiscard]] const Row* find(std::string_view namespace_name, std::string_view name) const {
    const auto space = by_namespace_.find(namespace_name);
    if (space == by_namespace_.end()) return nullptr;
    const auto found = space->second.find(name);
    return found == space->second.end() ? nullptr : &found->second;
  }

  Row& insert(T object) {
    const std::string name(object.name.view());
    Row& row = by_namespace_[std::string(object.namespace_name.view())][name];
    EBB_CHECK(row.name.empty());
    static_cast<T&>(row) = std::move(object);
    join_owner(row);
    ++size_;
    return row;
  }
  void replace(Row& row, T object) {
    leave_owner(row);
    static_cast<T&>(row) = std::move(object);
    join_owner(row);
  }
  void erase(Row& row) {
    leave_owner(row);
    const auto space = by_namespace_.find(row.namespace_name.view());
    EBB_CHECK(space != by_namespace_.end());
    const auto found = space->second.find(row.name.view());
    EBB_CHECK(found != space->second.end());
    space->second.erase(found);
    if (space->second.empty()) by_namespace_.erase(space);
    --size_;
  }

  template <class Visit>
  void each(Visit visit) {
    for (auto space = by_namespace_.begin(); space != by_namespace_.end();) {
      auto& objects = (space++)->second;
      // Erasing the last object of a namespace also erases the namespace.
      for (auto object = objects.begin(), next = object; object != objects.end(); object = next) {
        ++next;
        const bool last = next == objects.end();
        visit(object->second);
        if (last) break;
      }
    }
  }

  [[nodiscard]] std::vector<const T*> in_namespace(std::string_view namespace_name) const {
    std::vector<const T*> found;
    const auto space = by_namespace_.find(namespace_name);
    if (space == by_namespace_.end()) return found;
    found.reserve(space->second.size());
    for (const auto& [name, row] : space->second) found.push_back(&row);
    return found;
  }

  // `target` as returned by target_text(). Policies are in the order in which they count.
  [[nodiscard]] std::span<const T* const> for_target(std::string_view target) const {
    const auto found = by_owner_.find(target);
    return found == by_owner_.end() ? std::span<const T* const>() : found->second;
  }

  [[nodiscard]] std::vector<const T*> of_owner(const OwnerName& owner) const {
    const auto found = for_target(full_references_ ? owner_text(owner) : std::string(owner.uid));
    return {found.begin(), found.end()};
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t size_in(std::string_view namespace_name) const {
    const auto space = by_namespace_.find(namespace_name);
    return space == by_namespace_.end() ? 0 : space->second.size();
  }
  [[nodiscard]] std::size_t bytes() const {
    std::size_t total = 0;
    for (const auto& [namespace_name, objects] : by_namespace_) {
      for (const auto& [name, row] : objects) {
        total += sizeof(typename ByName::value_type);
        if constexpr (requires(const T& one) { one.json; }) total += row.json.capacity();
        if constexpr (requires(const T& one) { one.costs; }) {
          total += row.costs.capacity() * sizeof row.costs[0];
        }
      }
    }
    return total;
  }

 private:
  // The owner, if any: of a ReplicaSet its controller, of a policy its target, of a PodGroupCost
  // its owner.
  [[nodiscard]] std::string owner_of(const T& object) const {
    if constexpr (requires { object.controller; }) {
      if (object.controller == nullptr) return {};
      const OwnerName owner{object.namespace_name.view(), object.controller->kind.view(),
                            object.controller->name.view(), object.controller->uid.view()};
      return full_references_ ? owner_text(owner) : std::string(owner.uid);
    }
    if constexpr (requires { object.target_kind; }) {
      return target_text(object.namespace_name.view(), model::target_of(object));
    }
    if constexpr (requires { object.owner_kind; }) {
      return target_text(object.namespace_name.view(), object.owner_kind.view(),
                         object.owner_name.view());
    }
    return {};
  }
  void join_owner(const T& object) {
    std::string owner = owner_of(object);
    if (owner.empty()) return;
    auto& members = by_owner_[std::move(owner)];
    if constexpr (requires { object.target_kind; }) {
      // So that the one that counts is found without looking at the others.
      const auto place =
          std::upper_bound(members.begin(), members.end(), &object,
                           [](const T* a, const T* b) { return model::comes_before(*a, *b); });
      members.insert(place, &object);
    } else {
      members.push_back(&object);
    }
  }
  void leave_owner(const T& object) {
    const auto group = by_owner_.find(owner_of(object));
    if (group == by_owner_.end()) return;
    auto& members = group->second;
    members.erase(std::remove(members.begin(), members.end(), &object), members.end());
    if (members.empty()) by_owner_.erase(group);
  }

  std::map<std::string, ByName, std::less<>> by_namespace_;
  std::map<std::string, std::vector<const T*>, std::less<>> by_owner_;
  std::size_t size_ = 0;
  bool full_references_;
};

}  // namespace ebb::control
