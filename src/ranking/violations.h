// Anti-affinity violations: for each term and domain, which pods of a group hold the term, which it
// matches, and how many other pods do.
#pragma once

#include <cstdint>
#include <vector>

#include "ranking/limits.h"
#include "ranking/strategy.h"

namespace ebb::ranking {

// The relation of a pod of the group to a term.
struct Stake {
  std::size_t spot = 0;  // index of term and domain
  bool holds = false;    // the term is the pod's own
  bool meant = false;    // the term's selector and namespaces match the pod
};

// The counts for one term in one domain.
struct Spot {
  std::int64_t value = 0;  // of each pair of a holder and a matching pod
  // Pods outside the group. Matching ones are only counted for terms that pods of the group hold.
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
  Effort effort;
};

[[nodiscard]] Violations find_violations(Pods pods, const ClusterReader& cluster);

// The namespaces that the terms of these pods name, within the limits.
[[nodiscard]] std::vector<model::Interned> namespaces_meant(Pods pods);

}  // namespace ebb::ranking
