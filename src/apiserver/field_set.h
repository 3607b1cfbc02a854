// A set of places in an object, as metadata.managedFields keeps it: which fields somebody owns.
//
// A place is a path of steps, and a step is written as FieldsV1 writes it: `f:spec` is a field or
// a key of a map, `k:{"name":"web"}` the entry of a list with these keys, `v:"x"` a value of a
// list of plain values. The set is a tree of steps. A step can be in the set itself, have places
// of the set below it, or both; it is never neither.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ebb::apiserver {

// Where a walk through an object is. Steps lie on the stack of the walk and point upwards.
struct StepPath {
  const StepPath* parent = nullptr;
  std::string_view field{};  // name of a field, key of a map
  std::string_view entry{};  // or the step of a list's entry: k:{...}, v:...

  [[nodiscard]] std::string step() const;
};

class FieldSet {
 public:
  struct Step;

  FieldSet();
  ~FieldSet();
  FieldSet(const FieldSet&);
  FieldSet(FieldSet&&) noexcept;
  FieldSet& operator=(const FieldSet&);
  FieldSet& operator=(FieldSet&&) noexcept;
  bool operator==(const FieldSet& other) const;

  // A set of these paths, each written as steps: {{"f:metadata", "f:labels"}}.
  using Steps = std::initializer_list<std::string_view>;
  explicit FieldSet(std::initializer_list<Steps> paths);

  [[nodiscard]] bool empty() const { return steps_.empty(); }
  [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }
  [[nodiscard]] std::vector<Step>& steps() { return steps_; }
  [[nodiscard]] const Step* find(std::string_view step) const;
  [[nodiscard]] Step* find(std::string_view step);

  // The step, made if it is missing; its maker sees to it that it is not left empty.
  Step& ensure(std::string_view step);
  // Nothing is inserted for the root, which has no path.
  void insert(const StepPath& path);
  // The place and these places below it.
  void insert(const StepPath& path, FieldSet below);
  // Puts steps that were added at the end of steps() into their order.
  void sort();
  void insert(Steps path);
  [[nodiscard]] bool contains(Steps path) const;

 private:
  Step* ensure(const StepPath& path);

  std::vector<Step> steps_;  // in the order of comes_before
};

struct FieldSet::Step {
  std::string text;
  bool is_member = false;
  FieldSet below;

  bool operator==(const Step&) const = default;
};

[[nodiscard]] FieldSet united(FieldSet a, FieldSet b);
[[nodiscard]] FieldSet intersection(const FieldSet& a, const FieldSet& b);
// What is in `a` and not in `b`.
[[nodiscard]] FieldSet difference(FieldSet a, const FieldSet& b);
// The same, and without everything that lies below a place of `b`.
[[nodiscard]] FieldSet recursive_difference(FieldSet a, const FieldSet& b);

// The order of steps: fields, then entries by their keys, then values. Numbers go by size.
[[nodiscard]] bool comes_before(std::string_view step, std::string_view other);

// The paths of a set as messages name them, `.spec.containers[name="web"].image`: at each level
// its own places before those below.
[[nodiscard]] std::vector<std::string> path_texts(const FieldSet& set);

// FieldsV1, JSON text without white space. What cannot be read is an error; steps are brought
// into their usual spelling and order, unless it is our own text.
[[nodiscard]] std::string fields_v1(const FieldSet& set);
[[nodiscard]] Result<FieldSet> parse_fields_v1(std::string_view fields);
[[nodiscard]] Result<FieldSet> parse_own_fields_v1(std::string_view fields);
// Our own text with more places: what is not touched is copied, not read.
[[nodiscard]] std::string with_more_fields(std::string_view fields, const FieldSet& more);

}  // namespace ebb::apiserver
