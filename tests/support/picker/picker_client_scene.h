// For tests of picker calls: a picker client whose dials are recorded, and that reaches only this
// machine, whatever the addresses are.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "net/client/dialer.h"
#include "net/client/resolver.h"
#include "pickerclient/picker_client.h"

namespace ebb::support {

// Replaces the connect call: records every address that passed the policy. Only loopback addresses
// are really connected to; others are redirected to `elsewhere_port` on loopback, or refused if it
// is not set.
class RecordingDialer final : public net::Dialer {
 public:
  [[nodiscard]] int open(net::Endpoint& where) override;

  void lead_elsewhere(std::uint16_t port) { elsewhere_port_ = port; }
  [[nodiscard]] std::vector<std::string> dialled() const;

 private:
  mutable Mutex mutex_;
  std::vector<std::string> dialled_ EBB_GUARDED_BY(mutex_);
  std::atomic<std::uint16_t> elsewhere_port_ = 0;
};

// Answers at once from a table; a name that is not in it does not exist, and one with an empty list
// is never answered. A name with several lists gets the next one on each query.
class TableResolver final : public net::Resolver {
 public:
  void put(const std::string& name, const std::vector<std::string>& addresses);
  [[nodiscard]] int asked() const { return asked_; }

  void resolve(const std::string& name, Done done) override;
  // The table contains such names with a trailing dot.
  void resolve_exactly(const std::string& name, Done done) override {
    resolve(name + ".", std::move(done));
  }
  [[nodiscard]] int descriptor() const override { return -1; }
  [[nodiscard]] Nanoseconds due_in_ns() override;
  void work() override {}

 private:
  Mutex mutex_;
  std::map<std::string, std::vector<std::vector<net::IpAddress>>> table_ EBB_GUARDED_BY(mutex_);
  std::vector<Done> never_ EBB_GUARDED_BY(mutex_);
  std::atomic<int> asked_ = 0;
};

class PickerClientScene {
 public:
  // Loopback is allowed unless the policy says otherwise.
  explicit PickerClientScene(net::EgressPolicy egress = {.loopback = true},
                             std::size_t max_calls = 10'000,
                             std::shared_ptr<net::Resolver> resolver = nullptr,
                             std::size_t max_total_answer_bytes = 256UL << 20U);

  // A plain call to a port on 127.0.0.1, with a time budget of 30 seconds.
  [[nodiscard]] picker::Call call(std::uint16_t port) const;

  picker::CallId ask(picker::Call call);
  // Waits for the reply, much longer than any time budget.
  picker::Reply reply(picker::CallId id);
  picker::Reply ask_and_wait(picker::Call call) { return reply(ask(std::move(call))); }
  // The time from the call to its reply, which must have arrived.
  [[nodiscard]] Nanoseconds took_ns(picker::CallId id) const;
  void withdraw(picker::CallId id) { picker_client_->withdraw(id); }
  [[nodiscard]] std::size_t replies() const;

  [[nodiscard]] RecordingDialer& dialer() { return *dialer_; }
  [[nodiscard]] TableResolver& resolver() { return *resolver_; }

 private:
  std::shared_ptr<RecordingDialer> dialer_ = std::make_shared<RecordingDialer>();
  std::shared_ptr<TableResolver> resolver_ = std::make_shared<TableResolver>();
  mutable Mutex mutex_;
  ConditionVariable came_;
  std::map<picker::CallId, Nanoseconds> asked_ns_ EBB_GUARDED_BY(mutex_);
  std::map<picker::CallId, Nanoseconds> replied_ns_ EBB_GUARDED_BY(mutex_);
  std::map<picker::CallId, picker::Reply> replies_ EBB_GUARDED_BY(mutex_);
  picker::CallId last_id_ = 0;
  // Last, so that its thread ends first.
  std::unique_ptr<picker_client::PickerClient> picker_client_;
};

// A copy of the call with other settings.
[[nodiscard]] picker::Call with(picker::Call call,
                                const std::function<void(picker::Settings&)>& change);

}  // namespace ebb::support
