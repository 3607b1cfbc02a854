// Merges an applied configuration into a live object, and removes places from an object.
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <boost/json/array.hpp>

#include "apiserver/managedfields/field_structure.h"
#include "apiserver/managedfields/field_walks.h"

namespace ebb::apiserver {

namespace json = boost::json;

namespace {

json::value merge(const Structure& structure, const json::value* live, const json::value* applied);

json::object merge_members(const Structure& structure, const json::object& live,
                           const json::object& applied) {
  json::object merged;
  merged.reserve(live.size() + applied.size());
  const auto add = [&](std::string_view name, const json::value* old, const json::value* wanted) {
    if (const auto below = structure.below(name)) merged.emplace(name, merge(*below, old, wanted));
  };
  for (const json::key_value_pair& member : live) {
    add(member.key(), &member.value(), applied.if_contains(member.key()));
  }
  for (const json::key_value_pair& member : applied) {
    if (!live.contains(member.key())) add(member.key(), nullptr, &member.value());
  }
  return merged;
}

// Merges lists whose entries have keys. Shared entries take the order of the configuration; other
// entries stay near their neighbours.
class ListMerge {
 public:
  ListMerge(const Structure& structure, const json::array& live, const json::array& applied)
      : structure_(structure), live_(live), applied_(applied) {
    note_steps(live, live_steps_, live_places_);
    note_steps(applied, applied_steps_, applied_places_);
    for (const std::string& step : applied_steps_) {
      if (live_places_.contains(step)) shared_.push_back(step);
    }
  }

  json::array run() {
    while (live_at_ < live_steps_.size() || applied_at_ < applied_steps_.size()) step();
    return std::move(merged_);
  }

 private:
  using Steps = std::vector<std::string>;
  using Places = std::unordered_map<std::string, std::size_t>;  // the first position of each step

  void note_steps(const json::array& list, Steps& steps, Places& places) const {
    steps.reserve(list.size());
    for (const json::value& entry : list) {
      steps.push_back(structure_.step(entry).value_or(""));
      places.emplace(steps.back(), steps.size() - 1);
    }
  }

  static std::optional<std::size_t> find(const Places& places, const std::string& wanted) {
    const auto found = places.find(wanted);
    return found == places.end() ? std::nullopt : std::optional(found->second);
  }

  void step() {
    if (live_at_ < live_steps_.size()) {
      const std::string& here = live_steps_[live_at_];
      const auto in_applied = find(applied_places_, here);
      if (!in_applied) {
        // Only in the live list: stays where it is.
        merged_.push_back(merge(structure_.entry(), &live_[live_at_++], nullptr));
        return;
      }
      const bool is_taken = *in_applied < applied_at_;
      const bool is_its_turn = next_shared_ < shared_.size() && shared_[next_shared_] == here;
      if (is_taken || !is_its_turn) {
        // Goes to the position that the configuration gives it.
        ++live_at_;
        if (next_shared_ < shared_.size() || applied_at_ == applied_steps_.size()) return;
      }
    }
    take_applied();
  }

  void take_applied() {
    const std::string& here = applied_steps_[applied_at_];
    const auto old = find(live_places_, here);
    if (old && live_at_ == *old) ++live_at_;
    if (next_shared_ < shared_.size() && shared_[next_shared_] == here) ++next_shared_;
    merged_.push_back(
        merge(structure_.entry(), old ? &live_[*old] : nullptr, &applied_[applied_at_++]));
  }

  const Structure& structure_;
  const json::array& live_;
  const json::array& applied_;
  Steps live_steps_;
  Steps applied_steps_;
  Places live_places_;
  Places applied_places_;
  Steps shared_;  // in both, in the order of the configuration
  std::size_t next_shared_ = 0;
  std::size_t live_at_ = 0;
  std::size_t applied_at_ = 0;
  json::array merged_;
};

json::value merge(const Structure& structure, const json::value* live, const json::value* applied) {
  if (applied == nullptr) return *live;
  if (live == nullptr) return *applied;
  switch (structure.ownership(live, applied)) {
    case Ownership::kWhole:
      return *applied;
    case Ownership::kFields:
    case Ownership::kKeys: {
      if (!live->is_object() || live->get_object().empty()) return *applied;
      if (!applied->is_object()) return *live;  // null does not change the contents
      return merge_members(structure, live->get_object(), applied->get_object());
    }
    case Ownership::kEntries:
    case Ownership::kValues: {
      if (!live->is_array() || live->get_array().empty()) return *applied;
      if (!applied->is_array()) return *live;
      return ListMerge(structure, live->get_array(), applied->get_array()).run();
    }
  }
  return *applied;
}

json::value without(const Structure& structure, const json::value& value, const FieldSet& places);

// Returns what remains of a member or entry; nothing if it is removed.
std::optional<json::value> left_of(const Structure& structure, const json::value& value,
                                   const FieldSet::Step* step) {
  if (step == nullptr) return value;
  if (step->is_member) return std::nullopt;
  return without(structure, value, step->below);
}

json::object members_left(const Structure& structure, const json::object& object,
                          const FieldSet& places) {
  json::object left;
  left.reserve(object.size());
  for (const json::key_value_pair& member : object) {
    const auto below = structure.below(member.key());
    if (!below) continue;
    const FieldSet::Step* step = places.find(StepPath{.field = member.key()}.step());
    if (auto value = left_of(*below, member.value(), step)) {
      left.emplace(member.key(), *std::move(value));
    }
  }
  return left;
}

json::array entries_left(const Structure& structure, const json::array& list,
                         const FieldSet& places) {
  json::array left;
  for (const json::value& entry : list) {
    const auto text = structure.step(entry);
    const FieldSet::Step* step = text ? places.find(*text) : nullptr;
    if (auto value = left_of(structure.entry(), entry, step)) left.push_back(*std::move(value));
  }
  return left;
}

// A value that loses all its contents becomes null, as in Kubernetes: the place remains.
json::value without(const Structure& structure, const json::value& value, const FieldSet& places) {
  const Ownership ownership = structure.ownership(&value);
  if (const json::object* object = value.if_object(); object != nullptr) {
    if (ownership == Ownership::kWhole) return value;
    json::object left = members_left(structure, *object, places);
    return left.empty() ? json::value() : json::value(std::move(left));
  }
  if (const json::array* list = value.if_array(); list != nullptr) {
    if (ownership == Ownership::kWhole) return value;
    json::array left = entries_left(structure, *list, places);
    return left.empty() ? json::value() : json::value(std::move(left));
  }
  return value;
}

FieldSet with_names(const Structure& structure, const FieldSet& set) {
  FieldSet result;
  for (const FieldSet::Step& step : set.steps()) {
    FieldSet::Step& copy = result.ensure(step.text);
    const bool is_field = step.text.front() == 'f';
    const auto below = is_field ? structure.below(std::string_view(step.text).substr(2))
                                : std::optional<Structure>(structure.entry());
    copy.is_member =
        step.is_member || (is_field && structure.has_named_fields() && below.has_value());
    copy.below = below ? with_names(*below, step.below) : step.below;
  }
  return result;
}

}  // namespace

json::object merge_applied(const schema::ObjectSchema& schema, const json::object& live,
                           const json::object& configuration) {
  return merge_members(Structure(schema), live, configuration);
}

json::object without_fields(const schema::ObjectSchema& schema, const json::object& object,
                            const FieldSet& places) {
  return members_left(Structure(schema), object, places);
}

FieldSet with_named_fields(const schema::ObjectSchema& schema, const FieldSet& set) {
  return with_names(Structure(schema), set);
}

}  // namespace ebb::apiserver
