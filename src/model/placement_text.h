// What the parts of tolerations and anti-affinity mean, in whichever format a pod came. What makes
// no sense is left out: a pod is there whatever stands in a field that few decisions read.
#pragma once

#include <string_view>

#include "model/placement.h"

namespace ebb::model {

// `toleration` has its key and value. One whose operator is neither Exists nor Equal (an absent one
// is Equal) covers no taint; so do Gt and Lt, which compare numbers where a feature gate says so.
void add_toleration(Toleration toleration, std::string_view op, std::string_view effect,
                    Placement& into);

// A term as it is read. Without a labelSelector it selects no pod; with an empty one, every pod.
struct TermParts {
  AntiAffinityTerm term{};
  bool preferred = false;  // then the weight counts
  bool has_selector = false;
  bool sound = true;  // all of its requirements could be read

  void add(Interned key, std::string_view op, std::vector<Interned> values);
};
void add_term(TermParts parts, Placement& into);

}  // namespace ebb::model
