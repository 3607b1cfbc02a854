// Validates labels, annotations, and label selectors.
#include <algorithm>

#include "apiserver/validation/checks.h"
#include "model/records/deletion_cost.h"
#include "schema/core/json.h"

namespace ebb::apiserver {

namespace json = boost::json;

using schema::text_at;

namespace {

constexpr std::size_t kMaxAnnotationBytes = 256UL * 1024;
constexpr std::string_view kDeletionCost = "controller.kubernetes.io/pod-deletion-cost";

std::string_view text_of(const json::value& value) {
  return value.is_string() ? std::string_view(value.get_string()) : std::string_view();
}

// The keys of annotations are case-insensitive.
schema::ErrorMessages annotation_key_errors(std::string_view key) {
  schema::ErrorMessages complaints = schema::qualified_name_errors(key);
  if (complaints.empty()) return complaints;
  std::string lower(key);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return schema::qualified_name_errors(lower);
}

bool has_invalid_cost(const json::object* annotations) {
  const json::value* cost =
      annotations == nullptr ? nullptr : annotations->if_contains(kDeletionCost);
  return cost != nullptr && !model::parse_deletion_cost(text_of(*cost));
}

void check_values(const json::object& expression, std::string_view op, const FieldPath& path,
                  FieldErrors& errors) {
  const json::array* values = schema::array_at(expression, {"values"});
  const bool any = values != nullptr && !values->empty();
  if (op == "In" || op == "NotIn") {
    if (!any) {
      errors.required(below(path, "values"),
                      "must be specified when `operator` is 'In' or 'NotIn'");
    }
  } else if (op == "Exists" || op == "DoesNotExist") {
    if (any) {
      errors.forbidden(below(path, "values"),
                       "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
    }
  } else {
    errors.invalid(below(path, "operator"), quoted(op), "not a valid selector operator");
  }
}

void check_expression(const json::object& expression, const FieldPath& path, FieldErrors& errors) {
  check_values(expression, text_at(expression, {"operator"}), path, errors);
  const std::string_view key = text_at(expression, {"key"});
  errors.complain(FieldPath{.parent = &path, .name = "key"}, key,
                  schema::qualified_name_errors(key));
  const json::array* values = schema::array_at(expression, {"values"});
  if (values == nullptr) return;
  const FieldPath values_path{.parent = &path, .name = "values"};
  for (std::size_t i = 0; i < values->size(); ++i) {
    const std::string_view value = text_of((*values)[i]);
    errors.complain(FieldPath{.parent = &values_path, .index = i}, value,
                    schema::label_value_errors(value));
  }
}

bool expression_matches(const json::object& expression, const json::value* label) {
  const std::string_view op = text_at(expression, {"operator"});
  if (op == "Exists") return label != nullptr;
  if (op == "DoesNotExist") return label == nullptr;
  const json::array* values = schema::array_at(expression, {"values"});
  const bool listed = label != nullptr && values != nullptr &&
                      std::find(values->begin(), values->end(), *label) != values->end();
  return op == "NotIn" ? !listed : listed;
}

}  // namespace

void check_labels(const json::object* labels, const FieldPath& path, FieldErrors& errors) {
  if (labels == nullptr) return;
  for (const auto& label : *labels) {
    const std::string_view key = label.key();
    const std::string_view value = text_of(label.value());
    errors.complain(path, key, schema::qualified_name_errors(key));
    errors.complain(path, value, schema::label_value_errors(value));
  }
}

void check_annotations(const json::object* annotations, const FieldPath& path,
                       FieldErrors& errors) {
  if (annotations == nullptr) return;
  std::size_t bytes = 0;
  for (const auto& annotation : *annotations) {
    const std::string_view key = annotation.key();
    bytes += key.size() + text_of(annotation.value()).size();
    errors.complain(path, key, annotation_key_errors(key));
  }
  if (bytes > kMaxAnnotationBytes) errors.too_long(path.text(), kMaxAnnotationBytes);
}

void check_deletion_cost(const json::object* annotations, const json::object* old,
                         const model::FeatureGates& gates, const FieldPath& path,
                         FieldErrors& errors) {
  if (!gates.on(model::Gate::kPodDeletionCost)) return;
  if (!has_invalid_cost(annotations) || has_invalid_cost(old)) return;
  errors.invalid(keyed(path, kDeletionCost), json_text(&annotations->at(kDeletionCost)),
                 "must be a 32bit integer");
}

void check_label_selector(const json::object& selector, const FieldPath& path,
                          FieldErrors& errors) {
  check_labels(schema::object_at(selector, {"matchLabels"}),
               FieldPath{.parent = &path, .name = "matchLabels"}, errors);
  each_entry(selector, "matchExpressions", path,
             [&](const json::object& expression, const FieldPath& expression_path) {
               check_expression(expression, expression_path, errors);
             });
}

bool selector_matches(const json::object& selector, const json::object* labels) {
  const auto label = [&](std::string_view key) {
    return labels == nullptr ? nullptr : labels->if_contains(key);
  };
  if (const json::object* wanted = schema::object_at(selector, {"matchLabels"})) {
    for (const auto& one : *wanted) {
      const json::value* found = label(one.key());
      if (found == nullptr || *found != one.value()) return false;
    }
  }
  bool matches = true;
  each_entry(selector, "matchExpressions", FieldPath(),
             [&](const json::object& expression, const FieldPath& /*path*/) {
               const json::value* found = label(text_at(expression, {"key"}));
               matches = matches && expression_matches(expression, found);
             });
  return matches;
}

}  // namespace ebb::apiserver
