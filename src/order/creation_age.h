// Rule 10: the pod that was created more recently goes first, by age bucket; one
// without a creation time goes before all others.
#pragma once

#include <cstdint>
#include <string>

#include "order/age.h"
#include "order/candidate.h"

namespace ebb::order {

struct CreationAge {
  static constexpr std::string_view kName = "CreationAge";

  static std::uint64_t key(const Candidate& candidate, const Setting& setting) {
    return age_key(candidate.pod->created, setting);
  }

  static std::string because(const Contrast& contrast, const Setting& setting) {
    return age_contrast("created", contrast.pod.pod->created, contrast.other.pod->created, contrast,
                        setting);
  }
};

}  // namespace ebb::order
