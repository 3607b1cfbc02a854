// A controller process on an API server without HTTP, for tests: its calls are collected, and
// answered on the test's command.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/deadline_queue.h"
#include "control/controller/controller.h"
#include "control/process/process.h"
#include "model/api/requests.h"
#include "support/control/carry_out.h"

namespace ebb::testing {

using control::Answer;
using control::Call;
using control::CallId;
using control::Controller;
using control::ControllerContext;
using control::Process;
using control::ProcessSettings;

inline constexpr std::string_view kConfigMaps = "/api/v1/namespaces/default/configmaps";

// Creates the ConfigMaps that the test asks for, and counts its callbacks.
class Maker : public Controller {
 public:
  explicit Maker(const ControllerContext& context) : context_(context) {}

  void make(std::string name) { wanted_.push_back(std::move(name)); }

  [[nodiscard]] std::string_view name() const override { return "maker"; }
  void pod_changed(const control::Change<control::Pod>& /*change*/) override {
    ++changes;
    stirred_ = true;
  }
  void answered(CallId id, const Answer& answer, Now /*now*/) override {
    EXPECT_EQ(in_flight_.erase(id), 1U);
    answers.push_back(answer);
  }
  void run(Now now) override {
    ++runs;
    stirred_ = false;
    last_run = now.mono;
    pods_when_run = context_.store.pods();
    while (!wanted_.empty() && !stopped_) {
      const std::string body = config_map_json(wanted_.front());
      wanted_.pop_front();
      model::ApiRequest request{.method = model::Method::kPost,
                                .path = std::string(kConfigMaps),
                                .content_type = "application/json",
                                .accept = "application/json",
                                .body = body};
      in_flight_.emplace(context_.sink.send(Call::Kind::kWrite, std::move(request)), true);
    }
  }
  [[nodiscard]] Timestamp wake_at() const override {
    if (stirred_ || (!wanted_.empty() && !stopped_)) return Timestamp::from_seconds(1);
    return {};
  }
  void stop() override { stopped_ = true; }
  [[nodiscard]] bool idle() const override { return in_flight_.empty(); }

  void record_event(Now now, std::string reason = "Made") {
    context_.sink.record_event({.kind = model::pod_kind(),
                                .namespace_name = "default",
                                .name = "p",
                                .uid = "u",
                                .reason = std::move(reason),
                                .message = "made it",
                                .component = "maker"},
                               now);
  }

  int changes = 0;
  int runs = 0;
  Timestamp last_run;
  std::size_t pods_when_run = 0;
  std::vector<Answer> answers;

 private:
  ControllerContext context_;
  std::deque<std::string> wanted_;
  std::map<CallId, bool> in_flight_;
  bool stirred_ = true;
  bool stopped_ = false;
};

struct Counting : control::Telemetry {
  void count(control::Count what, std::string_view /*label*/, std::int64_t by) override {
    counts[what] += by;
  }
  void logged(control::Severity /*severity*/, int /*verbosity*/, std::string_view text,
              std::span<const control::Field> /*fields*/) override {
    lines.emplace_back(text);
  }
  [[nodiscard]] bool logs(int /*verbosity*/) const override { return true; }
  std::vector<std::string> lines;
  std::map<control::Count, std::int64_t> counts;
};

// A process on an API server; calls are answered on the test's command.
class Scene {
 public:
  enum class Cast : std::uint8_t { kMaker, kReal };

  Scene(ApiServerScene& served, ProcessSettings settings, Cast cast = Cast::kMaker)
      : served_(served) {
    settings.protobuf = false;
    if (cast == Cast::kReal) {
      process.emplace(settings, telemetry);
      return;
    }
    process.emplace(std::move(settings), telemetry, [this](const ControllerContext& context) {
      auto made = std::make_unique<Maker>(context);
      maker = made.get();
      std::vector<std::unique_ptr<Controller>> controllers;
      controllers.push_back(std::move(made));
      return controllers;
    });
  }

