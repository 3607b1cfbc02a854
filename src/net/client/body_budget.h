// The memory budget of all response bodies, from the first byte until they are delivered.
//
// Once it is used up, a response that holds more than an equal share is aborted: small responses do
// not pay for large ones. So at most twice the budget is ever held.
#pragma once  // private to its room

#include <cstddef>

namespace ebb::net {

class BodyBudget {
 public:
  // 0: no limit.
  explicit BodyBudget(std::size_t most) : max_(most) {}

  // The share of one response.
  class Share {
   public:
    explicit Share(BodyBudget& budget) : budget_(budget) {}
    ~Share() {
      if (held_ == 0) return;
      budget_.held_ -= held_;
      --budget_.holders_;
    }
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;
    Share(Share&&) = delete;
    Share& operator=(Share&&) = delete;

    // Whether `bytes` more may be held.
    [[nodiscard]] bool grow(std::size_t bytes) {
      if (budget_.max_ == 0 || bytes == 0) return true;
      if (held_ == 0) ++budget_.holders_;
      held_ += bytes;
      budget_.held_ += bytes;
      return budget_.held_ <= budget_.max_ || held_ <= budget_.max_ / budget_.holders_;
    }

   private:
    BodyBudget& budget_;
    std::size_t held_ = 0;
  };

 private:
  std::size_t max_;
  std::size_t held_ = 0;
  std::size_t holders_ = 0;  // responses that hold bytes
};

}  // namespace ebb::net
