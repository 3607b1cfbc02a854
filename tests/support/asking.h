// For tests that ask pickers: an asker whose every dial is seen, and that reaches nothing but
// this machine, whatever the addresses are.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "asker/asker.h"
#include "net/dialer.h"
#include "net/resolver.h"

namespace ebb::support {

// Stands in for the connect call: remembers every address that got past the policy. Only
// loopback addresses are really connected to; others are led to `elsewhere_port` on loopback, or
// refused without it.
class RecordingDialer final : public net::Dialer {
 public:
  [[nodiscard]] int open(net::Endpoint& where) override;

  void lead_elsewhere(std::uint16_t port) { elsewhere_port_ = port; }
  [[nodiscard]] std::vector<std::string> dialled() const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> dialled_;
  std::atomic<std::uint16_t> elsewhere_port_ = 0;
};

// Answers at once from a table; a name that is not in it does not exist, and one whose list is
// empty is never answered. A name with several lists gets the next one each time it is asked.
class TableResolver final : public net::Resolver {
 public:
  void put(const std::string& name, const std::vector<std::string>& addresses);
  [[nodiscard]] int asked() const { return asked_; }

  void resolve(const std::string& name, Done done) override;
  [[nodiscard]] int descriptor() const override { return -1; }
  [[nodiscard]] Nanoseconds due_in_ns() override;
  void work() override {}

 private:
  std::mutex mutex_;
  std::map<std::string, std::vector<std::vector<net::IpAddress>>> table_;
  std::vector<Done> never_;
  std::atomic<int> asked_ = 0;
};

class Asking {
 public:
  // Loopback is allowed unless the policy says otherwise.
  explicit Asking(net::EgressPolicy egress = {.loopback = true}, std::size_t most_calls = 10'000,
                  std::shared_ptr<net::Resolver> resolver = nullptr,
                  std::size_t most_answer_bytes_together = 256UL << 20U);

  // A plain call to a port on 127.0.0.1, for a budget of half a minute.
  [[nodiscard]] picker::Call call(std::uint16_t port) const;

  picker::CallId ask(picker::Call call);
  // Waits for the reply, much longer than any budget.
  picker::Reply reply(picker::CallId id);
  picker::Reply ask_and_wait(picker::Call call) { return reply(ask(std::move(call))); }
  // From asking to its reply, which must have come.
  [[nodiscard]] Nanoseconds took_ns(picker::CallId id) const;
  void withdraw(picker::CallId id) { asker_->withdraw(id); }
  [[nodiscard]] std::size_t replies() const;

  [[nodiscard]] RecordingDialer& dialer() { return *dialer_; }
  [[nodiscard]] TableResolver& resolver() { return *resolver_; }

 private:
  std::shared_ptr<RecordingDialer> dialer_ = std::make_shared<RecordingDialer>();
  std::shared_ptr<TableResolver> resolver_ = std::make_shared<TableResolver>();
  mutable std::mutex mutex_;
  std::condition_variable came_;
  std::map<picker::CallId, Nanoseconds> asked_ns_;
  std::map<picker::CallId, Nanoseconds> replied_ns_;
  std::map<picker::CallId, picker::Reply> replies_;
  picker::CallId last_id_ = 0;
  // Last, so that its thread ends first.
  std::unique_ptr<asker::Asker> asker_;
};

// A copy of the call with other settings.
[[nodiscard]] picker::Call with(picker::Call call,
                                const std::function<void(picker::Settings&)>& change);

}  // namespace ebb::support
