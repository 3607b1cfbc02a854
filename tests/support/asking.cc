#include "support/asking.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include <fmt/format.h>

#include "base/check.h"
#include "net/curl_loop.h"

namespace ebb::support {
namespace {

bool is_plain_loopback(const net::IpAddress& address) {
  if (address.v4) return address.bytes[12] == 127;
  return net::to_string(address) == "::1";
}

}  // namespace

int RecordingDialer::open(net::Endpoint& where) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    dialled_.push_back(net::to_string(where.address));
  }
  if (!is_plain_loopback(where.address)) {
    if (elsewhere_port_ == 0 || !where.address.v4) return -1;
    where = {*net::parse_ip("127.0.0.1"), elsewhere_port_};
  }
  return net::SystemDialer().open(where);
}

std::vector<std::string> RecordingDialer::dialled() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return dialled_;
}

void TableResolver::put(const std::string& name, const std::vector<std::string>& addresses) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<net::IpAddress> parsed;
  for (const std::string& text : addresses) parsed.push_back(net::parse_ip(text).value());
  table_[name].push_back(std::move(parsed));
}

void TableResolver::resolve(const std::string& name, Done done) {
  std::vector<net::IpAddress> found;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ++asked_;
    const auto known = table_.find(name);
    if (known == table_.end()) return done(fail(ErrorCode::kNotFound, "no such name"));
    auto& lists = known->second;
    found = lists.front();
    if (lists.size() > 1) lists.erase(lists.begin());
    if (found.empty()) {
      never_.push_back(std::move(done));
      return;
    }
  }
  done(std::move(found));
}

Nanoseconds TableResolver::due_in_ns() { return std::numeric_limits<Nanoseconds>::max(); }

Asking::Asking(net::EgressPolicy egress, std::size_t most_calls,
               std::shared_ptr<net::Resolver> resolver, std::size_t most_answer_bytes_together) {
  asker_ = std::make_unique<asker::Asker>(
      asker::AskerSettings{.egress = std::move(egress),
                           .most_calls = most_calls,
                           .most_answer_bytes_together = most_answer_bytes_together,
                           .dialer = dialer_,
                           .resolver = resolver ? std::move(resolver) : resolver_},
      [this](picker::CallId id, picker::Reply reply) {
        const Nanoseconds now_ns = net::steady_now_ns();
        const std::lock_guard<std::mutex> lock(mutex_);
        replied_ns_.emplace(id, now_ns);
        const bool is_first = replies_.emplace(id, std::move(reply)).second;
        EBB_CHECK(is_first);
        came_.notify_all();
      });
}

picker::Call Asking::call(std::uint16_t port) const {
  picker::Settings settings;
  settings.host = "127.0.0.1";
  settings.port = port;
  settings.path = "/pick";
  return {.settings = std::make_shared<picker::Settings>(std::move(settings)),
          .body = std::make_shared<std::string>(
              R"({"number_of_pods_requested":1,"candidate_pods":["a","b"]})"),
          .idempotency_key = "key-1",
          .deadline_ns = 30 * kNanosecondsPerSecond};
}

picker::CallId Asking::ask(picker::Call call) {
  call.id = ++last_id_;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    asked_ns_.emplace(last_id_, net::steady_now_ns());
  }
  asker_->ask(std::move(call));
  return last_id_;
}

picker::Reply Asking::reply(picker::CallId id) {
  std::unique_lock<std::mutex> lock(mutex_);
  const bool came = came_.wait_for(lock, std::chrono::minutes(2),
                                   [&] { return replies_.find(id) != replies_.end(); });
  EBB_CHECK(came);
  return replies_.at(id);
}

Nanoseconds Asking::took_ns(picker::CallId id) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return replied_ns_.at(id) - asked_ns_.at(id);
}

std::size_t Asking::replies() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return replies_.size();
}

picker::Call with(picker::Call call, const std::function<void(picker::Settings&)>& change) {
  picker::Settings settings = *call.settings;
  change(settings);
  call.settings = std::make_shared<picker::Settings>(std::move(settings));
  return call;
}

}  // namespace ebb::support
