// The errors that validation finds in an object, in Kubernetes' words.
//
// Nothing is formatted unless there is an error: paths stay on the stack (field_path.h), and the
// helpers here turn them into text.
#pragma once  // private to its room

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "model/api/status.h"
#include "schema/core/field_path.h"
#include "schema/core/name_rules.h"

namespace ebb::apiserver {

using schema::FieldPath;

class FieldErrors {
 public:
  void required(std::string field, std::string_view detail = "") {
    add(model::required_value(std::move(field), detail));
  }
  // `value` is JSON text.
  void invalid(std::string field, std::string_view value, std::string_view detail) {
    add(model::invalid_value(std::move(field), value, detail));
  }
  void forbidden(std::string field, std::string_view detail) {
    add(model::forbidden_field(std::move(field), detail));
  }
  void duplicate(std::string field, std::string_view value) {
    add(model::duplicate_value(std::move(field), value));
  }
  void too_long(std::string field, std::size_t max_bytes) {
    add(model::too_long(std::move(field), max_bytes));
  }
  // `choices` are separated by spaces.
  void unsupported(std::string field, std::string_view value, std::string_view choices);
  void not_found(std::string field, std::string_view value);
  void immutable(std::string field, std::string_view value) {
    invalid(std::move(field), value, "field is immutable");
  }

  // Adds one field error per complaint about a text.
  void complain(const FieldPath& path, std::string_view text,
                const schema::ErrorMessages& complaints);

  [[nodiscard]] bool empty() const { return causes_.empty(); }
  [[nodiscard]] std::vector<model::StatusCause> take() { return std::move(causes_); }

 private:
  // Bounds the answer: a small request can contain a million errors.
  static constexpr std::size_t kMax = 1000;
  void add(model::StatusCause cause) {
    if (causes_.size() < kMax) causes_.push_back(std::move(cause));
  }

  std::vector<model::StatusCause> causes_;
};

// A text as a JSON string: quoted, and escaped where needed.
[[nodiscard]] std::string quoted(std::string_view text);
// A value as JSON; nullptr is null.
[[nodiscard]] std::string json_text(const boost::json::value* value);
// Labels as JSON, keys sorted as in Go; nullptr is null.
[[nodiscard]] std::string labels_json(const boost::json::object* labels);

// spec.containers[0] and image: spec.containers[0].image
[[nodiscard]] std::string below(const FieldPath& path, std::string_view field);
// metadata.annotations and example.com/x: metadata.annotations[example.com/x]
[[nodiscard]] std::string keyed(const FieldPath& path, std::string_view key);

// Calls visit(const object&, const FieldPath&) for each entry of a list that is an object.
template <class Visit>
void each_entry(const boost::json::object& parent, std::string_view field, const FieldPath& path,
                Visit visit) {
  const boost::json::value* found = parent.if_contains(field);
  const boost::json::array* list = found == nullptr ? nullptr : found->if_array();
  if (list == nullptr) return;
  const FieldPath list_path{.parent = &path, .name = field};
  for (std::size_t i = 0; i < list->size(); ++i) {
    const FieldPath entry_path{.parent = &list_path, .index = i};
    if (const boost::json::object* entry = (*list)[i].if_object()) visit(*entry, entry_path);
  }
}

inline constexpr std::string_view kNotNegative = "must be greater than or equal to 0";

}  // namespace ebb::apiserver
