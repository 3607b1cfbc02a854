#include "control/process/dispatcher.h"

#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "control/core/repeatable.h"
#include "model/api/requests.h"
#include "support/control/carry_out.h"

namespace ebb::control {
namespace {

using Kind = Call::Kind;
using model::Method;
using testing::answer_of;

struct Counting : Telemetry {
  void count(Count what, std::string_view /*label*/, std::int64_t by) override {
    counts[what] += by;
  }
  void observe(Histogram what, std::string_view /*label*/, double value) override {
    if (what == Histogram::kRateLimiterSeconds) waits.push_back(value);
  }
  std::map<Count, std::int64_t> counts;
  std::vector<double> waits;
};

class DispatcherTest : public ::testing::Test {
 protected:
  [[nodiscard]] Now now() const { return {.wall = time_, .mono = time_}; }
  void pass(Nanoseconds ns) { time_ = later_by(time_, ns); }

  CallId add(Dispatcher& dispatcher, Kind kind, model::ApiRequest request = {}) {
    Call call{.id = next_++, .kind = kind, .request = std::move(request)};
    call.deadline_ns = 5 * kSecond;
    const CallId id = call.id;
    dispatcher.add(std::move(call), now());
    return id;
  }
  std::vector<CallId> take(Dispatcher& dispatcher, bool leads = true) {
    std::vector<CallId> ids;
    for (const Call& call : dispatcher.take(now(), leads)) ids.push_back(call.id);
    return ids;
  }
  static std::vector<CallId> refused(Dispatcher& dispatcher) {
    std::vector<CallId> ids;
    for (const auto& [id, answer] : dispatcher.take_refused()) {
      EXPECT_EQ(answer.outcome, Answer::Outcome::kNotSent);
      ids.push_back(id);
    }
    return ids;
  }

