// What the bodies of answers may take up together, while they come in and until they are told.
//
// Once that is used up, whoever holds more than an equal share has to give up: those who send
// little are not made to pay for those who send much. So at most twice the budget is ever held.
#pragma once

#include <cstddef>

namespace ebb::net {

class BodyBudget {
 public:
  // 0: no limit.
  explicit BodyBudget(std::size_t most) : most_(most) {}

  // One answer's part of it.
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

    // Whether so many bytes more may be held.
    [[nodiscard]] bool grow(std::size_t bytes) {
      if (budget_.most_ == 0 || bytes == 0) return true;
      if (held_ == 0) ++budget_.holders_;
      held_ += bytes;
      budget_.held_ += bytes;
      return budget_.held_ <= budget_.most_ || held_ <= budget_.most_ / budget_.holders_;
    }

   private:
    BodyBudget& budget_;
    std::size_t held_ = 0;
  };

 private:
  std::size_t most_;
  std::size_t held_ = 0;
  std::size_t holders_ = 0;  // who hold something
};

}  // namespace ebb::net
