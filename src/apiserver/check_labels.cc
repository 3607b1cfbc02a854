// Labels, annotations, and selectors of labels.
#include <algorithm>

#include "apiserver/checks.h"
#include "model/deletion_cost.h"
#include "schema/json.h"

namespace ebb::apiserver {

namespace json = boost::json;

using schema::text_at;

namespace {

constexpr std::size_t kMostAnnotationBytes = 256UL * 1024;
constexpr std::string_view kDeletionCost = "controller.kubernetes.io/pod-deletion-cost";

std::string_view text_of(const json::value& value) {
  return value.is_string() ? std::string_view(value.get_string()) : std::string_view();
}

// In the keys of annotations case does not matter.
schema::Complaints annotation_key_complaints(std::string_view key) {
  schema::Complaints complaints = schema::qualified_name_complaints(key);
  if (complaints.empty()) return complaints;
  std::string lower(key);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return schema::qualified_name_complaints(lower);
}

bool has_invalid_cost(const json::object* annotations) {
  const json::value* cost =
      annotations == nullptr ? nullptr : annotations->if_contains(kDeletionCost);
  return cost != nullptr && !model::parse_deletion_cost(text_of(*cost));
}

void check_values(const json::object& expression, std::string_view op, const FieldPath& path,
                  Findings& findings) {
  const json::array* values = schema::array_at(expression, {"values"});
  const bool any = values != nullptr && !values->empty();
  if (op == "In" || op == "NotIn") {
    if (!any) {
      findings.required(below(path, "values"),
                        "must be specified when `operator` is 'In' or 'NotIn'");
    }
  } else if (op == "Exists" || op == "DoesNotExist") {
    if (any) {
      findings.forbidden(below(path, "values"),
                         "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
    }
  } else {
    findings.invalid(below(path, "operator"), quoted(op), "not a valid selector operator");
  }
}

void check_expression(const json::object& expression, const FieldPath& path, Findings& findings) {
  check_values(expression, text_at(expression, {"operator"}), path, findings);
  const std::string_view key = text_at(expression, {"key"});
  findings.complain(FieldPath{.parent = &path, .name = "key"}, key,
                    schema::qualified_name_complaints(key));
  const json::array* values = schema::array_at(expression, {"values"});
  if (values == nullptr) return;
  const FieldPath values_path{.parent = &path, .name = "values"};
  for (std::size_t i = 0; i < values->size(); ++i) {
    const std::string_view value = text_of((*values)[i]);
    findings.complain(FieldPath{.parent = &values_path, .index = i}, value,
                      schema::label_value_complaints(value));
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

void check_labels(const json::object* labels, const FieldPath& path, Findings& findings) {
  if (labels == nullptr) return;
  for (const auto& label : *labels) {
    const std::string_view key = label.key();
    const std::string_view value = text_of(label.value());
    findings.complain(path, key, schema::qualified_name_complaints(key));
    findings.complain(path, value, schema::label_value_complaints(value));
  }
}

void check_annotations(const json::object* annotations, const FieldPath& path, Findings& findings) {
  if (annotations == nullptr) return;
  std::size_t bytes = 0;
  for (const auto& annotation : *annotations) {
    const std::string_view key = annotation.key();
    bytes += key.size() + text_of(annotation.value()).size();
    findings.complain(path, key, annotation_key_complaints(key));
  }
  if (bytes > kMostAnnotationBytes) findings.too_long(path.text(), kMostAnnotationBytes);
}

void check_deletion_cost(const json::object* annotations, const json::object* old,
                         const model::FeatureGates& gates, const FieldPath& path,
                         Findings& findings) {
  if (!gates.on(model::Gate::kPodDeletionCost)) return;
  if (!has_invalid_cost(annotations) || has_invalid_cost(old)) return;
  findings.invalid(keyed(path, kDeletionCost), json_text(&annotations->at(kDeletionCost)),
                   "must be a 32bit integer");
}

void check_label_selector(const json::object& selector, const FieldPath& path, Findings& findings) {
  check_labels(schema::object_at(selector, {"matchLabels"}),
               FieldPath{.parent = &path, .name = "matchLabels"}, findings);
  each_entry(selector, "matchExpressions", path,
             [&](const json::object& expression, const FieldPath& expression_path) {
               check_expression(expression, expression_path, findings);
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