  Counting telemetry_;
  Timestamp time_ = Timestamp::from_seconds(1000);
  CallId next_ = 1;
};

using Ids = std::vector<CallId>;

TEST_F(DispatcherTest, SendsTheLeaseFirstAndEventsLast) {
  Dispatcher dispatcher({.qps = 0}, telemetry_);
  const CallId event = add(dispatcher, Kind::kEvent);
  const CallId write = add(dispatcher, Kind::kWrite);
  const CallId second = add(dispatcher, Kind::kWrite);
  const CallId read = add(dispatcher, Kind::kRead);
  const CallId stream = add(dispatcher, Kind::kStream);
  const CallId lease = add(dispatcher, Kind::kLease);
  EXPECT_EQ(take(dispatcher), Ids({lease, stream, read, write, second, event}));
  EXPECT_TRUE(take(dispatcher).empty());
  EXPECT_TRUE(dispatcher.wake_at().is_zero());
}

TEST_F(DispatcherTest, LetsNoTenantsReadsHoldUpWrites) {
  Dispatcher dispatcher({.qps = 1, .burst = 2}, telemetry_);
  for (int i = 0; i < 10; ++i) add(dispatcher, Kind::kTenantRead);
  const CallId write = add(dispatcher, Kind::kWrite);
  EXPECT_EQ(take(dispatcher), Ids({1, write}));
}

model::ApiRequest secret_in(std::string_view namespace_name) {
  return {.path = fmt::format("/api/v1/namespaces/{}/secrets/token", namespace_name)};
}

TEST_F(DispatcherTest, TenantsReadsHaveAQuarterOfTheRateHoweverManyWritesWait) {
  constexpr int kSeconds = 20;
  Dispatcher dispatcher({.qps = 20, .burst = 4}, telemetry_);
  std::map<bool, int> sent;  // by whether it is a tenant's read
  std::map<CallId, bool> is_read;
  for (int i = 0; i < 1'000; ++i) {
    is_read[add(dispatcher, Kind::kWrite)] = false;
    is_read[add(dispatcher, Kind::kTenantRead, secret_in("shop"))] = true;
  }
  const Timestamp end = later_by(time_, kSeconds * kSecond);
  while (time_ < end) {
    for (const CallId id : take(dispatcher)) {
      ++sent[is_read[id]];
      EXPECT_TRUE(dispatcher.answered(id, answer_of(200), now()));
    }
    time_ = dispatcher.wake_at();
    ASSERT_FALSE(time_.is_zero());
  }
  EXPECT_NEAR(sent[true], kSeconds * 20 / 4, 3);
  EXPECT_NEAR(sent[false], kSeconds * 20 * 3 / 4, 5);
}

TEST_F(DispatcherTest, TenantsReadsDoNotNeedThePlacesOfWrites) {
  Dispatcher dispatcher({.qps = 0, .max_in_flight = 2}, telemetry_);
  for (int i = 0; i < 4; ++i) add(dispatcher, Kind::kWrite);
  EXPECT_EQ(take(dispatcher), Ids({1, 2}));
  const CallId read = add(dispatcher, Kind::kTenantRead, secret_in("shop"));
  EXPECT_EQ(take(dispatcher), Ids({read}));
  EXPECT_TRUE(dispatcher.answered(1, answer_of(200), now()));
  EXPECT_EQ(take(dispatcher), Ids({3}));
}

TEST_F(DispatcherTest, NamespacesTakeTurnsWithTheirReads) {
  Dispatcher dispatcher({.qps = 1, .burst = 4}, telemetry_);
  for (int i = 0; i < 100; ++i) add(dispatcher, Kind::kTenantRead, secret_in("busy"));
  const CallId other = add(dispatcher, Kind::kTenantRead, secret_in("shop"));
  EXPECT_EQ(take(dispatcher), Ids({1, other, 2, 3}));
}

TEST_F(DispatcherTest, NoNamespaceHasAllPlacesForReads) {
  Dispatcher dispatcher({.qps = 0}, telemetry_);
  for (int i = 0; i < 100; ++i) add(dispatcher, Kind::kTenantRead, secret_in("busy"));
  const std::size_t taken = take(dispatcher).size();
  EXPECT_LT(taken, 100U);
  const CallId other = add(dispatcher, Kind::kTenantRead, secret_in("shop"));
  EXPECT_EQ(take(dispatcher), Ids({other}));
  EXPECT_TRUE(dispatcher.answered(1, answer_of(200), now()));
  EXPECT_EQ(take(dispatcher).size(), 1U);
}

TEST_F(DispatcherTest, ForgetsTenantsReadsThatWait) {
  Dispatcher dispatcher({.qps = 0}, telemetry_);
  const CallId dropped = add(dispatcher, Kind::kTenantRead, secret_in("shop"));
  const CallId kept = add(dispatcher, Kind::kTenantRead, secret_in("shop"));
  EXPECT_FALSE(dispatcher.forget(dropped));
  EXPECT_EQ(take(dispatcher), Ids({kept}));
}

TEST_F(DispatcherTest, WakesForATenantsReadThatWaitsForTheRate) {
  Dispatcher dispatcher({.qps = 1, .burst = 1}, telemetry_);
  add(dispatcher, Kind::kTenantRead);
  add(dispatcher, Kind::kTenantRead);
  EXPECT_EQ(take(dispatcher), Ids({1}));
  ASSERT_FALSE(dispatcher.wake_at().is_zero());
  time_ = dispatcher.wake_at();
  EXPECT_EQ(take(dispatcher), Ids({2}));
}

TEST_F(DispatcherTest, PatientWritesComeAfterAllButEventsAndNeedTheLease) {
  Dispatcher dispatcher({.qps = 0}, telemetry_);
  const CallId event = add(dispatcher, Kind::kEvent);
  const CallId patient = add(dispatcher, Kind::kPatientWrite);
  const CallId tenant = add(dispatcher, Kind::kTenantRead);
  const CallId write = add(dispatcher, Kind::kWrite);
  EXPECT_EQ(take(dispatcher), Ids({write, tenant, patient, event}));
  const CallId fenced = add(dispatcher, Kind::kPatientWrite);
  EXPECT_EQ(take(dispatcher, false), Ids());
  EXPECT_EQ(refused(dispatcher), Ids({fenced}));
}

TEST_F(DispatcherTest, PatientWritesLeaveHalfOfTheBurstToOthers) {
  Dispatcher dispatcher({.qps = 10, .burst = 10}, telemetry_);
  for (int i = 0; i < 20; ++i) add(dispatcher, Kind::kPatientWrite);
  EXPECT_EQ(take(dispatcher).size(), 6U);
  // A delete that comes now need not wait.
  const CallId write = add(dispatcher, Kind::kWrite);
  EXPECT_EQ(take(dispatcher), Ids({write}));
  // The rest goes at the rate.
  time_ = dispatcher.wake_at();
  EXPECT_EQ(take(dispatcher).size(), 1U);
}

TEST_F(DispatcherTest, HasOnlySoManyPatientWritesUnderWay) {
  Dispatcher dispatcher({.qps = 0, .max_in_flight = 64}, telemetry_);
  for (int i = 0; i < 40; ++i) add(dispatcher, Kind::kPatientWrite);
  EXPECT_EQ(take(dispatcher).size(), 16U);
  const CallId write = add(dispatcher, Kind::kWrite);
  EXPECT_EQ(take(dispatcher), Ids({write}));
  EXPECT_TRUE(dispatcher.answered(1, answer_of(200), now()).has_value());
  EXPECT_EQ(take(dispatcher), Ids({17}));
}

TEST_F(DispatcherTest, KeepsToTheRateButNotForTheLease) {
  Dispatcher dispatcher({.qps = 10, .burst = 3}, telemetry_);
  for (int i = 0; i < 5; ++i) add(dispatcher, Kind::kWrite);
  EXPECT_EQ(take(dispatcher), Ids({1, 2, 3}));
  EXPECT_EQ(take(dispatcher), Ids());
  const CallId lease = add(dispatcher, Kind::kLease);
  EXPECT_EQ(take(dispatcher), Ids({lease}));
  // A tenth of a second for each, and woken just then.
  EXPECT_LE(elapsed_ns(now().mono, dispatcher.wake_at()), kSecond / 10 + 1000);
  time_ = dispatcher.wake_at();
  EXPECT_EQ(take(dispatcher), Ids({4}));
  time_ = dispatcher.wake_at();
  EXPECT_EQ(take(dispatcher), Ids({5}));
  EXPECT_TRUE(dispatcher.wake_at().is_zero());
  ASSERT_EQ(telemetry_.waits.size(), 5U);
  EXPECT_DOUBLE_EQ(telemetry_.waits[0], 0);
  EXPECT_NEAR(telemetry_.waits[4], 0.2, 1e-6);
}

TEST_F(DispatcherTest, SavesUpNoMoreThanTheBurst) {
  Dispatcher dispatcher({.qps = 10, .burst = 3}, telemetry_);
  pass(100 * kSecond);
  EXPECT_TRUE(take(dispatcher).empty());
  for (int i = 0; i < 8; ++i) add(dispatcher, Kind::kRead);
  EXPECT_EQ(take(dispatcher).size(), 3U);
  pass(kSecond / 5);
  EXPECT_EQ(take(dispatcher).size(), 2U);
}

TEST_F(DispatcherTest, StreamsCountOnceAndDoNotStayInTheWay) {
  Dispatcher dispatcher({.qps = 1, .burst = 2, .max_in_flight = 1}, telemetry_);
  add(dispatcher, Kind::kStream);
  add(dispatcher, Kind::kRead);
  EXPECT_EQ(take(dispatcher), Ids({1, 2}));
  add(dispatcher, Kind::kRead);
  pass(5 * kSecond);
  EXPECT_EQ(take(dispatcher), Ids());
  EXPECT_TRUE(dispatcher.wake_at().is_zero());  // only an answer helps
  EXPECT_TRUE(dispatcher.answered(2, answer_of(200), now()));
  EXPECT_EQ(take(dispatcher), Ids({3}));
}

TEST_F(DispatcherTest, HasNoMoreUnderWayThanItMay) {
  Dispatcher dispatcher({.qps = 0, .max_in_flight = 2}, telemetry_);
  for (int i = 0; i < 4; ++i) add(dispatcher, Kind::kWrite);
  EXPECT_EQ(take(dispatcher), Ids({1, 2}));
  const CallId lease = add(dispatcher, Kind::kLease);
  EXPECT_EQ(take(dispatcher), Ids({lease}));
  EXPECT_TRUE(dispatcher.answered(1, answer_of(409), now()));
  EXPECT_FALSE(dispatcher.answered(1, answer_of(409), now())) << "answered exactly once";
  EXPECT_EQ(take(dispatcher), Ids({3}));
}

TEST_F(DispatcherTest, SendsNeitherWritesNorEventsWithoutTheLease) {
  Dispatcher dispatcher({.qps = 0}, telemetry_);
  const CallId write = add(dispatcher, Kind::kWrite);
  const CallId event = add(dispatcher, Kind::kEvent);
  const CallId read = add(dispatcher, Kind::kRead);
  const CallId lease = add(dispatcher, Kind::kLease);
  EXPECT_EQ(take(dispatcher, false), Ids({lease, read}));
  EXPECT_EQ(refused(dispatcher), Ids({write, event}));
  EXPECT_EQ(telemetry_.counts[Count::kCallsFenced], 2);
  EXPECT_TRUE(refused(dispatcher).empty());
}

TEST_F(DispatcherTest, LooksAtTheLeaseAgainBeforeSendingAgain) {
  Dispatcher dispatcher({.qps = 0}, telemetry_);
  add(dispatcher, Kind::kWrite);
  EXPECT_EQ(take(dispatcher), Ids({1}));
  EXPECT_FALSE(dispatcher.answered(1, answer_of(429, 1), now()));
  pass(kSecond / 2);
  EXPECT_TRUE(take(dispatcher, false).empty());
  EXPECT_EQ(refused(dispatcher), Ids({1}));
  EXPECT_TRUE(dispatcher.wake_at().is_zero());
}

TEST_F(DispatcherTest, OnceClosedOnlyTheLeaseGoesOut) {
  Dispatcher dispatcher({.qps = 0}, telemetry_);
  const CallId sent = add(dispatcher, Kind::kWrite);
  EXPECT_EQ(take(dispatcher), Ids({sent}));
  dispatcher.close();
  add(dispatcher, Kind::kWrite);
  add(dispatcher, Kind::kRead);
  const CallId lease = add(dispatcher, Kind::kLease);
  EXPECT_EQ(take(dispatcher), Ids({lease}));
  EXPECT_EQ(refused(dispatcher).size(), 2U);
  EXPECT_EQ(telemetry_.counts[Count::kCallsFenced], 0);
  EXPECT_TRUE(dispatcher.answered(sent, answer_of(429, 1), now())) << "nothing is sent again";
}

TEST_F(DispatcherTest, DropsEventsWhenTooManyWait) {
  Dispatcher dispatcher({.qps = 0, .max_in_flight = 0}, telemetry_);
  for (int i = 0; i < 1001; ++i) add(dispatcher, Kind::kEvent);
  EXPECT_EQ(refused(dispatcher), Ids({1001}));
  EXPECT_EQ(telemetry_.counts[Count::kEventsDropped], 1);
}

TEST_F(DispatcherTest, SlowEventsLeaveRoomForWrites) {
  Dispatcher dispatcher({.qps = 0, .max_in_flight = 100}, telemetry_);
  for (int i = 0; i < 500; ++i) add(dispatcher, Kind::kEvent);
  const std::size_t events = take(dispatcher).size();
  EXPECT_LT(events, 50U);
  for (int i = 0; i < 50; ++i) add(dispatcher, Kind::kWrite);
  EXPECT_EQ(take(dispatcher).size(), 50U);
}

model::ApiRequest request(Method method, std::string body = "") {
  return {.method = method, .path = "/api/v1/namespaces/a/pods/b", .body = std::move(body)};
}

TEST_F(DispatcherTest, ComesAgainWhereThatIsAskedForAndSafe) {
  const std::string pinned = R"({"metadata":{"uid":"u","resourceVersion":"7"},)"
                             R"("preconditions":{"uid":"u"}})";
  struct Row {
    Method method;
    std::string body;
    int code;
    int retry_after;
    bool again;
  };
  const Row rows[] = {
      {Method::kGet, "", 429, 1, true},
      {Method::kGet, "", 503, 1, true},
      {Method::kGet, "", 503, 0, false},
      {Method::kGet, "", 404, 1, false},
      {Method::kGet, "", 503, 3600, false},
      {Method::kPost, "{}", 429, 1, true},
      {Method::kPost, pinned, 503, 1, false},
      {Method::kPut, pinned, 503, 1, true},
      {Method::kPut, R"({"metadata":{"uid":"u"}})", 503, 1, false},
      {Method::kPatch, pinned, 500, 1, true},
      {Method::kPatch, R"({"metadata":{}})", 500, 1, false},
      {Method::kPatch, R"({"metadata":{}})", 429, 1, true},
      {Method::kDelete, pinned, 504, 1, true},
      {Method::kDelete, R"({"kind":"DeleteOptions"})", 504, 1, false},
      {Method::kDelete, "", 504, 1, false},
      {Method::kDelete, "", 200, 1, false},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(std::string("code ") + std::to_string(row.code) + " " + row.body);
    Dispatcher dispatcher({.qps = 0}, telemetry_);
    const CallId id = add(dispatcher, Kind::kWrite, request(row.method, row.body));
    EXPECT_EQ(take(dispatcher), Ids({id}));
    const auto heard = dispatcher.answered(id, answer_of(row.code, row.retry_after), now());
    EXPECT_EQ(heard.has_value(), !row.again);
    pass(kSecond - 1);
    EXPECT_TRUE(take(dispatcher).empty());
    pass(1);
    EXPECT_EQ(take(dispatcher).size(), row.again ? 1U : 0U);
  }
}

TEST_F(DispatcherTest, RetriesTenTimesAndThenReports) {
  Dispatcher dispatcher({.qps = 0}, telemetry_);
  add(dispatcher, Kind::kRead, request(Method::kGet));
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(take(dispatcher), Ids({1}));
    EXPECT_FALSE(dispatcher.answered(1, answer_of(429, 2), now()));
    EXPECT_EQ(elapsed_ns(now().mono, dispatcher.wake_at()), 2 * kSecond);
    time_ = dispatcher.wake_at();
  }
  EXPECT_EQ(take(dispatcher), Ids({1}));
  const auto heard = dispatcher.answered(1, answer_of(429, 2), now());
  ASSERT_TRUE(heard);
  EXPECT_EQ(heard->response.code, 429);
  EXPECT_EQ(telemetry_.counts[Count::kCallsRetried], 10);
}

TEST_F(DispatcherTest, DoesNotDenyWhatAnEarlierTryMayHaveDone) {
  struct Row {
    Answer last;
    bool unknown;
  };
  const Row rows[] = {{answer_of(200), false},
                      {answer_of(404), false},
                      {answer_of(409), false},
                      {answer_of(403), true},
                      {answer_of(429), true},
                      {answer_of(500), true},
                      {{.outcome = Answer::Outcome::kNotSent}, true}};
  for (const Row& row : rows) {
    for (const int first : {503, 429}) {
      SCOPED_TRACE(fmt::format("{} then {}", first, row.last.response.code));
      Dispatcher dispatcher({.qps = 0}, telemetry_);
      const CallId id = add(dispatcher, Kind::kWrite,
                            request(Method::kDelete, R"({"preconditions":{"uid":"u"}})"));
      EXPECT_EQ(take(dispatcher), Ids({id}));
      EXPECT_FALSE(dispatcher.answered(id, answer_of(first, 1), now()));
      pass(kSecond);
      EXPECT_EQ(take(dispatcher), Ids({id}));
      const auto heard = dispatcher.answered(id, row.last, now());
      ASSERT_TRUE(heard);
      EXPECT_EQ(heard->unknown(), first == 503 ? row.unknown : row.last.unknown());
    }
  }
}

Answer denial_of(int code, int retry_after = 0) {
  Answer answer = answer_of(code, retry_after);
  answer.response.body = Bytes(
      R"({"kind":"Status","message":"admission webhook \"no.example.com\" denied the request: no"})");
  return answer;
}

