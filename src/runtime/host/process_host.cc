#include "runtime/host/process_host.h"

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/deadline_queue.h"
#include "model/api/method_name.h"
#include "runtime/host/clock.h"
#include "runtime/host/picker_calls.h"

namespace ebb::runtime {
namespace {

using control::Answer;
using control::Call;
using control::CallId;
using kube::ApiReply;

// The loop reports at least this often that it is alive.
constexpr Nanoseconds kLongestSleepNs = kNanosecondsPerSecond;
// While this many calls are in flight, turns are at least this far apart.
constexpr std::size_t kManyCalls = 32;
constexpr Nanoseconds kBetweenRunsNs = 10'000'000;
// How long a turn reads from connections that have more to give, and how much: what is read takes
// memory until it is handled.
constexpr Nanoseconds kLongestReadNs = 5'000'000;
constexpr std::size_t kEnoughBytes = 131'072;

Answer answer_of(ApiReply reply, bool stream) {
  switch (reply.failure) {
    case net::HttpReply::Failure::kNotSent:
      return {.outcome = Answer::Outcome::kNotSent, .error = std::move(reply.error)};
    case net::HttpReply::Failure::kBroken:
      return {.outcome = Answer::Outcome::kUnknown, .error = std::move(reply.error)};
    case net::HttpReply::Failure::kNone:
      break;
  }
  const bool began = reply.response.code >= 200 && reply.response.code < 300;
  return {.outcome = stream && began ? Answer::Outcome::kEnded : Answer::Outcome::kAnswered,
          .response = std::move(reply.response)};
}

// A tenant's webhook may hold as many writes as there are connections. Neither lease and guard
// requests nor the Secrets of other tenants may wait for that.
kube::Client::Urgency urgency_of(Call::Kind kind) {
  const bool urgent = kind == Call::Kind::kLease || kind == Call::Kind::kTenantRead;
  return urgent ? kube::Client::Urgency::kUrgent : kube::Client::Urgency::kCanWait;
}

}  // namespace

struct ProcessHost::State {
  // A callback of the client. It is kept until poll() has returned: the client cannot accept
  // requests while it calls back, and the process must send at once.
  struct Event {
    CallId call = 0;
    bool over = false;
    std::string piece{};  // of a stream that goes on
    ApiReply reply{};     // of a request that ended
  };
  struct InFlight {
    kube::Client::Id id = 0;
    bool stream = false;
    std::string_view method{};
    std::string path{};
    std::string query{};
    Timestamp sent{};
    bool counted = false;  // a stream, once it has received something

    [[nodiscard]] RequestEnd end(int code, Timestamp now, std::string_view error) const {
      return {.method = method,
              .path = path,
              .query = query,
              .code = code,
              .taken_ns = elapsed_ns(sent, now),
              .watch = stream,
              .error = error};
    }
  };

  State(control::Process& of, kube::Client& with, picker_client::PickerClientSettings pickers,
        ProcessObserver& observed_by, ReviewCalls* received_from)
      : process(of),
        client(with),
        observer(observed_by),
        reviews(received_from),
        picker_calls(std::move(pickers), [this] { client.wake(); }) {}

  void send(const Call& call);
  void take_piece(CallId call, std::string_view bytes);
  // Carries out what the process asked for in response to an event.
  void carry_out();
  void deliver(Event event);
  void deliver(const PickerCalls::Replied& replied);
  void deliver(const ReviewCalls::Event& event);
  void rest();
  void read();
  void turn();

