// Label selectors: which pods a ReplicaSet or Deployment means.
#pragma once

#include <vector>

#include "model/pool.h"

namespace ebb::model {

struct Requirement {
  enum class Operator { kIn, kNotIn, kExists, kDoesNotExist };

  Interned key;
  Operator op = Operator::kExists;
  std::vector<Interned> values;  // for kIn and kNotIn

  [[nodiscard]] bool matches(const LabelSet& labels) const;
};

// All requirements must hold. A selector without any selects nothing: the API
// refuses such workloads, and "everything in the namespace" is never meant.
struct Selector {
  std::vector<Requirement> requirements;

  [[nodiscard]] bool empty() const { return requirements.empty(); }
  [[nodiscard]] bool matches(const LabelSet& labels) const;
};

}  // namespace ebb::model
