// Limits on the work to rank one group. A ranking is computed in one go, on the thread that also
// renews the lease, and tenants write the pods and policies: their content must not decide how long
// it takes. The limits are far above what workloads need. If one is reached, the policy's status
// says what was left out. They count work, not time, so that the same pods have the same ranks
// everywhere.
#pragma once  // private to its room

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ebb::ranking {

// Anti-affinity terms per pod: the first ones count, required before preferred.
inline constexpr std::size_t kMaxTermsPerPod = 16;
// Namespaces per term: the first ones count.
inline constexpr std::size_t kMaxNamespacesPerTerm = 256;
// Terms of a group and of other pods that match it; and that number times the number of pods. A
// term with a large selector counts several times.
inline constexpr std::size_t kMaxTermsPerGroup = 64;
inline constexpr std::size_t kMaxPodTerms = 100'000;
// Placements of other pods in the namespace that are searched for terms that match the group. The
// search itself may cost as much as kMaxPodTerms.
inline constexpr std::size_t kMaxOtherPlacements = 1'000;
// Pods that terms may match, times these terms.
inline constexpr std::size_t kMaxMeantPodTerms = 200'000;
// Small steps to compute an exact order: one for each strategy and pair of pods.
inline constexpr std::uint64_t kMaxExactSteps = 25'000'000;

// The work that a ranking took, and the limits it reached.
struct Effort {
  std::uint64_t units = 0;            // reading one pod once, or about as much work
  std::vector<std::string> limits{};  // sentences; empty: nothing was left out
};

}  // namespace ebb::ranking
