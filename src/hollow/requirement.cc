#include "hollow/requirement.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "schema/core/json.h"

namespace ebb::hollow {
namespace {

using Operator = LabelRequirement::Operator;

Operator read_operator(std::string_view text) {
  if (text == "In") return Operator::kIn;
  if (text == "NotIn") return Operator::kNotIn;
  if (text == "Exists") return Operator::kExists;
  if (text == "DoesNotExist") return Operator::kDoesNotExist;
  if (text == "Gt") return Operator::kGt;
  if (text == "Lt") return Operator::kLt;
  return Operator::kUnknown;
}

std::optional<std::int64_t> number(std::string_view text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stopped != end) return std::nullopt;
  return value;
}

bool contains(const std::vector<std::string>& values, const std::string& value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

}  // namespace

Labels read_labels(const boost::json::object* labels) {
  Labels result;
  if (labels == nullptr) return result;
  for (const auto& entry : *labels) {
    if (entry.value().is_string()) result.emplace(entry.key(), entry.value().get_string());
  }
  return result;
}

bool LabelRequirement::met_by(const std::string* value) const {
  switch (op) {
    case Operator::kIn:
      return value != nullptr && contains(values, *value);
    case Operator::kNotIn:
      return value == nullptr || !contains(values, *value);
    case Operator::kExists:
      return value != nullptr;
    case Operator::kDoesNotExist:
      return value == nullptr;
    case Operator::kGt:
    case Operator::kLt: {
      if (value == nullptr || values.size() != 1) return false;
      const auto left = number(*value);
      const auto right = number(values.front());
      if (!left.has_value() || !right.has_value()) return false;
      return op == Operator::kGt ? *left > *right : *left < *right;
    }
    case Operator::kUnknown:
      return false;
  }
  return false;
}

bool LabelRequirement::met_by(const Labels& labels) const {
  const auto found = labels.find(key);
  return met_by(found == labels.end() ? nullptr : &found->second);
}

std::vector<LabelRequirement> read_requirements(const boost::json::object& parent,
                                                std::string_view field) {
  std::vector<LabelRequirement> requirements;
  const boost::json::array* entries = schema::array_at(parent, {field});
  if (entries == nullptr) return requirements;
  for (const boost::json::value& entry : *entries) {
    const boost::json::object* object = entry.if_object();
    if (object == nullptr) continue;
    LabelRequirement requirement;
    requirement.key = schema::text_at(*object, {"key"});
    requirement.op = read_operator(schema::text_at(*object, {"operator"}));
    if (const auto* values = schema::array_at(*object, {"values"}); values != nullptr) {
      for (const boost::json::value& value : *values) {
        if (value.is_string()) requirement.values.emplace_back(value.get_string());
      }
    }
    requirements.push_back(std::move(requirement));
  }
  return requirements;
}

bool all_met(const std::vector<LabelRequirement>& requirements, const Labels& labels) {
  return std::all_of(requirements.begin(), requirements.end(),
                     [&](const LabelRequirement& each) { return each.met_by(labels); });
}

LabelSelector read_label_selector(const boost::json::object& parent, std::string_view field) {
  LabelSelector selector;
  const boost::json::object* object = schema::object_at(parent, {field});
  if (object == nullptr) return selector;
  selector.selects_nothing = false;
  selector.requirements = read_requirements(*object, "matchExpressions");
  for (const auto& [key, value] : read_labels(schema::object_at(*object, {"matchLabels"}))) {
    selector.requirements.push_back({.key = key, .op = Operator::kIn, .values = {value}});
  }
  return selector;
}

}  // namespace ebb::hollow
