#include "base/mutex.h"

#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace ebb {
namespace {

struct Counter {
  Mutex mutex;
  ConditionVariable changed;
  int count EBB_GUARDED_BY(mutex) = 0;
};

TEST(Mutex, LetsOneInAtATime) {
  constexpr int kTimes = 10'000;
  Counter counter;
  const auto work = [&] {
    for (int i = 0; i < kTimes; ++i) {
      const MutexLock lock(counter.mutex);
      ++counter.count;
    }
  };
  std::thread first(work);
  std::thread second(work);
  first.join();
  second.join();
  const MutexLock lock(counter.mutex);
  EXPECT_EQ(counter.count, 2 * kTimes);
}

TEST(Mutex, CanBeGivenBackAndTakenAgainWithinALock) {
  Counter counter;
  MutexLock lock(counter.mutex);
  lock.unlock();
  // Would wait forever if the mutex were held.
  std::thread([&] {
    const MutexLock other(counter.mutex);
    ++counter.count;
  }).join();
  lock.lock();
  EXPECT_EQ(counter.count, 1);
}

TEST(ConditionVariable, GivesTheMutexBackWhileItWaits) {
  Counter counter;
  std::thread other;
  {
    const MutexLock lock(counter.mutex);
    other = std::thread([&] {
      const MutexLock theirs(counter.mutex);
      counter.count = 7;
      counter.changed.notify_all();
    });
    while (counter.count == 0) counter.changed.wait(counter.mutex);
    EXPECT_EQ(counter.count, 7);
  }
  other.join();
}

TEST(ConditionVariable, SaysThatItsTimeIsOver) {
  Counter counter;
  const MutexLock lock(counter.mutex);
  // Spurious wake-ups are possible, but not endlessly many.
  bool over = false;
  for (int i = 0; i < 1000 && !over; ++i) {
    over = !counter.changed.wait_for(counter.mutex, std::chrono::milliseconds(1));
  }
  EXPECT_TRUE(over);
}

}  // namespace
}  // namespace ebb
