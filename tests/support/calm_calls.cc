#include "support/calm_calls.h"

#include <algorithm>
#include <chrono>

#include "net/curl_loop.h"
#include "support/asking.h"
#include "support/slow_server.h"

namespace ebb::support {

CalmCalls::CalmCalls() : thread_([this] { run(); }) {}

CalmCalls::~CalmCalls() {
  stopping_ = true;
  thread_.join();
}

Nanoseconds CalmCalls::slowest_ns() const {
  const Nanoseconds began_ns = began_ns_;
  const Nanoseconds now_ns = began_ns == 0 ? 0 : net::steady_now_ns() - began_ns;
  return std::max<Nanoseconds>(slowest_ns_, now_ns);
}

void CalmCalls::run() {
  SlowServer server(std::chrono::milliseconds(0), "{}");
  Asking asking;
  while (!stopping_) {
    const Nanoseconds began_ns = net::steady_now_ns();
    began_ns_ = began_ns;
    (void)asking.ask_and_wait(asking.call(server.port()));
    slowest_ns_ = std::max<Nanoseconds>(slowest_ns_, net::steady_now_ns() - began_ns);
    began_ns_ = 0;
    // Often enough to notice, seldom enough not to be what is measured.
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

}  // namespace ebb::support