TEST_F(DispatcherTest, ADenialSaysNothingAboutEarlierTries) {
  for (const int code : {404, 409}) {
    SCOPED_TRACE(code);
    Dispatcher dispatcher({.qps = 0}, telemetry_);
    const CallId id =
        add(dispatcher, Kind::kWrite, request(Method::kDelete, R"({"preconditions":{"uid":"u"}})"));
    EXPECT_EQ(take(dispatcher), Ids({id}));
    EXPECT_FALSE(dispatcher.answered(id, answer_of(503, 1), now()));
    pass(kSecond);
    EXPECT_EQ(take(dispatcher), Ids({id}));
    const auto heard = dispatcher.answered(id, denial_of(code), now());
    ASSERT_TRUE(heard);
    EXPECT_TRUE(heard->unknown());
  }
}

TEST_F(DispatcherTest, AWebhookCannotKeepACallWaiting) {
  for (const int code : {429, 503}) {
    SCOPED_TRACE(code);
    Dispatcher dispatcher({.qps = 0}, telemetry_);
    const CallId id =
        add(dispatcher, Kind::kWrite, request(Method::kDelete, R"({"preconditions":{"uid":"u"}})"));
    EXPECT_EQ(take(dispatcher), Ids({id}));
    EXPECT_TRUE(dispatcher.answered(id, denial_of(code, 60), now()));
  }
}

