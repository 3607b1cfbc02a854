// The ranks of a group while pods are removed on paper, one by one. Ranking the rest from scratch
// each time would give the same ranks and take too long for large groups.
#pragma once  // private to its room

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ranking/strategy.h"

namespace ebb::ranking {

class Shrinking {
 public:
  Shrinking() = default;
  Shrinking(const Shrinking&) = delete;
  Shrinking& operator=(const Shrinking&) = delete;
  virtual ~Shrinking() = default;

  // Parallel to the initial pods; the ranks of removed pods are meaningless.
  [[nodiscard]] const Ranks& ranks() const { return ranks_; }

  // Each pod is removed at most once. Afterwards the ranks are those that the strategy gives the
  // remaining pods, with the removed ones neither in the group nor in the cluster.
  void remove(std::size_t pod) {
    changed_.clear();
    take_out(pod);
  }

  // The pods whose ranks the last removal changed. Some may be listed twice, and removed ones too.
  [[nodiscard]] const std::vector<std::size_t>& changed() const { return changed_; }

  // The approximate number of small steps to remove all pods.
  [[nodiscard]] virtual std::uint64_t steps_to_remove_all() const {
    return std::uint64_t{ranks_.size()} * ranks_.size() / 2;
  }

 protected:
  virtual void take_out(std::size_t pod) = 0;

  void change(std::size_t pod, std::int32_t rank) {
    ranks_[pod] = rank;
    changed_.push_back(pod);
  }

  Ranks ranks_;  // NOLINT: set by subclasses

 private:
  std::vector<std::size_t> changed_;
};

}  // namespace ebb::ranking
