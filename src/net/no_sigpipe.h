// Keeps SIGPIPE from ending the process while a scope lasts, on this thread only.
//
// Writing to a connection that the other side has reset raises it. Curl avoids that for plain
// connections but OpenSSL does not, and to ignore the signal for the whole process would be felt
// by everything that prints into a pipe.
#pragma once

#include <csignal>
#include <ctime>

namespace ebb::net {

class NoSigpipe {
 public:
  NoSigpipe() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    sigset_t before;
    pthread_sigmask(SIG_BLOCK, &pipe_, &before);
    blocked_before_ = sigismember(&before, SIGPIPE) == 1;
  }
  ~NoSigpipe() {
    if (blocked_before_) return;
    // One that was raised meanwhile is taken, or it would come now.
    const timespec at_once{};
    while (sigtimedwait(&pipe_, nullptr, &at_once) > 0) {
    }
    pthread_sigmask(SIG_UNBLOCK, &pipe_, nullptr);
  }
  NoSigpipe(const NoSigpipe&) = delete;
  NoSigpipe& operator=(const NoSigpipe&) = delete;

 private:
  sigset_t pipe_{};
  bool blocked_before_ = false;
};

}  // namespace ebb::net