TEST_F(DispatcherTest, DoesNotDenyItEitherWhenTheLeaseIsLostMeanwhile) {
  Dispatcher dispatcher({.qps = 0}, telemetry_);
  add(dispatcher, Kind::kWrite, request(Method::kDelete, R"({"preconditions":{"uid":"u"}})"));
  EXPECT_EQ(take(dispatcher), Ids({1}));
  EXPECT_FALSE(dispatcher.answered(1, answer_of(503, 1), now()));
  EXPECT_TRUE(take(dispatcher, false).empty());
  const auto told = dispatcher.take_refused();
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].second.outcome, Answer::Outcome::kUnknown);
}

TEST_F(DispatcherTest, DoesNotRetryStreamsAndLeaseCalls) {
  Dispatcher dispatcher({.qps = 0}, telemetry_);
  add(dispatcher, Kind::kLease, request(Method::kGet));
  add(dispatcher, Kind::kStream, request(Method::kGet));
  EXPECT_EQ(take(dispatcher).size(), 2U);
  EXPECT_TRUE(dispatcher.answered(1, answer_of(429, 2), now()));
  EXPECT_TRUE(dispatcher.answered(2, answer_of(429, 2), now()));
}

TEST_F(DispatcherTest, ForgetsCancelledCalls) {
  Dispatcher dispatcher({.qps = 0, .max_in_flight = 1}, telemetry_);
  add(dispatcher, Kind::kStream);
  EXPECT_FALSE(dispatcher.forget(1)) << "it was not sent";
  EXPECT_TRUE(take(dispatcher).empty());
  add(dispatcher, Kind::kStream);
  EXPECT_EQ(take(dispatcher), Ids({2}));
  EXPECT_TRUE(dispatcher.forget(2));
  EXPECT_FALSE(dispatcher.answered(2, answer_of(200), now()));
  add(dispatcher, Kind::kRead);
  add(dispatcher, Kind::kRead);
  EXPECT_EQ(take(dispatcher), Ids({3}));
  EXPECT_FALSE(dispatcher.forget(3)) << "it is answered, and has its place until then";
  EXPECT_TRUE(take(dispatcher).empty());
  EXPECT_TRUE(dispatcher.answered(3, answer_of(200), now()));
  EXPECT_EQ(take(dispatcher), Ids({4}));
}

