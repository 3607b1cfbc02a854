#include "model/selector.h"

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

}  // namespace ebb::model
