// The way between one controller process and the API server: carries out its calls on virtual
// time, with the faults that a seed chooses.
//
// What is sent lands within five seconds (control::kWriteDeadlineNs) or never, also if the sender
// dies meanwhile; an answer that comes after the deadline of its call is not heard. A request is
// executed twice only where something on a real way could repeat it: HTTP proxies and clients
// repeat what is idempotent (PUT, DELETE, and our patches, which name the uid), never a POST.
// Were a POST repeated, there would be a pod too many by nobody's fault. No answer comes twice:
// HTTP matches them by connection.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "control/call.h"
#include "sim/api.h"
#include "sim/dice.h"
#include "sim/faults.h"
#include "sim/timeline.h"
#include "sim/trace.h"

namespace ebb::sim {

// Whom the answers are for.
class LinkUser {
 public:
  virtual ~LinkUser() = default;
  virtual void answered(control::CallId id, const control::Answer& answer) = 0;
  virtual void received(control::CallId id, std::string_view bytes) = 0;
};

// Who looks on as requests of a process reach the API server. `tag` is what the sender gave.
class LinkWitness {
 public:
  virtual ~LinkWitness() = default;
  virtual void executing(std::uint64_t tag) = 0;
  virtual void executed(std::uint64_t tag, const model::ApiResponse& response) = 0;
};

struct LinkSetting {
  Timeline& time;
  Api& api;
  Trace& trace;
  FaultCounts& met;
  // Changes when faults stop.
  const FaultProfile& profile;
  // An API server that does not know streaming lists.
  bool refuses_streaming_lists = false;
};

class Link : public std::enable_shared_from_this<Link> {
 public:
  Link(const LinkSetting& setting, std::string name, std::uint64_t seed, LinkUser& user,
       LinkWitness& witness);
  ~Link();

  void send(control::Call call, std::uint64_t tag);
  void cancel(control::CallId id);
  // The process is no more. What is on its way lands in time or not at all.
  void die();
  // Something of this kind was published.
  void changed(const schema::Kind* kind);

  // Streams tell nothing new until they are let go again; what came before was told.
  void hold_streams();
  void let_streams_go();
  // Breaks all streams.
  void cut_streams();
  // The n-th event from now on (1: the next) is told together with the one after it.
  void hide_event(std::uint64_t n) { hidden_event_ = events_ + n; }
  [[nodiscard]] std::uint64_t events() const { return events_; }
  // When the last call or stream on which nothing comes will be given up; the zero time if there
  // is none.
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
  };
  using FlightPtr = std::shared_ptr<Flight>;

  [[nodiscard]] std::optional<Fault> draw_fault(const control::Call& call);
  [[nodiscard]] bool meet(Fault fault);
  [[nodiscard]] Nanoseconds up_to(Nanoseconds most_ns);
  void fly(const FlightPtr& flight, std::optional<Fault> fault);
  // Executed by then, whether or not an answer has come before.
  using Then = std::function<void(const model::ApiResponse& response)>;
  void land_after(Nanoseconds delay, FlightPtr flight, Then then = {});
  model::ApiResponse execute(const Flight& flight);
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

  LinkSetting setting_;
  std::string name_;
  Dice dice_;
  LinkUser* user_;
  LinkWitness& witness_;
  std::map<control::CallId, FlightPtr> unanswered_;
  std::map<control::CallId, FlightPtr> on_the_way_;  // not executed yet, answered or not
  std::map<control::CallId, std::unique_ptr<Stream>> streams_;
  bool holding_ = false;
  std::uint64_t events_ = 0;
  std::uint64_t hidden_event_ = 0;
};

}  // namespace ebb::sim
