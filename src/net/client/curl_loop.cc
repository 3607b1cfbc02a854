#include "net/client/curl_loop.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/check.h"
#include "net/tls/passphrase_prompt.h"

namespace ebb::net {
namespace {

// Rounded up: waking early would spin until the time has come.
int milliseconds(Nanoseconds wait_ns) {
  const Nanoseconds wait_ms = (std::max<Nanoseconds>(wait_ns, 0) + kMillisecond - 1) / kMillisecond;
  return static_cast<int>(std::min<Nanoseconds>(wait_ms, std::numeric_limits<int>::max()));
}

std::uint32_t epoll_events(int what) {
  switch (what) {
    case CURL_POLL_IN:
      return EPOLLIN;
    case CURL_POLL_OUT:
      return EPOLLOUT;
    default:
      return EPOLLIN | EPOLLOUT;
  }
}

int curl_events(std::uint32_t events) {
  int result = 0;
  // After a hang-up, read until the end of the stream.
  if ((events & (EPOLLIN | EPOLLHUP | EPOLLRDHUP)) != 0) result |= CURL_CSELECT_IN;
  if ((events & EPOLLOUT) != 0) result |= CURL_CSELECT_OUT;
  if ((events & EPOLLERR) != 0) result |= CURL_CSELECT_ERR;
  return result;
}

}  // namespace

CurlLoop::CurlLoop(const Settings& settings) : settings_(settings) {
  static const CURLcode kReady = curl_global_init(CURL_GLOBAL_DEFAULT);
  EBB_CHECK(kReady == CURLE_OK);
  forbid_passphrase_prompts();
  epoll_ = epoll_create1(EPOLL_CLOEXEC);
  wake_ = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  EBB_CHECK(epoll_ >= 0 && wake_ >= 0);
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = wake_;
  EBB_CHECK(epoll_ctl(epoll_, EPOLL_CTL_ADD, wake_, &event) == 0);
  make_multi();
}

void CurlLoop::make_multi() {
  multi_ = curl_multi_init();
  EBB_CHECK(multi_ != nullptr);
  curl_multi_setopt(multi_, CURLMOPT_SOCKETFUNCTION, &CurlLoop::on_socket);
  curl_multi_setopt(multi_, CURLMOPT_SOCKETDATA, this);
  curl_multi_setopt(multi_, CURLMOPT_TIMERFUNCTION, &CurlLoop::on_timer);
  curl_multi_setopt(multi_, CURLMOPT_TIMERDATA, this);
  curl_multi_setopt(multi_, CURLMOPT_MAXCONNECTS, settings_.kept_connections);
  curl_multi_setopt(multi_, CURLMOPT_PIPELINING,
                    settings_.multiplex ? CURLPIPE_MULTIPLEX : CURLPIPE_NOTHING);
}

CurlLoop::~CurlLoop() {
  curl_multi_cleanup(multi_);
  close(wake_);
  close(epoll_);
}

void CurlLoop::close_connections() {
  curl_multi_cleanup(multi_);
  timer_ns_.reset();
  make_multi();
}

bool CurlLoop::add(CURL* transfer) { return curl_multi_add_handle(multi_, transfer) == CURLM_OK; }

void CurlLoop::remove(CURL* transfer) {
  EBB_CHECK(curl_multi_remove_handle(multi_, transfer) == CURLM_OK);
}

void CurlLoop::run(Nanoseconds longest_ns, const Finished& finished, const Ready& ready) {
  // New transfers are sent before waiting.
  work_on_timers();
  const bool any = notify_finished(finished);
  Nanoseconds wait_ns = any ? 0 : longest_ns;
  if (timer_ns_) wait_ns = std::min(wait_ns, *timer_ns_ - steady_now_ns());

  std::array<epoll_event, 256> events;
  const int count =
      epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), milliseconds(wait_ns));
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = events[static_cast<std::size_t>(i)];
    if (event.data.fd == wake_) {
      std::uint64_t times = 0;
      [[maybe_unused]] const ssize_t drained = read(wake_, &times, sizeof times);
    } else if (event.data.fd != other_ && !ready(event.data.fd)) {
      work_on(event.data.fd, curl_events(event.events));
    }
  }
  work_on_timers();
  notify_finished(finished);
}

bool CurlLoop::notify_finished(const Finished& finished) {
  bool any = false;
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(multi_, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    finished(message->easy_handle, message->data.result);
    any = true;
  }
  return any;
}

void CurlLoop::wake() {
  const std::uint64_t once = 1;
  // It fails only after 2^64 - 1 pending wake-ups.
  [[maybe_unused]] const ssize_t written = write(wake_, &once, sizeof once);
}

void CurlLoop::watch_socket(int socket, bool also_writing) {
  epoll_event event{};
  event.data.fd = socket;
  event.events = epoll_events(also_writing ? CURL_POLL_INOUT : CURL_POLL_IN);
  if (epoll_ctl(epoll_, EPOLL_CTL_MOD, socket, &event) == 0) return;
  EBB_CHECK(errno == ENOENT && epoll_ctl(epoll_, EPOLL_CTL_ADD, socket, &event) == 0);
}

void CurlLoop::unwatch_socket(int socket) {
  epoll_event event{};
  epoll_ctl(epoll_, EPOLL_CTL_DEL, socket, &event);
}

void CurlLoop::watch_also(int descriptor) {
  EBB_CHECK(other_ < 0);
  other_ = descriptor;
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = descriptor;
  EBB_CHECK(epoll_ctl(epoll_, EPOLL_CTL_ADD, descriptor, &event) == 0);
}

int CurlLoop::on_socket(CURL* /*transfer*/, curl_socket_t socket, int what, void* loop,
                        void* known) {
  static_cast<CurlLoop*>(loop)->watch(socket, what, known != nullptr);
  return 0;
}

void CurlLoop::watch(int socket, int what, bool known) {
  epoll_event event{};
  event.data.fd = socket;
  if (what == CURL_POLL_REMOVE) {
    // Curl may have closed it already.
    epoll_ctl(epoll_, EPOLL_CTL_DEL, socket, &event);
    curl_multi_assign(multi_, socket, nullptr);
    return;
  }
  event.events = epoll_events(what);
  int result = epoll_ctl(epoll_, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, socket, &event);
  if (result != 0 && errno == (known ? ENOENT : EEXIST)) {
    result = epoll_ctl(epoll_, known ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, socket, &event);
  }
  EBB_CHECK(result == 0);
  if (!known) curl_multi_assign(multi_, socket, this);
}

int CurlLoop::on_timer(CURLM* /*multi*/, long timeout_ms, void* loop) {
  auto* self = static_cast<CurlLoop*>(loop);
  if (timeout_ms < 0) {
    self->timer_ns_.reset();
  } else {
    self->timer_ns_ = steady_now_ns() + timeout_ms * kMillisecond;
  }
  return 0;
}

void CurlLoop::work_on(int socket, int events) {
  int running = 0;
  curl_multi_socket_action(multi_, socket, events, &running);
}

void CurlLoop::work_on_timers() {
  if (!timer_ns_ || *timer_ns_ > steady_now_ns()) return;
  // Curl sets a new timer from within the call if it needs one.
  timer_ns_.reset();
  int running = 0;
  curl_multi_socket_action(multi_, CURL_SOCKET_TIMEOUT, 0, &running);
}

}  // namespace ebb::net
