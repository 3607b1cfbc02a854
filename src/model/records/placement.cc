#include "model/records/placement.h"

#include <algorithm>

namespace ebb::model {

TaintEffect parse_taint_effect(std::string_view text) {
  if (text == "NoSchedule") return TaintEffect::kNoSchedule;
  if (text == "PreferNoSchedule") return TaintEffect::kPreferNoSchedule;
  if (text == "NoExecute") return TaintEffect::kNoExecute;
  return TaintEffect::kOther;
}

// A toleration without a key matches every key; its operator still decides whether values are
// compared.
bool tolerates(const std::vector<Toleration>& tolerations, const Taint& taint) {
  return std::any_of(tolerations.begin(), tolerations.end(), [&](const Toleration& toleration) {
    return (toleration.any_effect || toleration.effect == taint.effect) &&
           (toleration.key.empty() || toleration.key == taint.key) &&
           (toleration.exists || toleration.value == taint.value);
  });
}

// No label has an empty key.
Selector every_pod() {
  return {.requirements = {
              {.key = {}, .op = Requirement::Operator::kDoesNotExist, .values = {}},
          }};
}

}  // namespace ebb::model
