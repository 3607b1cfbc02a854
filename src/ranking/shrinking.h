// The ranks of a group from which pods are taken one after the other, in mind. Ranking all that is
// left anew each time would give the same and take too long for large groups.
#pragma once

#include <cstddef>

#include "ranking/strategy.h"

namespace ebb::ranking {

class Shrinking {
 public:
  Shrinking() = default;
  Shrinking(const Shrinking&) = delete;
  Shrinking& operator=(const Shrinking&) = delete;
  virtual ~Shrinking() = default;

  // Parallel to the pods at the beginning; those of pods that are gone mean nothing.
  [[nodiscard]] const Ranks& ranks() const { return ranks_; }

  // Each pod goes once. Afterwards ranks are what the strategy would say of the pods that are left,
  // with the others neither in the group nor around it.
  virtual void remove(std::size_t pod) = 0;

 protected:
  Ranks ranks_;  // NOLINT: set by those who know how ranks change
};

}  // namespace ebb::ranking
