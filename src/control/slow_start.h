// Creations in batches of 1, 2, 4, 8 ...: if something is wrong with the pods (a quota, a bad
// template), one is refused and not five hundred.
#pragma once

#include <algorithm>
#include <cstddef>

namespace ebb::control {

class SlowStart {
 public:
  explicit SlowStart(std::size_t wanted) : untried_(wanted) {}

  // How many to begin now, all at once; 0: there is nothing left, or one has failed.
  [[nodiscard]] std::size_t next_batch() {
    if (failed_) return 0;
    batch_ = std::min(batch_ == 0 ? 1 : 2 * batch_, untried_);
    untried_ -= batch_;
    under_way_ = batch_;
    return batch_;
  }
  // One of them is over.
  void answered(bool went_well) {
    --under_way_;
    failed_ = failed_ || !went_well;
  }

  [[nodiscard]] bool batch_over() const { return under_way_ == 0; }
  [[nodiscard]] std::size_t untried() const { return untried_; }

 private:
  std::size_t untried_;
  std::size_t batch_ = 0;
  std::size_t under_way_ = 0;
  bool failed_ = false;
};

}  // namespace ebb::control