  control::Process& process;
  kube::Client& client;
  ProcessObserver& observer;
  ReviewCalls* reviews;  // null: the process gets none
  std::unordered_map<CallId, InFlight> in_flight;
  std::vector<Event> events;
  std::vector<Event> handled;  // non-empty only while events are delivered
  // The endpoints of picker calls in flight.
  std::unordered_map<picker::CallId, std::string> picker_requests;
  Timestamp last_turn{};
  std::size_t received = 0;  // pieces and replies of this turn
  std::size_t received_bytes = 0;
  bool reached = false;  // the API server has answered
  bool stop_requested = false;
  std::atomic<bool> stopping = false;
  PickerCalls picker_calls;
};

void ProcessHost::State::send(const Call& call) {
  const bool stream = call.kind == Call::Kind::kStream;
  const auto over = [this, id = call.id](ApiReply reply) {
    ++received;
    received_bytes += reply.response.body.size();
    events.push_back({.call = id, .over = true, .reply = std::move(reply)});
  };
  InFlight one{.stream = stream,
               .method = model::method_name(call.request.method),
               .path = call.request.path,
               .query = call.request.query,
               .sent = clock_now().mono};
  if (stream) {
    one.id = client.stream(
        call.request, call.deadline_ns,
        [this, id = call.id](std::string_view bytes) { take_piece(id, bytes); }, over);
  } else {
    one.id = client.send(call.request, call.deadline_ns, over, urgency_of(call.kind));
  }
  in_flight.emplace(call.id, std::move(one));
}

// Consecutive pieces of one stream are delivered together.
void ProcessHost::State::take_piece(CallId call, std::string_view bytes) {
  ++received;
  received_bytes += bytes.size();
  if (!events.empty() && events.back().call == call && !events.back().over) {
    events.back().piece += bytes;
  } else {
    events.push_back({.call = call, .piece = std::string(bytes)});
  }
}

void ProcessHost::State::carry_out() {
  for (const CallId id : process.take_cancelled()) {
    const auto found = in_flight.find(id);
    if (found == in_flight.end()) continue;
    client.cancel(found->second.id);
    in_flight.erase(found);
  }
  for (const Call& call : process.take_calls()) send(call);
  for (const picker::CallId id : process.take_withdrawn()) {
    picker_requests.erase(id);
    picker_calls.withdraw(id);
  }
  for (picker::Call& call : process.take_picker_requests()) {
    picker_requests.emplace(call.id, call.settings->endpoint());
    picker_calls.ask(std::move(call));
  }
  if (reviews == nullptr) return;
  for (const control::ReviewAnswer& answer : process.take_review_answers()) reviews->answer(answer);
}

void ProcessHost::State::deliver(const PickerCalls::Replied& replied) {
  const auto found = picker_requests.find(replied.id);
  if (found == picker_requests.end()) return;  // withdrawn meanwhile
  observer.picker_request_over(found->second, replied.reply);
  picker_requests.erase(found);
  process.picker_replied(replied.id, replied.reply, clock_now());
  carry_out();
}

void ProcessHost::State::deliver(const ReviewCalls::Event& event) {
  const Now now = clock_now();
  if (event.review == 0) {
    process.set_ca_bundle(event.text, now);
  } else if (event.dropped) {
    process.drop_review(event.review, now);
  } else {
    process.review(event.review, event.text, now);
  }
  carry_out();
}

void ProcessHost::State::deliver(Event event) {
  const auto found = in_flight.find(event.call);
  if (found == in_flight.end()) return;  // cancelled meanwhile
  const Now now = clock_now();
  if (event.over) {
    const InFlight one = std::move(found->second);
    in_flight.erase(found);
    const bool answered = event.reply.failure == net::HttpReply::Failure::kNone;
    reached = reached || answered;
    if (!one.counted) {
      observer.request_over(
          one.end(answered ? event.reply.response.code : 0, now.mono, event.reply.error));
    }
    process.answered(event.call, answer_of(std::move(event.reply), one.stream), now);
  } else {
    // A watch runs for minutes; that it was accepted is known now.
    constexpr int kOk = 200;
    if (!std::exchange(found->second.counted, true)) {
      observer.request_over(found->second.end(kOk, now.mono, {}));
    }
    process.received(event.call, event.piece, now);
  }
  carry_out();
}

// While many calls are in flight, their answers arrive one by one and each would wake the process.
// Handling the answers of a short period together is less work for all, and as long as most calls
// are at the API server, the API server is not kept waiting.
void ProcessHost::State::rest() {
  const Timestamp now = clock_now().mono;
  const Nanoseconds since_ns = elapsed_ns(last_turn, now);
  last_turn = now;
  if (in_flight.size() < kManyCalls || since_ns >= kBetweenRunsNs) return;
  std::this_thread::sleep_for(std::chrono::nanoseconds(kBetweenRunsNs - since_ns));
  last_turn = clock_now().mono;
}

// A poll reads about one buffer of each connection. If a turn read no more than that, one tenant's
// large objects would delay the watch events of all others by many turns.
void ProcessHost::State::read() {
  const Timestamp at =
      reviews == nullptr ? process.wake_at() : sooner(process.wake_at(), reviews->wake_at());
  client.poll(wait_ns(at, clock_now().mono, kLongestSleepNs));
  const Timestamp until = later_by(clock_now().mono, kLongestReadNs);
  std::size_t before = 0;
  while (received != before && received_bytes < kEnoughBytes && clock_now().mono < until) {
    before = received;
    client.poll(0);
  }
  received = 0;
  received_bytes = 0;
}

void ProcessHost::State::turn() {
  rest();
  read();
  handled.swap(events);  // both keep their capacity
  for (Event& event : handled) deliver(std::move(event));
  handled.clear();
  for (const PickerCalls::Replied& replied : picker_calls.take()) deliver(replied);
  if (reviews != nullptr) {
    for (const ReviewCalls::Event& event : reviews->take(clock_now().mono)) deliver(event);
  }
  if (stopping && !stop_requested) {
    stop_requested = true;
    process.stop(clock_now());
    carry_out();
  }
  const Now now = clock_now();
  const Timestamp at = process.wake_at();
  if (!at.is_zero() && at <= now.mono) {
    process.wake(now);
    carry_out();
  }
  // A replica that waits for the lease is ready to take over.
  observer.turned(now, process.synced() || (reached && !process.leads(now)));
}

ProcessHost::ProcessHost(control::Process& process, kube::Client& client,
                         picker_client::PickerClientSettings pickers, ProcessObserver& observer,
                         ReviewCalls* reviews)
    : state_(std::make_unique<State>(process, client, std::move(pickers), observer, reviews)) {
  if (reviews != nullptr) reviews->set_wake([&client] { client.wake(); });
}

ProcessHost::~ProcessHost() {
  if (state_->reviews != nullptr) state_->reviews->set_wake(nullptr);
  for (const auto& [call, one] : state_->in_flight) state_->client.cancel(one.id);
}

void ProcessHost::run() {
  state_->process.start(clock_now());
  state_->carry_out();
  while (!state_->process.done()) state_->turn();
}

void ProcessHost::stop() {
  state_->stopping = true;
  state_->client.wake();
}

}  // namespace ebb::runtime
