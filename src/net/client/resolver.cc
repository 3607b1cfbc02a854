#include "net/client/resolver.h"

#include <algorithm>
#include <array>
#include <compare>
#include <cstring>
#include <deque>
#include <limits>
#include <map>
#include <utility>

#include <ares.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/check.h"
#include "net/client/curl_loop.h"

namespace ebb::net {
namespace {

// The timeout of the first query; it doubles with each retry. A late response to an earlier query
// still counts.
constexpr int kTimeoutMilliseconds = 500;
constexpr int kTries = 4;
// At most this many lookups start per interval. A name server may drop a burst of queries, and
// queries dropped together are retried together.
constexpr int kBurst = 64;
constexpr Nanoseconds kBurstNs = 5'000'000;

IpAddress address_of(const ares_addrinfo_node& node) {
  IpAddress address;
  address.v4 = node.ai_family == AF_INET;
  if (address.v4) {
    sockaddr_in v4{};
    std::memcpy(&v4, node.ai_addr, sizeof v4);
    std::memcpy(address.bytes.data() + 12, &v4.sin_addr, sizeof v4.sin_addr);
  } else {
    sockaddr_in6 v6{};
    std::memcpy(&v6, node.ai_addr, sizeof v6);
    std::memcpy(address.bytes.data(), &v6.sin6_addr, sizeof v6.sin6_addr);
  }
  return address;
}

Result<std::vector<IpAddress>> read_answer(int status, const ares_addrinfo* answer, bool is_exact) {
  if (status != ARES_SUCCESS) return fail(ErrorCode::kNotFound, ares_strerror(status));
  if (is_exact && answer->cnames != nullptr) {
    return fail(ErrorCode::kNotFound, "the name is an alias (CNAME)");
  }
  std::vector<IpAddress> addresses;
  for (const ares_addrinfo_node* node = answer->nodes; node != nullptr; node = node->ai_next) {
    if (node->ai_family == AF_INET || node->ai_family == AF_INET6) {
      addresses.push_back(address_of(*node));
    }
  }
  if (addresses.empty()) return fail(ErrorCode::kNotFound, ares_strerror(ARES_ENODATA));
  std::stable_partition(addresses.begin(), addresses.end(),
                        [](const IpAddress& address) { return address.v4; });
  return addresses;
}

class AresResolver final : public Resolver {
 public:
  explicit AresResolver(ResolverSettings settings) : settings_(std::move(settings)) {
    static const int kReady = ares_library_init(ARES_LIB_INIT_ALL);
    EBB_CHECK(kReady == ARES_SUCCESS);
    epoll_ = epoll_create1(EPOLL_CLOEXEC);
    EBB_CHECK(epoll_ >= 0);
    ares_options options{};
    options.timeout = kTimeoutMilliseconds;
    options.tries = kTries;
    options.sock_state_cb = &AresResolver::on_socket;
    options.sock_state_cb_data = this;
    status_ = ares_init_options(&channel_, &options,
                                ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES | ARES_OPT_SOCK_STATE_CB);
    if (status_ == ARES_SUCCESS && !settings_.servers.empty()) {
      status_ = ares_set_servers_ports_csv(channel_, settings_.servers.c_str());
    }
  }

  ~AresResolver() override {
    closing_ = true;
    if (channel_ != nullptr) ares_destroy(channel_);
    close(epoll_);
  }
  AresResolver(const AresResolver&) = delete;
  AresResolver& operator=(const AresResolver&) = delete;

  void resolve(const std::string& name, Done done) override {
    look_up({.name = name, .exactly = false}, std::move(done));
  }

  void resolve_exactly(const std::string& name, Done done) override {
    // To c-ares a trailing dot marks a complete name. With the search list appended, it has two
    // dots in a row and is invalid.
    look_up({.name = name + ".", .exactly = true}, std::move(done));
  }

  [[nodiscard]] int descriptor() const override { return epoll_; }

  [[nodiscard]] Nanoseconds due_in_ns() override {
    Nanoseconds due_ns = std::numeric_limits<Nanoseconds>::max();
    if (!fresh_.empty()) due_ns = std::max<Nanoseconds>(burst_end_ns_ - steady_now_ns(), 0);
    timeval left{};
    if (lookups_.empty() || ares_timeout(channel_, nullptr, &left) == nullptr) return due_ns;
    return std::min(due_ns, left.tv_sec * kNanosecondsPerSecond + left.tv_usec * 1000);
  }

