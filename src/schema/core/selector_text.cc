#include "schema/core/selector_text.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "schema/core/json.h"
#include "schema/core/name_rules.h"

namespace ebb::schema {
namespace {

struct Requirement {
  std::string_view key;
  std::string text;
};

bool valid(std::string_view key, const std::vector<std::string_view>& values) {
  return qualified_name_errors(key).empty() &&
         std::all_of(values.begin(), values.end(),
                     [](std::string_view value) { return label_value_errors(value).empty(); });
}

std::optional<Requirement> equality(std::string_view key, const json::value& value) {
  if (!value.is_string()) return std::nullopt;
  const std::string_view wanted = value.get_string();
  if (!valid(key, {wanted})) return std::nullopt;
  return Requirement{key, fmt::format("{}={}", key, wanted)};
}

std::optional<Requirement> expression(const json::value& value) {
  const json::object* object = value.if_object();
  if (object == nullptr) return std::nullopt;
  const std::string_view key = text_at(*object, {"key"});
  const std::string_view op = text_at(*object, {"operator"});
  std::vector<std::string_view> values;
  if (const json::array* list = array_at(*object, {"values"})) {
    for (const json::value& one : *list) {
      if (!one.is_string()) return std::nullopt;
      values.emplace_back(one.get_string());
    }
  }
  if (!valid(key, values)) return std::nullopt;
  if (op == "Exists" || op == "DoesNotExist") {
    if (!values.empty()) return std::nullopt;
    return Requirement{key, fmt::format("{}{}", op == "Exists" ? "" : "!", key)};
  }
  if ((op != "In" && op != "NotIn") || values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end());
  return Requirement{
      key, fmt::format("{} {} ({})", key, op == "In" ? "in" : "notin", fmt::join(values, ","))};
}

std::string in_order_of_keys(std::vector<Requirement> requirements) {
  std::stable_sort(requirements.begin(), requirements.end(),
                   [](const Requirement& a, const Requirement& b) { return a.key < b.key; });
  std::string text;
  for (const Requirement& requirement : requirements) {
    if (!text.empty()) text += ',';
    text += requirement.text;
  }
  return text;
}

}  // namespace

std::optional<std::string> selector_text(const json::object* selector) {
  if (selector == nullptr) return std::string();
  std::vector<Requirement> requirements;
  if (const json::object* labels = object_at(*selector, {"matchLabels"})) {
    for (const auto& label : *labels) {
      auto requirement = equality(label.key(), label.value());
      if (!requirement) return std::nullopt;
      requirements.push_back(std::move(*requirement));
    }
  }
  if (const json::array* expressions = array_at(*selector, {"matchExpressions"})) {
    for (const json::value& one : *expressions) {
      auto requirement = expression(one);
      if (!requirement) return std::nullopt;
      requirements.push_back(std::move(*requirement));
    }
  }
  return in_order_of_keys(std::move(requirements));
}

std::string printed_selector(const json::object* selector) {
  auto text = selector_text(selector);
  if (!text) return "<error>";
  return text->empty() ? "<none>" : std::move(*text);
}

std::string printed_labels(const json::object* labels) {
  if (labels == nullptr || labels->empty()) return "<none>";
  std::vector<Requirement> pairs;
  for (const auto& label : *labels) {
    const std::string_view value =
        label.value().is_string() ? std::string_view(label.value().get_string()) : "";
    pairs.push_back({label.key(), fmt::format("{}={}", std::string_view(label.key()), value)});
  }
  return in_order_of_keys(std::move(pairs));
}

}  // namespace ebb::schema
