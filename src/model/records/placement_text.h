// Interprets tolerations and anti-affinity, for every wire format. Invalid parts are left out: a
// field that few decisions read must not hide the pod.
#pragma once

#include <string_view>

#include "model/records/placement.h"

namespace ebb::model {

// `toleration` has its key and value. The operator must be Exists or Equal (the default); with any
// other it covers no taint. That includes Gt and Lt, which compare numbers behind a feature gate.
void add_toleration(Toleration toleration, std::string_view op, std::string_view effect,
                    Placement& into);

// A decoded term. Without a labelSelector it selects no pod; with an empty one, every pod.
struct TermParts {
  AntiAffinityTerm term{};
  bool preferred = false;  // then the weight applies
  bool has_selector = false;
  bool sound = true;  // all of its requirements are valid

  void add(Interned key, std::string_view op, std::vector<Interned> values);
};
void add_term(TermParts parts, Placement& into);

}  // namespace ebb::model
