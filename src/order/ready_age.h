// Rule 8: the pod that became Ready more recently goes first, by age bucket; a pod whose Ready
// condition has no time goes before all others.
#pragma once  // private to its room

#include <cstdint>
#include <string>

#include "order/age.h"
#include "order/candidate.h"

namespace ebb::order {

struct ReadyAge {
  static constexpr std::string_view kName = "ReadyAge";

  // Pods that are not Ready have no such age; rule 3 has already separated them.
  static std::uint64_t key(const Candidate& candidate, const OrderContext& context) {
    return candidate.pod->ready ? age_key(candidate.pod->ready_since, context) : 0;
  }

  static std::string brief(const Contrast& contrast, const OrderContext& context) {
    return brief_age_contrast("ready", contrast.pod.pod->ready_since,
                              contrast.other.pod->ready_since, contrast.goes, context);
  }

  static std::string because(const Contrast& contrast, const OrderContext& context) {
    return age_contrast("ready", contrast.pod.pod->ready_since, contrast.other.pod->ready_since,
                        contrast, context);
  }
};

}  // namespace ebb::order
