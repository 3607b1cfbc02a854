// Rule 8: the pod that became Ready more recently goes first, by age bucket; one
// whose Ready condition has no time goes before all others.
#pragma once

#include <cstdint>
#include <string>

#include "order/age.h"
#include "order/candidate.h"

namespace ebb::order {

struct ReadyAge {
  static constexpr std::string_view kName = "ReadyAge";

  // Pods that are not Ready have no such age. Rule 3 has told them from the others.
  static std::uint64_t key(const Candidate& candidate, const Setting& setting) {
    return candidate.pod->ready ? age_key(candidate.pod->ready_since, setting) : 0;
  }

  static std::string because(const Contrast& contrast, const Setting& setting) {
    return age_contrast("ready", contrast.pod.pod->ready_since, contrast.other.pod->ready_since,
                        contrast, setting);
  }
};

}  // namespace ebb::order
