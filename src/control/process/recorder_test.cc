#include "control/process/recorder.h"

#include <string>
#include <vector>

#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/deadline_queue.h"
#include "schema/core/json.h"
#include "support/control/carry_out.h"

namespace ebb::control {
namespace {

constexpr std::string_view kEvents = "/api/v1/namespaces/default/events";

Event created(int pod) {
  return {.kind = schema::find_kind("apps/v1", "ReplicaSet"),
          .namespace_name = "default",
          .name = "web",
          .uid = "u1",
          .resource_version = "7",
          .reason = "SuccessfulCreate",
          .message = fmt::format("Created pod: web-{}", pod),
          .component = "replicaset-controller"};
}

struct Listening : Telemetry {
  void logged(Severity /*severity*/, int /*verbosity*/, std::string_view text,
              std::span<const Field> /*fields*/) override {
    lines.emplace_back(text);
  }
  [[nodiscard]] bool logs(int /*verbosity*/) const override { return true; }
  std::vector<std::string> lines;
};

class RecorderTest : public ::testing::Test {
 protected:
  [[nodiscard]] Now now() const { return {.wall = served_.now, .mono = served_.now}; }
  void pass(Nanoseconds ns) { served_.now = later_by(served_.now, ns); }

  void run() {
    while (auto wanted = recorder_.take_wanted(now())) {
      recorder_.answered(wanted->ticket, testing::carry_out(served_, std::move(wanted->request)),
                         now());
    }
  }
  // Records an event and sends it.
  void record_event(const Event& event) {
    recorder_.record_event(event, now());
    run();
  }
  // The only call that it wants, answered so.
  void answer(const Answer& answer) {
    const auto wanted = recorder_.take_wanted(now());
    ASSERT_TRUE(wanted);
    EXPECT_FALSE(recorder_.take_wanted(now()));
    recorder_.answered(wanted->ticket, answer, now());
  }
  // `3 Created pod: web-1`, in the order of their names.
  [[nodiscard]] std::vector<std::string> events() {
    std::vector<std::string> lines;
    const auto list = served_.get(kEvents);
    for (const auto& item : list.body.at("items").as_array()) {
      lines.push_back(fmt::format("{} {}", item.at("count").as_int64(),
                                  std::string_view(item.at("message").as_string())));
    }
    return lines;
  }

