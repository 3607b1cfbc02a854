// The network between one controller process and the API server: executes its calls on virtual
// time, with the faults that the seed chooses.
//
// A request lands within five seconds (control::kWriteDeadlineNs) or never, even if the sender dies
// meanwhile. A write without a `timeout` parameter may land up to a minute later, because an API
// server works that long on a request whose client is gone. An answer after the deadline of its
// call is not delivered. A request is executed twice only where a real network could repeat it:
// HTTP proxies and clients repeat idempotent requests (PUT, DELETE, and ebb's patches, which name
// the uid), never a POST. A repeated POST would create a surplus pod without any fault of a
// controller. No answer is delivered twice, because HTTP matches answers by connection.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "control/core/call.h"
#include "sim/core/api.h"
#include "sim/core/faults.h"
#include "sim/core/random.h"
#include "sim/core/timeline.h"
#include "sim/core/trace.h"

namespace ebb::sim {

class Admission;

// The receiver of the answers.
class LinkUser {
 public:
  virtual ~LinkUser() = default;
  virtual void answered(control::CallId id, const control::Answer& answer) = 0;
  virtual void received(control::CallId id, std::string_view bytes) = 0;
};

// Observes the requests of a process as they reach the API server. `tag` is the sender's.
class LinkObserver {
 public:
  virtual ~LinkObserver() = default;
  virtual void executing(std::uint64_t tag) = 0;
  virtual void executed(std::uint64_t tag, const model::ApiResponse& response) = 0;
};

struct LinkContext {
  Timeline& time;
  Api& api;
  Trace& trace;
  FaultCounts& met;
  // Changes when faults stop.
  const FaultProfile& profile;
  // The API server does not support streaming lists.
  bool refuses_streaming_lists = false;
  // Set if the process plays the stock controllers of a world with webhooks: its writes are
  // reviewed, and its view of pods lags behind its view of workloads, by at most `pod_lag_ns`.
  Admission* admission = nullptr;
  Nanoseconds pod_lag_ns = 0;
};

class Link : public std::enable_shared_from_this<Link> {
 public:
  Link(const LinkContext& context, std::string name, std::uint64_t seed, LinkUser& user,
       LinkObserver& probe);
  ~Link();

  void send(control::Call call, std::uint64_t tag);
  void cancel(control::CallId id);
  // The process has ended. Requests in flight land in time or not at all.
  void die();
  // An object of this kind has changed.
  void changed(const schema::Kind* kind);

  // Holds back all new events of streams until they are released; earlier events were delivered.
  void hold_streams();
  void let_streams_go();
  // Breaks all streams.
  void cut_streams();
  // The n-th event from now on (1: the next) is delivered together with the one after it.
  void hide_event(std::uint64_t n) { hidden_event_ = events_ + n; }
  [[nodiscard]] std::uint64_t events() const { return events_; }
  // When the last silent call or stream will time out; the zero time if there is none.
  [[nodiscard]] Timestamp silent_until() const;
  [[nodiscard]] bool has_calls_on_the_way() const {
    return !unanswered_.empty() || !on_the_way_.empty();
  }

 private:
  struct Stream;
  struct Flight {
    control::Call call{};
    std::uint64_t tag = 0;
    Timestamp deadline{};
    bool may_land = true;
    Timestamp latest{};  // the API server does not execute it later
  };
  using FlightPtr = std::shared_ptr<Flight>;

  [[nodiscard]] std::optional<Fault> draw_fault(const control::Call& call);
  [[nodiscard]] bool meet(Fault fault);
  [[nodiscard]] Nanoseconds up_to(Nanoseconds max_ns);
  void fly(const FlightPtr& flight, std::optional<Fault> fault);
  // Executes the call by then, whether or not it was answered before.
  using Then = std::function<void(const model::ApiResponse& response)>;
  void land_after(Nanoseconds delay, FlightPtr flight, Then then = {});
  void execute(const FlightPtr& flight, const Then& then);
  void executed(const Flight& flight, const model::ApiResponse& response);
  void garble(const Flight& flight, model::ApiResponse& response);
  void answer(const FlightPtr& flight, const control::Answer& answer);
  void answer_after(Nanoseconds delay, FlightPtr flight, control::Answer answer);

  void open(const FlightPtr& flight, const model::ApiRequest& request);
  void schedule_poll(control::CallId id);
  void poll(control::CallId id);
  bool disturb(Stream& stream);
  void schedule_delivery(Stream& stream);
  void deliver(control::CallId id);
  void watch_silence(control::CallId id);
  void end(control::CallId id, control::Answer::Outcome outcome);

  LinkContext context_;
  std::string name_;
  Random random_;
  LinkUser* user_;
  LinkObserver& observer_;
  std::map<control::CallId, FlightPtr> unanswered_;
  std::map<control::CallId, FlightPtr> on_the_way_;  // not executed yet, answered or not
  std::map<control::CallId, std::unique_ptr<Stream>> streams_;
  bool holding_ = false;
  std::uint64_t events_ = 0;
  std::uint64_t hidden_event_ = 0;
};

}  // namespace ebb::sim
