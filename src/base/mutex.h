// A mutex, its lock and its condition variable, annotated so that the compiler can check their use.
// The standard library's versions carry no annotations; tests/architecture_test.cc keeps them out
// of src, tests and bench.
//
//   Mutex mutex_;
//   ConditionVariable changed_;
//   std::deque<Job> jobs_ EBB_GUARDED_BY(mutex_);
//   ...
//   const MutexLock lock(mutex_);
//   while (jobs_.empty()) changed_.wait(mutex_);
//
// Write conditions as loops, not as lambdas: the analysis does not see that a lambda is called with
// the mutex held.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "base/thread_annotations.h"

namespace ebb {

class EBB_CAPABILITY("mutex") Mutex {
 public:
  Mutex() = default;
  ~Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void lock() EBB_ACQUIRE() { mutex_.lock(); }
  void unlock() EBB_RELEASE() { mutex_.unlock(); }

 private:
  friend class ConditionVariable;
  std::mutex mutex_;
};

// Holds a mutex until the end of its scope. It can be unlocked earlier and locked again.
class EBB_SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) EBB_ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
  ~MutexLock() EBB_RELEASE() {
    if (held_) mutex_.unlock();
  }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

  void unlock() EBB_RELEASE() {
    held_ = false;
    mutex_.unlock();
  }
  void lock() EBB_ACQUIRE() {
    mutex_.lock();
    held_ = true;
  }

 private:
  Mutex& mutex_;
  bool held_ = true;
};

// Each wait releases the mutex while it sleeps and holds it again when it returns. A wait may
// return without a notification.
class ConditionVariable {
 public:
  ConditionVariable() = default;
  ~ConditionVariable() = default;
  ConditionVariable(const ConditionVariable&) = delete;
  ConditionVariable& operator=(const ConditionVariable&) = delete;

  void wait(Mutex& mutex) EBB_REQUIRES(mutex) {
    const Adopted lock(mutex.mutex_);
    variable_.wait(lock.lock);
  }
  // Also returns at that time, with false.
  template <typename Clock, typename Duration>
  bool wait_until(Mutex& mutex, const std::chrono::time_point<Clock, Duration>& time)
      EBB_REQUIRES(mutex) {
    const Adopted lock(mutex.mutex_);
    return variable_.wait_until(lock.lock, time) == std::cv_status::no_timeout;
  }

  // Also returns after that duration, with false.
  template <typename Rep, typename Period>
  bool wait_for(Mutex& mutex, const std::chrono::duration<Rep, Period>& time) EBB_REQUIRES(mutex) {
    const Adopted lock(mutex.mutex_);
    return variable_.wait_for(lock.lock, time) == std::cv_status::no_timeout;
  }

  void notify_one() { variable_.notify_one(); }
  void notify_all() { variable_.notify_all(); }

 private:
  // Wraps a held mutex in the lock type that std::condition_variable needs, without releasing it.
  struct Adopted {
    explicit Adopted(std::mutex& mutex) : lock(mutex, std::adopt_lock) {}
    ~Adopted() { lock.release(); }
    Adopted(const Adopted&) = delete;
    Adopted& operator=(const Adopted&) = delete;
    mutable std::unique_lock<std::mutex> lock;
  };

  std::condition_variable variable_;
};

}  // namespace ebb