  testing::ApiServerScene served_;
  Listening telemetry_;
  Recorder recorder_{1, telemetry_};
};

using Lines = std::vector<std::string>;

TEST_F(RecorderTest, NamesTheObjectAndTheReportingComponent) {
  record_event(created(1));
  const auto list = served_.get(kEvents);
  const auto text = [&list](const std::string& path) { return list.text("items/0/" + path); };
  EXPECT_EQ(text("metadata/name"),
            fmt::format("web.{:x}", static_cast<std::uint64_t>(served_.now.since_epoch_ns())));
  EXPECT_EQ(text("metadata/namespace"), "default");
  EXPECT_EQ(text("involvedObject/kind"), "ReplicaSet");
  EXPECT_EQ(text("involvedObject/apiVersion"), "apps/v1");
  EXPECT_EQ(text("involvedObject/namespace"), "default");
  EXPECT_EQ(text("involvedObject/name"), "web");
  EXPECT_EQ(text("involvedObject/uid"), "u1");
  EXPECT_EQ(text("involvedObject/resourceVersion"), "7");
  EXPECT_EQ(text("source/component"), "replicaset-controller");
  EXPECT_EQ(text("reportingComponent"), "replicaset-controller");
  EXPECT_EQ(text("type"), "Normal");
  EXPECT_EQ(text("reason"), "SuccessfulCreate");
  EXPECT_EQ(text("count"), "1");
  EXPECT_EQ(text("firstTimestamp"), text("lastTimestamp"));
}

TEST_F(RecorderTest, CountsRepeatedEvents) {
  record_event(created(1));
  pass(30 * kSecond);
  record_event(created(1));
  record_event(created(1));
  EXPECT_EQ(events(), Lines({"3 Created pod: web-1"}));
  const auto list = served_.get(kEvents);
  EXPECT_NE(list.text("items/0/firstTimestamp"), list.text("items/0/lastTimestamp"));
}

TEST_F(RecorderTest, FoldsFromTheTenthDistinctMessageOn) {
  for (int pod = 1; pod <= 14; ++pod) record_event(created(pod));
  Lines expected;
  for (int pod = 1; pod <= 9; ++pod) expected.push_back(fmt::format("1 Created pod: web-{}", pod));
  expected.emplace_back("5 (combined from similar events): Created pod: web-14");
  EXPECT_EQ(events(), expected);
}

TEST_F(RecorderTest, FoldsTheSameWhenAllIsSaidInOneMoment) {
  for (int pod = 1; pod <= 14; ++pod) recorder_.record_event(created(pod), now());
  run();
  EXPECT_EQ(events().size(), 10U);
  EXPECT_EQ(events().back(), "5 (combined from similar events): Created pod: web-14");
}

TEST_F(RecorderTest, DoesNotFoldWhatHasAnotherReasonSourceOrObject) {
  for (int pod = 1; pod <= 9; ++pod) record_event(created(pod));
  Event other = created(10);
  other.reason = "SuccessfulDelete";
  record_event(other);
  other = created(10);
  other.component = "ebb";
  record_event(other);
  other = created(10);
  other.uid = "u2";
  record_event(other);
  other = created(10);
  other.warning = true;
  record_event(other);
  EXPECT_EQ(events().size(), 13U);
  for (const std::string& line : events()) EXPECT_EQ(line.find("combined"), std::string::npos);
}

TEST_F(RecorderTest, StartsANewEventAfterTenQuietMinutes) {
  for (int pod = 1; pod <= 9; ++pod) record_event(created(pod));
  pass(601 * kSecond);
  record_event(created(10));
  EXPECT_EQ(events().back(), "1 Created pod: web-10");
}

TEST_F(RecorderTest, ListensToASourceTwentyFiveTimesAndThenEveryFiveMinutes) {
  for (int i = 0; i < 40; ++i) record_event(created(1));
  EXPECT_EQ(events(), Lines({"25 Created pod: web-1"}));
  // Events that were dropped are counted nevertheless.
  pass(301 * kSecond);
  record_event(created(1));
  EXPECT_EQ(events(), Lines({"41 Created pod: web-1"}));
  record_event(created(1));
  EXPECT_EQ(events(), Lines({"41 Created pod: web-1"}));
  // Another source has a budget of its own.
  Event other = created(1);
  other.component = "ebb";
  record_event(other);
  EXPECT_EQ(events().size(), 2U);
}

TEST_F(RecorderTest, MakesAnEventAgainThatHasBeenForgotten) {
  record_event(created(1));
  served_.remove(kEvents);
  EXPECT_TRUE(events().empty());
  record_event(created(1));
  EXPECT_EQ(events(), Lines({"2 Created pod: web-1"}));
}

TEST_F(RecorderTest, TriesTwelveTimesTenSecondsApart) {
  recorder_.record_event(created(1), now());
  answer({.outcome = Answer::Outcome::kNotSent});
  EXPECT_GT(recorder_.wake_at(), now().mono);
  EXPECT_LT(elapsed_ns(now().mono, recorder_.wake_at()), 10 * kSecond);
  for (int tries = 2; tries <= 12; ++tries) {
    EXPECT_FALSE(recorder_.take_wanted(now()));
    served_.now = recorder_.wake_at();
    answer({.outcome = Answer::Outcome::kUnknown});
    if (tries == 12) break;
    EXPECT_EQ(elapsed_ns(now().mono, recorder_.wake_at()), 10 * kSecond);
  }
  EXPECT_TRUE(recorder_.idle());
  EXPECT_TRUE(recorder_.wake_at().is_zero());
}

TEST_F(RecorderTest, TakesNoForAnAnswer) {
  recorder_.record_event(created(1), now());
  answer(testing::answer_of(403));
  EXPECT_TRUE(recorder_.idle());
}

TEST_F(RecorderTest, IsCountedRightWhenItsCreationWasNotHeardOf) {
  recorder_.record_event(created(1), now());
  const auto wanted = recorder_.take_wanted(now());
  ASSERT_TRUE(wanted);
  EXPECT_TRUE(testing::carry_out(served_, wanted->request).succeeded());
  // Recorded again while the outcome is unknown: it waits, and then corrects the count.
  recorder_.record_event(created(1), now());
  recorder_.record_event(created(1), now());
  EXPECT_FALSE(recorder_.take_wanted(now()));
  recorder_.answered(wanted->ticket, {.outcome = Answer::Outcome::kUnknown}, now());
  served_.now = recorder_.wake_at();
  run();
  EXPECT_EQ(events(), Lines({"3 Created pod: web-1"}));
  EXPECT_TRUE(recorder_.idle());
}

TEST_F(RecorderTest, SendsDecisionsFirstWhenTheProcessStops) {
  for (int pod = 1; pod <= 3; ++pod) recorder_.record_event(created(pod), now());
  Event decision = created(4);
  decision.reason = kDecisionReason;
  recorder_.record_event(decision, now());
  recorder_.stop();
  const auto first = recorder_.take_wanted(now());
  ASSERT_TRUE(first);
  EXPECT_NE(first->request.body.find(kDecisionReason), std::string::npos) << first->request.body;
  run();
  EXPECT_EQ(events().size(), 3U) << "the others, in their turn";
}

TEST_F(RecorderTest, TriesAgainSoonWhenTheProcessStops) {
  recorder_.record_event(created(1), now());
  answer({.outcome = Answer::Outcome::kNotSent});
  EXPECT_FALSE(recorder_.take_wanted(now()));
  recorder_.stop();
  answer({.outcome = Answer::Outcome::kUnknown});
  EXPECT_EQ(elapsed_ns(now().mono, recorder_.wake_at()), kSecond / 4);
  served_.now = recorder_.wake_at();
  run();
  EXPECT_EQ(events(), Lines({"1 Created pod: web-1"}));
  EXPECT_TRUE(telemetry_.lines.empty());
}

TEST_F(RecorderTest, SaysWhyItDroppedAnEvent) {
  const auto dropped = [this](const std::string& why) {
    EXPECT_TRUE(recorder_.idle());
    EXPECT_EQ(telemetry_.lines,
              Lines({"dropped an event about default/web (SuccessfulCreate): " + why}));
    telemetry_.lines.clear();
  };
  const auto try_often = [this](const Answer& each) {
    for (int tries = 1; tries <= 12; ++tries) {
      answer(each);
      if (tries < 12) served_.now = recorder_.wake_at();
    }
  };
  recorder_.record_event(created(1), now());
  answer(testing::answer_of(403));
  dropped("the API server refused it with 403");
  recorder_.record_event(created(2), now());
  try_often({.outcome = Answer::Outcome::kNotSent, .error = "connection refused"});
  dropped("the API server could not be reached: connection refused");
  recorder_.record_event(created(3), now());
  try_often(testing::answer_of(503));
  dropped("the API server answered 503");
  recorder_.record_event(created(4), now());
  const auto wanted = recorder_.take_wanted(now());
  ASSERT_TRUE(wanted);
  recorder_.give_up("the lease was lost");
  dropped("the lease was lost");
  recorder_.answered(wanted->ticket, {.outcome = Answer::Outcome::kNotSent}, now());
  recorder_.record_event(created(5), now());
  dropped("the lease was lost");
}

TEST_F(RecorderTest, DropsExcessEvents) {
  for (int i = 0; i < 1100; ++i) {
    Event event = created(i);
    event.uid = fmt::format("u{}", i);
    recorder_.record_event(event, now());
  }
  run();
  EXPECT_EQ(events().size(), 1000U);
}

TEST_F(RecorderTest, ANamespaceWithManyEventsDoesNotSilenceOthers) {
  const auto about = [](std::string namespace_name, int number) {
    Event event = created(number);
    event.namespace_name = std::move(namespace_name);
    event.name = fmt::format("web-{}", number);
    event.uid = event.name;
    return event;
  };
  for (int i = 0; i < 1500; ++i) recorder_.record_event(about("busy", i), now());
  recorder_.record_event(about("calm", 0), now());
  const auto first = recorder_.take_wanted(now());
  const auto second = recorder_.take_wanted(now());
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->request.path, "/api/v1/namespaces/busy/events");
  EXPECT_EQ(second->request.path, "/api/v1/namespaces/calm/events");
}

TEST_F(RecorderTest, HasOnlyAFewUnderWay) {
  for (int pod = 1; pod <= 9; ++pod) recorder_.record_event(created(pod), now());
  std::vector<std::uint64_t> tickets;
  while (auto wanted = recorder_.take_wanted(now())) tickets.push_back(wanted->ticket);
  EXPECT_EQ(tickets.size(), 8U);
  recorder_.answered(tickets[3], testing::answer_of(201), now());
  EXPECT_TRUE(recorder_.take_wanted(now()));
}

TEST_F(RecorderTest, CutsLongMessagesBetweenCharacters) {
  Event event = created(1);
  event.message = std::string(1023, 'x') + "\u00fc and more";
  record_event(event);
  EXPECT_EQ(events(), Lines({"1 " + std::string(1023, 'x')}));
}

// A webhook may refuse each attempt with a different text of several hundred kilobytes.
TEST_F(RecorderTest, ComparesLongMessagesByThePartThatIsShown) {
  Event event = created(1);
  for (const char* end : {"a", "b", "c"}) {
    event.message = std::string(300'000, 'x') + end;
    record_event(event);
  }
  EXPECT_EQ(events(), Lines({"3 " + std::string(1024, 'x')}));
}

TEST(Recent, ForgetsWhatWasNotUsedLongest) {
  Recent<int> recent(2);
  recent["a"] = 1;
  recent["b"] = 2;
  EXPECT_EQ(recent["a"], 1);
  recent["c"] = 3;
  EXPECT_EQ(recent.size(), 2U);
  EXPECT_EQ(recent["a"], 1);
  EXPECT_EQ(recent["b"], 0);
}

}  // namespace
}  // namespace ebb::control