  void work() override {
    if (channel_ == nullptr) return;
    std::array<epoll_event, 16> events{};
    const int count = epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), 0);
    for (int i = 0; i < count; ++i) {
      const epoll_event& event = events[static_cast<std::size_t>(i)];
      const bool writable = (event.events & EPOLLOUT) != 0;
      const bool readable = (event.events & ~static_cast<std::uint32_t>(EPOLLOUT)) != 0;
      ares_process_fd(channel_, readable ? event.data.fd : ARES_SOCKET_BAD,
                      writable ? event.data.fd : ARES_SOCKET_BAD);
    }
    ares_process_fd(channel_, ARES_SOCKET_BAD, ARES_SOCKET_BAD);
    start_some();
  }

 private:
  struct Question {
    std::string name{};
    bool exactly = false;

    friend auto operator<=>(const Question&, const Question&) = default;
  };
  struct Lookup {
    AresResolver* resolver;
    Question question;
  };

  void look_up(const Question& question, Done done) {
    if (status_ != ARES_SUCCESS) return done(fail(ErrorCode::kIo, ares_strerror(status_)));
    const auto known = lookups_.find(question);
    if (known != lookups_.end()) {
      known->second.push_back(std::move(done));
      return;
    }
    if (lookups_.size() >= settings_.max_names) {
      return done(fail(ErrorCode::kIo, "too many concurrent name lookups"));
    }
    lookups_[question].push_back(std::move(done));
    fresh_.push_back(question);
    start_some();
  }

  void start_some() {
    const Nanoseconds now_ns = steady_now_ns();
    if (now_ns >= burst_end_ns_) {
      burst_end_ns_ = now_ns + kBurstNs;
      begun_ = 0;
    }
    while (!fresh_.empty() && begun_ < kBurst) {
      ++begun_;
      const Question question = std::move(fresh_.front());
      fresh_.pop_front();
      start(question);
    }
  }

  void start(const Question& question) {
    ares_addrinfo_hints hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    // Sorting would open a socket for each address in an untrusted response.
    hints.ai_flags = ARES_AI_NOSORT;
    // Owned by the callback, which frees it.
    auto lookup = std::make_unique<Lookup>(Lookup{this, question});
    ares_getaddrinfo(channel_, question.name.c_str(), nullptr, &hints, &AresResolver::on_answer,
                     lookup.release());
  }

  static void on_socket(void* resolver, ares_socket_t socket, int readable, int writable) {
    const int epoll = static_cast<AresResolver*>(resolver)->epoll_;
    epoll_event event{};
    event.data.fd = socket;
    event.events = (readable != 0 ? EPOLLIN : 0U) | (writable != 0 ? EPOLLOUT : 0U);
    if (event.events == 0) {
      epoll_ctl(epoll, EPOLL_CTL_DEL, socket, &event);
    } else if (epoll_ctl(epoll, EPOLL_CTL_MOD, socket, &event) != 0) {
      epoll_ctl(epoll, EPOLL_CTL_ADD, socket, &event);
    }
  }

  static void on_answer(void* argument, int status, int /*timeouts*/, ares_addrinfo* answer) {
    const std::unique_ptr<Lookup> lookup(static_cast<Lookup*>(argument));
    const auto addresses = read_answer(status, answer, lookup->question.exactly);
    if (answer != nullptr) ares_freeaddrinfo(answer);
    AresResolver& self = *lookup->resolver;
    if (self.closing_) return;
    const auto known = self.lookups_.find(lookup->question);
    EBB_CHECK(known != self.lookups_.end());
    const std::vector<Done> waiting = std::move(known->second);
    self.lookups_.erase(known);
    for (const Done& done : waiting) done(addresses);
  }

  ResolverSettings settings_;
  int epoll_ = -1;
  ares_channel channel_ = nullptr;
  int status_ = ARES_SUCCESS;
  bool closing_ = false;
  std::map<Question, std::vector<Done>> lookups_;
  std::deque<Question> fresh_;  // the lookups that have not started
  Nanoseconds burst_end_ns_ = 0;
  int begun_ = 0;
};

}  // namespace

std::unique_ptr<Resolver> make_resolver(ResolverSettings settings) {
  return std::make_unique<AresResolver>(std::move(settings));
}

}  // namespace ebb::net
