#include "control/webhook/known_decisions.h"

#include <algorithm>
#include <utility>

namespace ebb::control {

void KnownDecisions::decided(const SetId& set, const model::ScaleDownMark& mark,
                             std::vector<std::string> victims, Now now) {
  KnownDecision& known = decisions_[set];
  known = {.id = std::string(mark.decision),
           .size = mark.size,
           .cost = mark.cost,
           .first_seen = now.mono};
  for (std::string& uid : victims) known.victims.insert(std::move(uid));
}

bool KnownDecisions::saw_mark(const SetId& set, const model::ScaleDownMark& mark,
                              std::string_view pod_uid, Now now) {
  const auto [found, is_new] = decisions_.try_emplace(set);
  KnownDecision& known = found->second;
  if (!is_new && mark.cost > known.cost) return false;
  const bool is_newest = is_new || mark.cost < known.cost;
  if (is_newest) {
    known = {.id = std::string(mark.decision),
             .size = mark.size,
             .cost = mark.cost,
             .first_seen = now.mono};
  }
  known.size = std::min(known.size, mark.size);
  known.victims.emplace(pod_uid);
  return is_newest;
}

const KnownDecision* KnownDecisions::newest(const SetId& set) const {
  const auto found = decisions_.find(set);
  return found == decisions_.end() ? nullptr : &found->second;
}

std::optional<std::int32_t> KnownDecisions::lowest_cost(const SetId& set) const {
  const KnownDecision* const known = newest(set);
  return known == nullptr ? std::nullopt : std::optional(known->cost);
}

}  // namespace ebb::control
