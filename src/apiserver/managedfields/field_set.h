// A set of places in an object, as in metadata.managedFields: the fields that a manager owns.
//
// A place is a path of steps, written as in FieldsV1: `f:spec` is a field or the key of a map,
// `k:{"name":"web"}` is the entry of a list with these keys, `v:"x"` is a value in a list of plain
// values. The set is a tree of steps. Every step is in the set itself, has places of the set below
// it, or both.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ebb::apiserver {

// A position in a walk through an object. Steps live on the stack of the walk and point upwards.
struct StepPath {
  const StepPath* parent = nullptr;
  std::string_view field{};  // name of a field or key of a map
  std::string_view entry{};  // or the step of a list entry: k:{...}, v:...

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

  // Makes a set of paths, each written as steps: {{"f:metadata", "f:labels"}}.
  using Steps = std::initializer_list<std::string_view>;
  explicit FieldSet(std::initializer_list<Steps> paths);

  [[nodiscard]] bool empty() const { return steps_.empty(); }
  [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }
  [[nodiscard]] std::vector<Step>& steps() { return steps_; }
  [[nodiscard]] const Step* find(std::string_view step) const;
  [[nodiscard]] Step* find(std::string_view step);

  // Returns the step, created if missing. The caller must not leave a new step empty.
  Step& ensure(std::string_view step);
  // Inserting the root, which has no path, does nothing.
  void insert(const StepPath& path);
  // Inserts the place and these places below it.
  void insert(const StepPath& path, FieldSet below);
  // Sorts the steps after appending to steps().
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
// Returns the places in `a` that are not in `b`.
[[nodiscard]] FieldSet difference(FieldSet a, const FieldSet& b);
// The same, and also without everything below a place of `b`.
[[nodiscard]] FieldSet recursive_difference(FieldSet a, const FieldSet& b);

// The order of steps: fields, then entries by their keys, then values. Numbers compare by value.
[[nodiscard]] bool comes_before(std::string_view step, std::string_view other);

// The paths of a set as messages print them, `.spec.containers[name="web"].image`: at each level
// the places themselves before those below.
[[nodiscard]] std::vector<std::string> path_texts(const FieldSet& set);

// FieldsV1, JSON text without white space. Malformed text is an error. Steps are normalised and
// sorted, unless ebb itself wrote the text.
[[nodiscard]] std::string fields_v1(const FieldSet& set);
[[nodiscard]] Result<FieldSet> parse_fields_v1(std::string_view fields);
[[nodiscard]] Result<FieldSet> parse_own_fields_v1(std::string_view fields);
// Adds places to a text that ebb wrote. Unchanged parts are copied without parsing.
[[nodiscard]] std::string with_more_fields(std::string_view fields, const FieldSet& more);

}  // namespace ebb::apiserver
