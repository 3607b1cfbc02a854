#include "support/picker/calm_calls.h"

#include <algorithm>
#include <chrono>

#include "net/client/curl_loop.h"
#include "support/net/slow_server.h"
#include "support/picker/picker_client_scene.h"

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
  PickerClientScene scene;
  while (!stopping_) {
    const Nanoseconds began_ns = net::steady_now_ns();
    began_ns_ = began_ns;
    (void)scene.ask_and_wait(scene.call(server.port()));
    slowest_ns_ = std::max<Nanoseconds>(slowest_ns_, net::steady_now_ns() - began_ns);
    began_ns_ = 0;
    // Often enough to notice, seldom enough not to be what is measured.
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

}  // namespace ebb::support
