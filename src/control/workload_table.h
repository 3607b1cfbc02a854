// The ReplicaSets, Deployments, policies, nodes or PodGroupCosts of a store. There are far fewer of
// them than pods, and most bring their whole text along, so this table is made for reading: ordered
// by name.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"

namespace ebb::control {

// What a policy or a PodGroupCost is for, as one text.
[[nodiscard]] inline std::string target_text(std::string_view name_space, std::string_view kind,
                                             std::string_view name) {
  std::string text;
  for (const std::string_view part : {name_space, kind, name}) text.append(part).append("/");
  return text;
}

template <class T>
class WorkloadTable {
 public:
  using Object = T;
  struct Row : T {
    std::uint32_t listing = 0;
  };
  using ByName = std::map<std::string, Row, std::less<>>;

  [[nodiscard]] Row* find(const T& object) {
    return const_cast<Row*>(find(object.name_space.view(), object.name.view()));
  }
  [[nodiscard]] const Row* find(std::string_view name_space, std::string_view name) const {
    const auto space = by_namespace_.find(name_space);
    if (space == by_namespace_.end()) return nullptr;
    const auto found = space->second.find(name);
    return found == space->second.end() ? nullptr : &found->second;
  }

  Row& insert(T object) {
    const std::string name(object.name.view());
    Row& row = by_namespace_[std::string(object.name_space.view())][name];
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
    const auto space = by_namespace_.find(row.name_space.view());
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
      // Erasing the last object of a namespace takes the namespace along.
      for (auto object = objects.begin(), next = object; object != objects.end(); object = next) {
        ++next;
        const bool last = next == objects.end();
        visit(object->second);
        if (last) break;
      }
    }
  }

  [[nodiscard]] std::vector<const T*> in_namespace(std::string_view name_space) const {
    std::vector<const T*> found;
    const auto space = by_namespace_.find(name_space);
    if (space == by_namespace_.end()) return found;
    found.reserve(space->second.size());
    for (const auto& [name, row] : space->second) found.push_back(&row);
    return found;
  }

  [[nodiscard]] std::vector<const T*> of_owner(std::string_view uid) const {
    const auto found = by_owner_.find(uid);
    return found == by_owner_.end() ? std::vector<const T*>() : found->second;
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t bytes() const {
    std::size_t total = 0;
    for (const auto& [name_space, objects] : by_namespace_) {
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
  // What it belongs to, if anything: a ReplicaSet to its controller, a policy to its target, a
  // PodGroupCost to its owner.
  static std::string owner_of(const T& object) {
    if constexpr (requires { object.controller; }) {
      if (object.controller != nullptr) return std::string(object.controller->uid.view());
    }
    if constexpr (requires { object.target_kind; }) {
      return target_text(object.name_space.view(), object.target_kind.view(),
                         object.target_name.view());
    }
    if constexpr (requires { object.owner_kind; }) {
      return target_text(object.name_space.view(), object.owner_kind.view(),
                         object.owner_name.view());
    }
    return {};
  }
  void join_owner(const T& object) {
    std::string owner = owner_of(object);
    if (!owner.empty()) by_owner_[std::move(owner)].push_back(&object);
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
};

}  // namespace ebb::control