TEST_F(DispatcherTest, AsksRightBeforeSendingWhetherReadsAndWritesAreStillWanted) {
  Dispatcher dispatcher({.qps = 0}, telemetry_);
  const CallId read = add(dispatcher, Kind::kRead);
  const CallId stream = add(dispatcher, Kind::kStream);
  const CallId write = add(dispatcher, Kind::kWrite);
  const CallId wanted = add(dispatcher, Kind::kRead);
  Ids sent;
  for (const Call& call : dispatcher.take(now(), true, [&](CallId id) { return id == wanted; })) {
    sent.push_back(call.id);
  }
  EXPECT_EQ(sent, (Ids{stream, wanted}));
  EXPECT_EQ(refused(dispatcher), (Ids{read, write}));
  EXPECT_EQ(telemetry_.counts[Count::kCallsWithdrawn], 2);
}

TEST_F(DispatcherTest, KnowsByWhenEveryWriteIsOver) {
  Dispatcher dispatcher({.qps = 0}, telemetry_);
  add(dispatcher, Kind::kRead);
  add(dispatcher, Kind::kEvent);
  EXPECT_EQ(take(dispatcher).size(), 2U);
  EXPECT_TRUE(dispatcher.settled_at().is_zero());
  const Timestamp over = later_by(now().mono, 5 * kSecond);
  add(dispatcher, Kind::kWrite);
  add(dispatcher, Kind::kWrite);
  EXPECT_TRUE(dispatcher.settled_at().is_zero());
  EXPECT_EQ(take(dispatcher).size(), 2U);
  EXPECT_EQ(dispatcher.settled_at(), over);
  EXPECT_TRUE(dispatcher.answered(3, answer_of(200), now()));
  EXPECT_EQ(dispatcher.settled_at(), over);
  pass(kSecond);
  // The connection broke, but the request may still be executed.
  EXPECT_TRUE(dispatcher.answered(4, {.outcome = Answer::Outcome::kUnknown}, now()));
  EXPECT_EQ(dispatcher.settled_at(), over);
}

}  // namespace
}  // namespace ebb::control
