// A value that a test shares with the threads of what it tests. Clang's analysis takes guards on
// members only, so a local variable of a test needs this.
#pragma once

#include <utility>

#include "base/mutex.h"

namespace ebb::support {

template <typename Value>
class Guarded {
 public:
  Guarded() = default;

  [[nodiscard]] Value get() const {
    const MutexLock lock(mutex_);
    return value_;
  }
  void set(Value value) {
    const MutexLock lock(mutex_);
    value_ = std::move(value);
  }
  // Calls use(value) with the mutex held and returns its result.
  template <typename Use>
  auto with(Use&& use) {
    const MutexLock lock(mutex_);
    return std::forward<Use>(use)(value_);
  }

 private:
  mutable Mutex mutex_;
  Value value_ EBB_GUARDED_BY(mutex_){};
};

}  // namespace ebb::support
