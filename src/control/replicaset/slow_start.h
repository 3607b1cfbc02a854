// Creates pods in batches of 1, 2, 4, 8 ...: if a quota or a bad template makes every create fail,
// one request is refused and not five hundred.
#pragma once  // private to its room

#include <algorithm>
#include <cstddef>

namespace ebb::control {

class SlowStart {
 public:
  explicit SlowStart(std::size_t wanted) : untried_(wanted) {}

  // How many to create now, all at once; 0 if nothing is left or one has failed.
  [[nodiscard]] std::size_t next_batch() {
    if (failed_) return 0;
    batch_ = std::min(batch_ == 0 ? 1 : 2 * batch_, untried_);
    untried_ -= batch_;
    return batch_;
  }
  // One create has failed.
  void failed() { failed_ = true; }

  [[nodiscard]] std::size_t untried() const { return untried_; }

 private:
  std::size_t untried_;
  std::size_t batch_ = 0;
  bool failed_ = false;
};

}  // namespace ebb::control
