// Picker sessions alone: their requests are recorded, and the test answers them and lets time pass.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "control/picker/picker_sessions.h"
#include "support/objects/pods.h"

namespace ebb::control::sessions_scene {

using picker::Outcome;
using Names = std::vector<std::string>;

struct Recording : CallSink, Telemetry {
  CallId send(Call::Kind kind, model::ApiRequest request) override {
    EXPECT_EQ(kind, Call::Kind::kTenantRead);
    sent.emplace_back(request.path);
    return sent.size();
  }
  picker::CallId ask(picker::Call call) override {
    call.id = asked.size() + 1;
    asked.push_back(std::move(call));
    return asked.back().id;
  }
  void withdraw(picker::CallId id) override { withdrawn.insert(id); }
  void record_event(Event /*event*/, Now /*now*/) override {}
  void count(Count what, std::string_view label, std::int64_t by) override {
    counts[fmt::format("{}{}", static_cast<int>(what), label)] += by;
  }
  void set(Gauge what, std::string_view /*label*/, double value) override { gauges[what] = value; }
  [[nodiscard]] std::int64_t counted(Count what, std::string_view label = {}) const {
    const auto found = counts.find(fmt::format("{}{}", static_cast<int>(what), label));
    return found == counts.end() ? 0 : found->second;
  }

  Names sent;
  std::vector<picker::Call> asked;
  std::set<picker::CallId> withdrawn;
  std::map<std::string, std::int64_t> counts;
  std::map<Gauge, double> gauges;
};

class PickerSessionsTest : public ::testing::Test {
 protected:
  static Key key(std::string name, std::string namespace_name = "shop") {
    return {.namespace_name = std::move(namespace_name), .name = std::move(name)};
  }
  PickerRequest request(const Key& set, std::string_view workload = "w") const {
    return {.set = set,
            .set_uid = "u-" + set.name,
            .workload = std::string(workload),
            .surplus = 2,
            .requested = 2,
            .names = {"a", "b", "c"},
            .uids = {"ua", "ub", "uc"},
            .settings = std::make_shared<const picker::Settings>(settings),
            .body = std::make_shared<const std::string>("{}")};
  }
  void begin(const Key& set = {.namespace_name = "shop", .name = "web"},
             std::string_view workload = "w") {
    EXPECT_FALSE(picker_sessions.begin(request(set, workload), now).has_value());
  }
  void pass(Nanoseconds ns) {
    const Timestamp end = later_by(now.mono, ns);
    for (Timestamp next = picker_sessions.wake_at(); !next.is_zero() && next <= end;
         next = picker_sessions.wake_at()) {
      now.mono = std::max(now.mono, next);
      picker_sessions.run(now);
      for (const Key& set : picker_sessions.take_finished()) over.push_back(set.name);
    }
    now.mono = end;
  }
  void reply(std::size_t which, Outcome outcome, bool repeatable = false, int code = 0,
             Nanoseconds retry_after_ns = 0) {
    picker_sessions.replied(which,
                            {.outcome = outcome,
                             .code = code,
                             .repeatable = repeatable,
                             .retry_after_ns = retry_after_ns},
                            now);
    for (const Key& set : picker_sessions.take_finished()) over.push_back(set.name);
  }
  void answer(std::size_t which, const Names& chosen, const Names& tied = {}) {
    picker_sessions.replied(
        which, {.outcome = Outcome::kAnswered, .answer = {.chosen = chosen, .tied = tied}}, now);
  }
  void answer_secret(CallId id, int code, std::string body = "{}") {
    Answer made;
    made.response.code = code;
    made.response.body = Bytes(std::move(body));
    picker_sessions.answered(id, made, now);
  }
  // A session that ends at once with this outcome.
  PickerResult consult(Outcome outcome, std::string_view workload = "w", int code = 0) {
    const Key set = key("one");
    if (auto ended = picker_sessions.begin(request(set, workload), now)) return *ended;
    if (outcome == Outcome::kAnswered) {
      answer(sink.asked.size(), {"a"});
    } else {
      reply(sink.asked.size(), outcome, false, code);
    }
    return picker_sessions.take(set);
  }

  Recording sink;
  PickerLimits limits;
  PickerSessions picker_sessions{sink, sink, PickerLimits{.max_per_endpoint = 2}, 7};
  picker::Settings settings{.host = "picker", .timeout_ns = 2 * kSecond, .max_retries = 2};
  Now now{.wall = testing::kNow, .mono = Timestamp::from_seconds(100)};
  Names over;
};

}  // namespace ebb::control::sessions_scene
