// Who stands where anti-affinity does not want it: for each term, which pods of a group hold it,
// which it means, and how many others do, by domain.
#pragma once

#include <cstdint>
#include <vector>

#include "ranking/strategy.h"

namespace ebb::ranking {

// A pod of the group as a term sees it.
struct Stake {
  std::size_t spot = 0;  // index of term and domain
  bool holds = false;    // the term is the pod's own
  bool meant = false;    // the term's selector and namespaces mean the pod
};

// What there is in one domain about one term.
struct Spot {
  std::int64_t value = 0;  // of each pair of a pod that holds the term and one that it means
  // Pods outside the group. Those meant are only counted for terms that pods of the group hold.
  std::int64_t other_holders = 0;
  std::int64_t others_meant = 0;
  struct Member {
    std::size_t pod = 0;  // its index
    bool holds = false;
    bool meant = false;
  };
  std::vector<Member> members{};  // of the group, with a stake here
};

struct Violations {
  std::vector<Spot> spots;
  std::vector<std::vector<Stake>> stakes;  // parallel to the pods
};

[[nodiscard]] Violations find_violations(Pods pods, const Surroundings& around);

}  // namespace ebb::ranking