  [[nodiscard]] Now now() const {
    return {.wall = served_.now, .mono = later_by(served_.now, -1'000'000 * kNanosecondsPerSecond)};
  }

  void collect() {
    for (Call& call : process->take_calls()) {
      EXPECT_FALSE(process->done()) << "done, and sends";
      if (call.kind == Call::Kind::kWrite || call.kind == Call::Kind::kEvent) {
        EXPECT_TRUE(process->leads(now()));
      }
      calls.push_back(std::move(call));
    }
    for (const CallId id : process->take_cancelled()) {
      const std::size_t ended = streams.erase(id) + std::erase_if(calls, [id](const Call& call) {
                                  return call.id == id && call.kind == Call::Kind::kStream;
                                });
      EXPECT_TRUE(ended == 1 || instead_of_server);
    }
  }

  void start() {
    process->start(now());
    collect();
  }
  void wake() {
    process->wake(now());
    collect();
  }
  void stop() {
    process->stop(now());
    collect();
  }
  void answer(const Call& call, const Answer& answer) {
    process->answered(call.id, answer, now());
    collect();
  }

  // Executes all pending calls, and delivers all stream data.
  void settle() {
    for (int i = 0; i < 200; ++i) {
      if (!calls.empty()) {
        serve_next();
      } else if (!flow() && !due()) {
        return;
      } else if (due()) {
        wake();
      }
    }
    ADD_FAILURE() << "does not settle";
  }
  void settle_for(Nanoseconds ns) {
    for (Nanoseconds passed = 0; passed < ns; passed += kNanosecondsPerSecond / 4) {
      settle();
      served_.now = later_by(served_.now, kNanosecondsPerSecond / 4);
    }
    settle();
  }

  void serve_next() {
    const Call call = std::move(calls.front());
    calls.pop_front();
    if (instead_of_server && instead_of_server(call)) return collect();
    if (call.kind == Call::Kind::kStream) {
      model::ApiRequest request = call.request;
      request.received = served_.now;
      apiserver::Reply reply = served_.server.handle(request, served_.now);
      if (reply.watch) {
        streams.emplace(call.id, reply.watch);
      } else {
        answer(call, {.outcome = Answer::Outcome::kAnswered, .response = reply.response});
      }
      return;
    }
    answer(call, carry_out(served_, call.request));
  }

  // May answer a call in place of the server; returns whether it did.
  std::function<bool(const Call& call)> instead_of_server;

  // Delivers one piece of each stream that has one.
  bool flow() {
    bool flowed = false;
    for (const auto& [id, cursor] : std::map(streams)) {
      const apiserver::Frames frames = served_.server.follow(*cursor, served_.now, 1 << 20);
      if (!frames.bytes.empty()) {
        flowed = true;
        process->received(id, frames.bytes.str(), now());
        collect();
      }
      if (frames.ended) {
        streams.erase(id);
        process->answered(id, {.outcome = Answer::Outcome::kEnded}, now());
        collect();
      }
    }
    return flowed;
  }
  [[nodiscard]] bool due() const {
    const Timestamp wake = process->wake_at();
    return !wake.is_zero() && wake <= now().mono;
  }
  // The first pending call of this kind.
  [[nodiscard]] Call take(Call::Kind kind) {
    const auto found = std::find_if(calls.begin(), calls.end(),
                                    [kind](const Call& call) { return call.kind == kind; });
    EXPECT_NE(found, calls.end());
    if (found == calls.end()) return {};
    Call call = std::move(*found);
    calls.erase(found);
    return call;
  }

  Counting telemetry;
  std::optional<Process> process;
  Maker* maker = nullptr;
  std::deque<Call> calls;
  std::map<CallId, std::shared_ptr<apiserver::WatchCursor>> streams;

 private:
  ApiServerScene& served_;
};

}  // namespace ebb::testing
