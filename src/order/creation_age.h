// Rule 10: the pod that was created more recently goes first, by age bucket; a pod without a
// creation time goes before all others.
#pragma once  // private to its room

#include <cstdint>
#include <string>

#include "order/age.h"
#include "order/candidate.h"

namespace ebb::order {

struct CreationAge {
  static constexpr std::string_view kName = "CreationAge";

  static std::uint64_t key(const Candidate& candidate, const OrderContext& context) {
    return age_key(candidate.pod->created, context);
  }

  static std::string brief(const Contrast& contrast, const OrderContext& context) {
    return brief_age_contrast("created", contrast.pod.pod->created, contrast.other.pod->created,
                              contrast.goes, context);
  }

  static std::string because(const Contrast& contrast, const OrderContext& context) {
    return age_contrast("created", contrast.pod.pod->created, contrast.other.pod->created, contrast,
                        context);
  }
};

}  // namespace ebb::order
