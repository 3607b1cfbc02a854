// Rule 11: the bytewise smaller uid goes first. Uids are random, so this shuffles pods of equal age
// (KEP-2185), and unique, so this makes the order total: the victims do not depend on the order in
// which pods were listed.
#pragma once  // private to its room

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "order/candidate.h"

namespace ebb::order {

struct Uid {
  static constexpr std::string_view kName = "Uid";

  static std::string_view key(const Candidate& candidate, const OrderContext&) {
    return candidate.pod->uid.view();
  }

  static std::string brief(const Contrast& contrast, const OrderContext&) {
    return fmt::format("equal by all other rules; its uid is {}",
                       contrast.goes ? "smaller" : "greater");
  }

  static std::string because(const Contrast& contrast, const OrderContext&) {
    return fmt::format("equal by all other rules, uid {} is {} than {} of {}",
                       contrast.pod.pod->uid.view(), contrast.goes ? "smaller" : "greater",
                       contrast.other.pod->uid.view(), contrast.other_name);
  }
};

}  // namespace ebb::order
