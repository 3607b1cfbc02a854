#include "model/records/selector.h"

#include <algorithm>

namespace ebb::model {

bool Requirement::matches(const LabelSet& labels) const {
  const Interned* value = labels.find(key);
  const auto listed = [&] {
    return std::find(values.begin(), values.end(), *value) != values.end();
  };
  switch (op) {
    case Operator::kIn:
      return value != nullptr && listed();
    case Operator::kNotIn:
      return value == nullptr || !listed();
    case Operator::kExists:
      return value != nullptr;
    case Operator::kDoesNotExist:
      return value == nullptr;
  }
  return false;
}

bool Selector::matches(const LabelSet& labels) const {
  return !empty() && std::all_of(requirements.begin(), requirements.end(),
                                 [&](const Requirement& r) { return r.matches(labels); });
}

std::optional<Requirement> make_requirement(Interned key, std::string_view op,
                                            std::vector<Interned> values) {
  using Operator = Requirement::Operator;
  const bool wants_values = op == "In" || op == "NotIn";
  const bool wants_none = op == "Exists" || op == "DoesNotExist";
  if (!(wants_values || wants_none) || wants_values == values.empty()) return std::nullopt;
  const Operator in_or_exists = wants_values ? Operator::kIn : Operator::kExists;
  const Operator its_opposite = wants_values ? Operator::kNotIn : Operator::kDoesNotExist;
  return Requirement{.key = key,
                     .op = op == "In" || op == "Exists" ? in_or_exists : its_opposite,
                     .values = std::move(values)};
}

}  // namespace ebb::model
