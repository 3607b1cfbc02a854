#include "runtime/process_host.h"

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/method_name.h"
#include "runtime/clock.h"
#include "runtime/picker_line.h"

namespace ebb::runtime {
namespace {

using control::Answer;
using control::Call;
using control::CallId;
using kube::ApiReply;

// Whoever asks whether the loop is alive is told so at least this often.
constexpr Nanoseconds kLongestSleepNs = kNanosecondsPerSecond;
// With so many calls under way, turns are so far apart.
constexpr std::size_t kManyCalls = 32;
constexpr Nanoseconds kBetweenTurnsNs = 10'000'000;

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

}  // namespace

struct ProcessHost::State {
  // Something that the client has told. It is kept until poll() has returned: the client must
  // not be told to send while it calls back, and the process must not wait to have sent.
  struct Event {
    CallId call = 0;
    bool over = false;
    std::string piece{};  // unless it is over
    ApiReply reply{};     // if it is
  };
  struct UnderWay {
    kube::Client::Id id = 0;
    bool stream = false;
    std::string_view method{};
    std::string path{};
    std::string query{};
    Timestamp sent{};
    bool counted = false;  // a stream, once something has come

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

  State(control::Process& of, kube::Client& with, asker::AskerSettings pickers,
        ProcessObserver& told)
      : process(of),
        client(with),
        observer(told),
        picker_line(std::move(pickers), [this] { client.wake(); }) {}

  void send(const Call& call);
  void take_piece(CallId call, std::string_view bytes);
  // Carries out what the process wants, after it was told something.
  void carry_out();
  void tell(Event event);
  void tell(const PickerLine::Replied& replied);
  void rest();
  void turn();

  control::Process& process;
  kube::Client& client;
  ProcessObserver& observer;
  std::unordered_map<CallId, UnderWay> under_way;
  std::vector<Event> events;
  std::vector<Event> handled;  // empty but while they are told
  // The endpoints of questions that are under way.
  std::unordered_map<picker::CallId, std::string> questions;
  Timestamp last_turn{};
  bool reached = false;  // the API server has answered
  bool told_to_stop = false;
  std::atomic<bool> stopping = false;
  PickerLine picker_line;
};

void ProcessHost::State::send(const Call& call) {
  const bool stream = call.kind == Call::Kind::kStream;
  const auto over = [this, id = call.id](ApiReply reply) {
    events.push_back({.call = id, .over = true, .reply = std::move(reply)});
  };
  UnderWay one{.stream = stream,
               .method = model::method_name(call.request.method),
               .path = call.request.path,
               .query = call.request.query,
               .sent = clock_now().mono};
  if (stream) {
    one.id = client.stream(
        call.request, call.deadline_ns,
        [this, id = call.id](std::string_view bytes) { take_piece(id, bytes); }, over);
  } else {
    one.id = client.send(call.request, call.deadline_ns, over);
  }
  under_way.emplace(call.id, std::move(one));
}

// What comes together is told together.
void ProcessHost::State::take_piece(CallId call, std::string_view bytes) {
  if (!events.empty() && events.back().call == call && !events.back().over) {
    events.back().piece += bytes;
  } else {
    events.push_back({.call = call, .piece = std::string(bytes)});
  }
}

void ProcessHost::State::carry_out() {
  for (const CallId id : process.take_cancelled()) {
    const auto found = under_way.find(id);
    if (found == under_way.end()) continue;
    client.cancel(found->second.id);
    under_way.erase(found);
  }
  for (const Call& call : process.take_calls()) send(call);
  for (const picker::CallId id : process.take_withdrawn()) {
    questions.erase(id);
    picker_line.withdraw(id);
  }
  for (picker::Call& call : process.take_questions()) {
    questions.emplace(call.id, call.settings->endpoint());
    picker_line.ask(std::move(call));
  }
}

void ProcessHost::State::tell(const PickerLine::Replied& replied) {
  const auto found = questions.find(replied.id);
  if (found == questions.end()) return;  // withdrawn meanwhile
  observer.question_over(found->second, replied.reply);
  questions.erase(found);
  process.picker_replied(replied.id, replied.reply, clock_now());
  carry_out();
}

void ProcessHost::State::tell(Event event) {
  const auto found = under_way.find(event.call);
  if (found == under_way.end()) return;  // cancelled meanwhile
  const Now now = clock_now();
  if (event.over) {
    const UnderWay one = std::move(found->second);
    under_way.erase(found);
    const bool answered = event.reply.failure == net::HttpReply::Failure::kNone;
    reached = reached || answered;
    if (!one.counted) {
      observer.request_over(
          one.end(answered ? event.reply.response.code : 0, now.mono, event.reply.error));
    }
    process.answered(event.call, answer_of(std::move(event.reply), one.stream), now);
  } else {
    // A watch goes on for minutes; that it was granted is known now.
    constexpr int kOk = 200;
    if (!std::exchange(found->second.counted, true)) {
      observer.request_over(found->second.end(kOk, now.mono, {}));
    }
    process.received(event.call, event.piece, now);
  }
  carry_out();
}

// While many calls are under way, their answers come one by one and each would wake the process.
// Those of a moment are handled together: that is less work for everybody, and as long as most
// calls are with the API server, it is not kept waiting.
void ProcessHost::State::rest() {
  const Timestamp now = clock_now().mono;
  const Nanoseconds since_ns = elapsed_ns(last_turn, now);
  last_turn = now;
  if (under_way.size() < kManyCalls || since_ns >= kBetweenTurnsNs) return;
  std::this_thread::sleep_for(std::chrono::nanoseconds(kBetweenTurnsNs - since_ns));
  last_turn = clock_now().mono;
}

void ProcessHost::State::turn() {
  rest();
  client.poll(wait_ns(process.wake_at(), clock_now().mono, kLongestSleepNs));
  handled.swap(events);  // both keep their room
  for (Event& event : handled) tell(std::move(event));
  handled.clear();
  for (const PickerLine::Replied& replied : picker_line.take()) tell(replied);
  if (stopping && !told_to_stop) {
    told_to_stop = true;
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
                         asker::AskerSettings pickers, ProcessObserver& observer)
    : state_(std::make_unique<State>(process, client, std::move(pickers), observer)) {}

ProcessHost::~ProcessHost() {
  for (const auto& [call, one] : state_->under_way) state_->client.cancel(one.id);
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
