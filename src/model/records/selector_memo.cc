#include "model/records/selector_memo.h"

#include <algorithm>

namespace ebb::model {

bool SelectorMemo::look_up(const LabelSet* labels) {
  const auto [known, added] = answers_.try_emplace(labels, false);
  if (added) {
    known->second = std::any_of(selectors_.begin(), selectors_.end(),
                                [&](const Selector* s) { return s->matches(*labels); });
  }
  return known->second;
}

}  // namespace ebb::model
