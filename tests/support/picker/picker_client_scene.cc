#include "support/picker/picker_client_scene.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include <fmt/format.h>

#include "base/check.h"
#include "net/client/curl_loop.h"

namespace ebb::support {
namespace {

bool is_plain_loopback(const net::IpAddress& address) {
  if (address.v4) return address.bytes[12] == 127;
  return net::to_string(address) == "::1";
}

}  // namespace

int RecordingDialer::open(net::Endpoint& where) {
  {
    const MutexLock lock(mutex_);
    dialled_.push_back(net::to_string(where.address));
  }
  if (!is_plain_loopback(where.address)) {
    if (elsewhere_port_ == 0 || !where.address.v4) return -1;
    where = {*net::parse_ip("127.0.0.1"), elsewhere_port_};
  }
  return net::SystemDialer().open(where);
}

std::vector<std::string> RecordingDialer::dialled() const {
  const MutexLock lock(mutex_);
  return dialled_;
}

void TableResolver::put(const std::string& name, const std::vector<std::string>& addresses) {
  const MutexLock lock(mutex_);
  std::vector<net::IpAddress> parsed;
  for (const std::string& text : addresses) parsed.push_back(net::parse_ip(text).value());
  table_[name].push_back(std::move(parsed));
}

void TableResolver::resolve(const std::string& name, Done done) {
  std::vector<net::IpAddress> found;
  {
    const MutexLock lock(mutex_);
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

PickerClientScene::PickerClientScene(net::EgressPolicy egress, std::size_t max_calls,
                                     std::shared_ptr<net::Resolver> resolver,
                                     std::size_t max_total_answer_bytes) {
  picker_client_ = std::make_unique<picker_client::PickerClient>(
      picker_client::PickerClientSettings{.egress = std::move(egress),
                                          .max_calls = max_calls,
                                          .max_total_answer_bytes = max_total_answer_bytes,
                                          .dialer = dialer_,
                                          .resolver = resolver ? std::move(resolver) : resolver_},
      [this](picker::CallId id, picker::Reply reply) {
        const Nanoseconds now_ns = net::steady_now_ns();
        const MutexLock lock(mutex_);
        replied_ns_.emplace(id, now_ns);
        const bool is_first = replies_.emplace(id, std::move(reply)).second;
        EBB_CHECK(is_first);
        came_.notify_all();
      });
}

picker::Call PickerClientScene::call(std::uint16_t port) const {
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

picker::CallId PickerClientScene::ask(picker::Call call) {
  call.id = ++last_id_;
  {
    const MutexLock lock(mutex_);
    asked_ns_.emplace(last_id_, net::steady_now_ns());
  }
  picker_client_->ask(std::move(call));
  return last_id_;
}

picker::Reply PickerClientScene::reply(picker::CallId id) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  const MutexLock lock(mutex_);
  while (!replies_.contains(id)) EBB_CHECK(came_.wait_until(mutex_, end));
  return replies_.at(id);
}

Nanoseconds PickerClientScene::took_ns(picker::CallId id) const {
  const MutexLock lock(mutex_);
  return replied_ns_.at(id) - asked_ns_.at(id);
}

std::size_t PickerClientScene::replies() const {
  const MutexLock lock(mutex_);
  return replies_.size();
}

picker::Call with(picker::Call call, const std::function<void(picker::Settings&)>& change) {
  picker::Settings settings = *call.settings;
  change(settings);
  call.settings = std::make_shared<picker::Settings>(std::move(settings));
  return call;
}

}  // namespace ebb::support
