// Label selectors: which pods a ReplicaSet or Deployment means.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "model/interned.h"

namespace ebb::model {

struct Requirement {
  enum class Operator { kIn, kNotIn, kExists, kDoesNotExist };

  Interned key;
  Operator op = Operator::kExists;
  std::vector<Interned> values;  // for kIn and kNotIn

  [[nodiscard]] bool matches(const LabelSet& labels) const;

  friend bool operator==(const Requirement&, const Requirement&) = default;
};

// All requirements must hold. A selector without any selects nothing: the API
// refuses such workloads, and "everything in the namespace" is never meant.
struct Selector {
  std::vector<Requirement> requirements;

  [[nodiscard]] bool empty() const { return requirements.empty(); }
  [[nodiscard]] bool matches(const LabelSet& labels) const;

  friend bool operator==(const Selector&, const Selector&) = default;
};

// The requirement that an operator of the API (`In`, `NotIn`, `Exists`, `DoesNotExist`) makes, or
// nothing if there is no such operator or it cannot have these values.
[[nodiscard]] std::optional<Requirement> make_requirement(Interned key, std::string_view op,
                                                          std::vector<Interned> values);

}  // namespace ebb::model
