// Label selectors: the pods that a ReplicaSet or Deployment selects.
#pragma once  // private to its room

#include <optional>
#include <string_view>
#include <vector>

#include "model/records/interned.h"

namespace ebb::model {

struct Requirement {
  enum class Operator { kIn, kNotIn, kExists, kDoesNotExist };

  Interned key;
  Operator op = Operator::kExists;
  std::vector<Interned> values;  // for kIn and kNotIn

  [[nodiscard]] bool matches(const LabelSet& labels) const;

  friend bool operator==(const Requirement&, const Requirement&) = default;
};

// The most requirements and values that a selector may have. API servers accept as many as fit into
// an object, and matching all pods of a namespace would keep the only thread busy for minutes.
inline constexpr std::size_t kMaxSelectorTerms = 256;

// All requirements must hold. A selector without any selects nothing: the API rejects such
// workloads, and "everything in the namespace" is never intended.
struct Selector {
  std::vector<Requirement> requirements;

  [[nodiscard]] bool empty() const { return requirements.empty(); }
  // What matching one pod costs, for work budgets: 1 for an ordinary selector.
  [[nodiscard]] std::size_t cost() const { return 1 + requirements.size() / 8; }
  [[nodiscard]] bool matches(const LabelSet& labels) const;

  friend bool operator==(const Selector&, const Selector&) = default;
};

// The requirement for an API operator (`In`, `NotIn`, `Exists`, `DoesNotExist`), or nothing if the
// operator is unknown or does not allow these values.
[[nodiscard]] std::optional<Requirement> make_requirement(Interned key, std::string_view op,
                                                          std::vector<Interned> values);

}  // namespace ebb::model
