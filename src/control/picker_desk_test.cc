#include "control/picker_desk.h"

#include <deque>
#include <map>
#include <set>

#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/pods.h"

namespace ebb::control {
namespace {

using picker::Outcome;
using testing::kSecond;
using Names = std::vector<std::string>;
using State = PickerDesk::State;

constexpr Nanoseconds kMillisecond = 1'000'000;

struct Recording : Port, Telemetry {
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
  void note(Note /*note*/, Now /*now*/) override {}
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

class PickerDeskTest : public ::testing::Test {
 protected:
  static Key key(std::string name, std::string name_space = "shop") {
    return {.namespace_name = std::move(name_space), .name = std::move(name)};
  }
  PickerWish wish(const Key& set, std::string_view workload = "w") const {
    return {.set = set,
            .set_uid = "u-" + set.name,
            .workload_uid = std::string(workload),
            .surplus = 2,
            .requested = 2,
            .names = {"a", "b", "c"},
            .uids = {"ua", "ub", "uc"},
            .settings = std::make_shared<const picker::Settings>(settings),
            .body = std::make_shared<const std::string>("{}")};
  }
  void begin(const Key& set = {.namespace_name = "shop", .name = "web"},
             std::string_view workload = "w") {
    EXPECT_FALSE(desk.begin(wish(set, workload), now).has_value());
  }
  void pass(Nanoseconds ns) {
    const Timestamp end = later_by(now.mono, ns);
    for (Timestamp next = desk.wake_at(); !next.is_zero() && next <= end; next = desk.wake_at()) {
      now.mono = std::max(now.mono, next);
      desk.run(now);
      for (const Key& set : desk.take_over()) over.push_back(set.name);
    }
    now.mono = end;
  }
  void reply(std::size_t which, Outcome outcome, bool repeatable = false, int code = 0,
             Nanoseconds retry_after_ns = 0) {
    desk.replied(which,
                 {.outcome = outcome,
                  .code = code,
                  .repeatable = repeatable,
                  .retry_after_ns = retry_after_ns},
                 now);
    for (const Key& set : desk.take_over()) over.push_back(set.name);
  }
  void answer(std::size_t which, const Names& chosen, const Names& tied = {}) {
    desk.replied(which, {.outcome = Outcome::kAnswered, .answer = {.chosen = chosen, .tied = tied}},
                 now);
  }
  void answer_secret(CallId id, int code, std::string body = "{}") {
    Answer made;
    made.response.code = code;
    made.response.body = Bytes(std::move(body));
    desk.answered(id, made, now);
  }
  // One that ends so, at once.
  PickerEnding consult(Outcome outcome, std::string_view workload = "w", int code = 0) {
    const Key set = key("one");
    if (auto ended = desk.begin(wish(set, workload), now)) return *ended;
    if (outcome == Outcome::kAnswered) {
      answer(port.asked.size(), {"a"});
    } else {
      reply(port.asked.size(), outcome, false, code);
    }
    return desk.take(set);
  }

  Recording port;
  PickerLimits limits;
  PickerDesk desk{port, port, PickerLimits{.most_per_endpoint = 2}, 7};
  picker::Settings settings{.host = "picker", .timeout_ns = 2 * kSecond, .max_retries = 2};
  Now now{.wall = testing::kNow, .mono = Timestamp::from_seconds(100)};
  Names over;
};

TEST_F(PickerDeskTest, AsksAndKeepsWhatItIsTold) {
  begin();
  EXPECT_EQ(desk.state(key("web")), State::kUnderWay);
  ASSERT_EQ(port.asked.size(), 1U);
  EXPECT_EQ(port.asked[0].deadline_ns, 2 * kSecond);
  EXPECT_TRUE(port.asked[0].idempotency_key.starts_with("u-web-1-"));
  now.mono = later_by(now.mono, kSecond);
  answer(1, {"b", "stranger"}, {"b", "c", "c"});
  EXPECT_EQ(desk.state(key("web")), State::kOver);
  const PickerEnding ending = desk.take(key("web"));
  EXPECT_EQ(desk.state(key("web")), State::kNone);
  EXPECT_EQ(ending.outcome, Outcome::kAnswered);
  EXPECT_EQ(ending.duration_ns, kSecond);
  EXPECT_EQ(ending.surplus, 2U);
  EXPECT_EQ(ending.chosen, 1U);
  EXPECT_EQ(ending.tied, 1U);
  EXPECT_EQ(ending.ignored, 2U);
  ASSERT_EQ(ending.named.size(), 2U);
  EXPECT_EQ(ending.named[0].uid, "ub");
  EXPECT_EQ(ending.named[1].verdict, model::Verdict::kTied);
}

TEST_F(PickerDeskTest, AnAnswerThatNamesNobodyWhoWasAskedAboutIsEmpty) {
  begin();
  answer(1, {"x"}, {"y"});
  const PickerEnding ending = desk.take(key("web"));
  EXPECT_EQ(ending.outcome, Outcome::kEmpty);
  EXPECT_EQ(ending.ignored, 2U);
}

TEST_F(PickerDeskTest, ItIsOverWhenTheTimeIsUpWhateverHappens) {
  begin();
  pass(2 * kSecond - 1);
  EXPECT_TRUE(over.empty());
  pass(1);
  EXPECT_EQ(over, Names{"web"});
  EXPECT_EQ(port.withdrawn, std::set<picker::CallId>{1});
  EXPECT_EQ(port.gauges[Gauge::kQuestionsInFlight], 0);
  reply(1, Outcome::kAnswered);  // too late, and nobody listens
  EXPECT_EQ(desk.take(key("web")).outcome, Outcome::kTimeout);
  EXPECT_EQ(port.counted(Count::kPickerAttempts, "timeout"), 1);
}

TEST_F(PickerDeskTest, AsksAgainWithTheSameKeyAndWhatIsLeftOfTheTime) {
  begin();
  pass(100 * kMillisecond);
  reply(1, Outcome::kStatusCode, true, 503);
  EXPECT_EQ(port.asked.size(), 1U);
  pass(50 * kMillisecond - 1);
  EXPECT_EQ(port.asked.size(), 1U);
  pass(25 * kMillisecond + 1);  // 50 ms, and up to half as much at random
  ASSERT_EQ(port.asked.size(), 2U);
  EXPECT_EQ(port.asked[1].idempotency_key, port.asked[0].idempotency_key);
  EXPECT_EQ(port.asked[1].body, port.asked[0].body);
  EXPECT_LE(port.asked[1].deadline_ns, 1850 * kMillisecond);
  EXPECT_GE(port.asked[1].deadline_ns, 1825 * kMillisecond);
  reply(2, Outcome::kRefused, true);
  pass(100 * kMillisecond - 1);
  EXPECT_EQ(port.asked.size(), 2U);
  pass(50 * kMillisecond + 1);
  ASSERT_EQ(port.asked.size(), 3U);
  // Two retries are allowed, and that was the second.
  reply(3, Outcome::kMalformed, true);
  const PickerEnding ending = desk.take(key("web"));
  EXPECT_EQ(ending.outcome, Outcome::kMalformed);
  EXPECT_EQ(ending.attempts, 3);
}

TEST_F(PickerDeskTest, DoesNotAskAgainWhereThatIsNoUse) {
  for (const Outcome outcome : {Outcome::kStatusCode, Outcome::kOversize, Outcome::kEmpty}) {
    EXPECT_EQ(consult(outcome, "w", 404).attempts, 1);
  }
  EXPECT_EQ(port.asked.size(), 3U);
}

TEST_F(PickerDeskTest, WithoutRetriesThereIsOneTry) {
  settings.max_retries = 0;
  begin();
  reply(1, Outcome::kRefused, true);
  EXPECT_EQ(desk.take(key("web")).outcome, Outcome::kRefused);
}

TEST_F(PickerDeskTest, ThePatienceThatAPickerAsksForIsHeededIfThereIsTime) {
  begin();
  reply(1, Outcome::kStatusCode, true, 429, kSecond);
  pass(kSecond - 1);
  EXPECT_EQ(port.asked.size(), 1U);
  pass(1);
  EXPECT_EQ(port.asked.size(), 2U);
  // Now there is not.
  reply(2, Outcome::kStatusCode, true, 429, kSecond);
  const PickerEnding ending = desk.take(key("web"));
  EXPECT_EQ(ending.outcome, Outcome::kStatusCode);
  EXPECT_EQ(ending.code, 429);
  EXPECT_EQ(ending.duration_ns, kSecond);
}

TEST_F(PickerDeskTest, OnlySoManyAskAnEndpointAtATimeAndNamespacesTakeTurns) {
  for (const char* name : {"a1", "a2", "a3", "a4"}) begin(key(name, "a"), name);
  begin(key("b1", "b"), "b1");
  EXPECT_EQ(port.asked.size(), 2U);
  EXPECT_EQ(port.gauges[Gauge::kQuestionsWaiting], 3);
  const auto who = [&](std::size_t place) {
    return port.asked.at(place).idempotency_key.substr(2, 2);
  };
  answer(1, {"a"});
  ASSERT_EQ(port.asked.size(), 3U);
  EXPECT_EQ(who(2), "a3");
  answer(2, {"a"});
  ASSERT_EQ(port.asked.size(), 4U);
  EXPECT_EQ(who(3), "b1");
  answer(3, {"a"});
  EXPECT_EQ(who(4), "a4");
  EXPECT_EQ(port.gauges[Gauge::kQuestionsWaiting], 0);
  // Another endpoint has places of its own.
  settings.port = 81;
  begin(key("c1", "c"), "c1");
  EXPECT_EQ(who(5), "c1");
}

TEST_F(PickerDeskTest, WaitingForAPlaceCountsAndSaysNothingAboutThePicker) {
  settings.timeout_ns = 30 * kSecond;
  begin(key("a"), "slow");
  begin(key("b"), "slow");
  settings.timeout_ns = kSecond;
  for (int i = 0; i < Breaker::kFailuresToOpen + 1; ++i) {
    begin(key("c"), "hasty");
    pass(kSecond);
    const PickerEnding ending = desk.take(key("c"));
    EXPECT_EQ(ending.outcome, Outcome::kTimeout);
    EXPECT_EQ(ending.attempts, 0);
  }
  EXPECT_EQ(port.asked.size(), 2U);
  EXPECT_EQ(port.counted(Count::kBreakersOpened), 0);
}

TEST_F(PickerDeskTest, WhoFoundNoPlaceToAskFromSaysNothingAboutThePicker) {
  for (int round = 1; round <= 10; ++round) {
    begin();
    desk.replied(static_cast<picker::CallId>(round), {.outcome = Outcome::kTimeout, .asked = false},
                 now);
    const PickerEnding ending = desk.take(key("web"));
    EXPECT_EQ(ending.outcome, Outcome::kTimeout);
    EXPECT_EQ(ending.attempts, 0);
    static_cast<void>(desk.take_over());
  }
  EXPECT_EQ(port.counted(Count::kBreakersOpened), 0);
}

TEST_F(PickerDeskTest, WhoIsDroppedFreesAPlace) {
  for (const char* name : {"a", "b", "c", "d"}) begin(key(name));
  desk.drop(key("d"));
  desk.drop(key("a"));
  EXPECT_EQ(port.withdrawn, std::set<picker::CallId>{1});
  EXPECT_EQ(desk.state(key("a")), State::kNone);
  EXPECT_EQ(port.asked.size(), 2U);
  desk.run(now);
  ASSERT_EQ(port.asked.size(), 3U);
  EXPECT_TRUE(port.asked[2].idempotency_key.starts_with("u-c"));
  desk.drop_all();
  EXPECT_EQ(port.withdrawn, (std::set<picker::CallId>{1, 2, 3}));
  EXPECT_TRUE(desk.wake_at().is_zero());
  EXPECT_EQ(port.gauges[Gauge::kQuestionsInFlight], 0);
}

TEST_F(PickerDeskTest, AnAnswerThatNobodyWantsAnyMoreIsCounted) {
  begin();
  answer(1, {"a"});
  desk.drop(key("web"));
  EXPECT_EQ(port.counted(Count::kAnswersUnneeded), 1);
  EXPECT_TRUE(desk.take_over().empty());
}

TEST_F(PickerDeskTest, AfterFiveFailuresInARowNobodyIsAskedForAWhile) {
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(consult(Outcome::kRefused).breaker, Breakers::Change::kNone);
  EXPECT_EQ(consult(Outcome::kTls).breaker, Breakers::Change::kOpened);
  EXPECT_EQ(port.gauges[Gauge::kOpenBreakers], 1);
  EXPECT_EQ(consult(Outcome::kAnswered).outcome, Outcome::kBreakerOpen);
  EXPECT_EQ(port.asked.size(), 5U);
  // Others are asked, and so is another endpoint.
  EXPECT_EQ(consult(Outcome::kAnswered, "other").outcome, Outcome::kAnswered);
  settings.port = 81;
  EXPECT_EQ(consult(Outcome::kAnswered).outcome, Outcome::kAnswered);
  settings.port = 80;
  // One is let through to see, and only one at a time.
  pass(30 * kSecond);
  begin(key("try"));
  EXPECT_EQ(port.counted(Count::kBreakersHalfOpened), 1);
  EXPECT_EQ(consult(Outcome::kAnswered).outcome, Outcome::kBreakerOpen);
  reply(port.asked.size(), Outcome::kOversize);
  EXPECT_EQ(desk.take(key("try")).breaker, Breakers::Change::kNone);
  // The pause is twice as long now.
  pass(60 * kSecond - 1);
  EXPECT_EQ(consult(Outcome::kAnswered).outcome, Outcome::kBreakerOpen);
  pass(1);
  const PickerEnding ending = consult(Outcome::kAnswered);
  EXPECT_EQ(ending.outcome, Outcome::kAnswered);
  EXPECT_EQ(ending.breaker, Breakers::Change::kClosed);
  EXPECT_EQ(port.gauges[Gauge::kOpenBreakers], 0);
  EXPECT_EQ(consult(Outcome::kRefused).breaker, Breakers::Change::kNone);
}

TEST_F(PickerDeskTest, WhatCountsAsAFailureOfThePicker) {
  struct Case {
    Outcome outcome;
    int code;
    bool counts;
  };
  const Case cases[] = {
      {Outcome::kTimeout, 0, true},      {Outcome::kRefused, 0, true},
      {Outcome::kTls, 0, true},          {Outcome::kOversize, 0, true},
      {Outcome::kMalformed, 0, true},    {Outcome::kStatusCode, 500, true},
      {Outcome::kStatusCode, 429, true}, {Outcome::kStatusCode, 404, false},
      {Outcome::kEmpty, 0, false},
  };
  for (const Case& each : cases) {
    const std::string workload = fmt::format("{}-{}", to_string(each.outcome), each.code);
    for (int i = 0; i < 5; ++i) static_cast<void>(consult(each.outcome, workload, each.code));
    const bool open = consult(Outcome::kAnswered, workload).outcome == Outcome::kBreakerOpen;
    EXPECT_EQ(open, each.counts) << workload;
  }
}

TEST_F(PickerDeskTest, ATryThatIsDroppedLetsAnotherOneThrough) {
  for (int i = 0; i < 5; ++i) static_cast<void>(consult(Outcome::kRefused));
  pass(30 * kSecond);
  begin(key("try"));
  desk.drop(key("try"));
  EXPECT_EQ(consult(Outcome::kAnswered).breaker, Breakers::Change::kClosed);
}

TEST_F(PickerDeskTest, WorkloadsThatAreGoneAreForgotten) {
  for (int i = 0; i < 5; ++i) static_cast<void>(consult(Outcome::kRefused));
  EXPECT_EQ(port.gauges[Gauge::kOpenBreakers], 1);
  desk.forget_workload("w");
  EXPECT_EQ(port.gauges[Gauge::kOpenBreakers], 0);
  EXPECT_EQ(consult(Outcome::kAnswered).outcome, Outcome::kAnswered);
}

class PickerSecretsTest : public PickerDeskTest {
 protected:
  PickerSecretsTest() {
    settings.headers = {{.name = "x-plain", .value = "plain"},
                        {.name = "authorization", .from = picker::SecretKey{"picker", "token"}},
                        {.name = "x-tenant", .from = picker::SecretKey{"picker", "tenant", true}}};
  }
  using Headers = std::vector<std::pair<std::string, std::string>>;
};

TEST_F(PickerSecretsTest, FetchesEachSecretOnceAndSendsWhatItHolds) {
  begin();
  EXPECT_EQ(port.sent, Names{"/api/v1/namespaces/shop/secrets/picker"});
  EXPECT_TRUE(port.asked.empty());
  EXPECT_TRUE(desk.wants(1));
  // `top secret` and a newline, `shop`.
  answer_secret(1, 200, R"({"data":{"token":"dG9wIHNlY3JldAo=","tenant":"c2hvcA=="}})");
  ASSERT_EQ(port.asked.size(), 1U);
  EXPECT_EQ(port.asked[0].headers,
            (Headers{{"x-plain", "plain"}, {"authorization", "top secret"}, {"x-tenant", "shop"}}));
  // A retry uses the same.
  reply(1, Outcome::kRefused, true);
  pass(kSecond);
  ASSERT_EQ(port.asked.size(), 2U);
  EXPECT_EQ(port.asked[1].headers, port.asked[0].headers);
  EXPECT_EQ(port.sent.size(), 1U);
}

TEST_F(PickerSecretsTest, AnOptionalHeaderIsLeftOutAndAnotherOneMustBeThere) {
  struct Case {
    int code;
    std::string_view body;
    Outcome outcome;  // kAnswered: it is asked
    std::string_view problem{};
  };
  constexpr std::string_view kMissing =
      "Secret picker, key token: is not there, or may not be read";
  constexpr std::string_view kUseless =
      "Secret picker, key token: must be one line of printable ASCII to be a header";
  const Case cases[] = {
      {200, R"({"data":{"token":"eA=="}})", Outcome::kAnswered},
      {200, R"({"data":{"token":"eA0K"}})", Outcome::kAnswered},
      {200, R"({"data":{"tenant":"eA=="}})", Outcome::kSecretMissing, kMissing},
      {200, R"({})", Outcome::kSecretMissing, kMissing},
      {200, R"({"data":{"token":"%%"}})", Outcome::kSecretMissing, kMissing},
      {404, "{}", Outcome::kSecretMissing, kMissing},
      {403, "{}", Outcome::kSecretMissing, kMissing},
      // A value of two lines would be two headers, and a lone CR is a line to some.
      {200, R"({"data":{"token":"YQpiCg=="}})", Outcome::kBadSettings, kUseless},
      {200, R"({"data":{"token":"eA0="}})", Outcome::kBadSettings, kUseless},
  };
  for (const Case& each : cases) {
    begin();
    const std::size_t before = port.asked.size();
    answer_secret(port.sent.size(), each.code, std::string(each.body));
    if (each.outcome == Outcome::kAnswered) {
      ASSERT_EQ(port.asked.size(), before + 1);
      EXPECT_EQ(port.asked.back().headers, (Headers{{"x-plain", "plain"}, {"authorization", "x"}}));
      desk.drop(key("web"));
    } else {
      EXPECT_EQ(port.asked.size(), before);
      const PickerEnding ending = desk.take(key("web"));
      EXPECT_EQ(ending.outcome, each.outcome) << each.body;
      EXPECT_EQ(ending.problem, each.problem) << each.body;
    }
  }
  EXPECT_EQ(port.counted(Count::kBreakersOpened), 0);
}

TEST_F(PickerSecretsTest, ATroubledApiServerIsAskedAgainWhileThereIsTime) {
  begin();
  answer_secret(1, 500);
  EXPECT_EQ(port.sent.size(), 1U);
  pass(75 * kMillisecond);
  ASSERT_EQ(port.sent.size(), 2U);
  Answer lost;
  lost.outcome = Answer::Outcome::kUnknown;
  desk.answered(2, lost, now);
  pass(150 * kMillisecond);
  ASSERT_EQ(port.sent.size(), 3U);
  pass(2 * kSecond);
  EXPECT_EQ(over, Names{"web"});
  EXPECT_FALSE(desk.wants(3));
  EXPECT_EQ(desk.take(key("web")).outcome, Outcome::kTimeout);
  answer_secret(3, 200, R"({"data":{"token":"eA=="}})");
  EXPECT_TRUE(port.asked.empty());
}

TEST_F(PickerSecretsTest, TheClientCertificateComesFromItsSecret) {
  constexpr std::string_view kCertificate = "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCngK";
  constexpr std::string_view kPrivateKey = "LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCnkK";
  const auto data = [](std::string_view certificate, std::string_view private_key) {
    return fmt::format(R"({{"data":{{"tls.crt":"{}","tls.key":"{}"}}}})", certificate, private_key);
  };
  settings.headers.clear();
  settings.client_certificate = "pair";
  begin();
  answer_secret(1, 200, data(kCertificate, kPrivateKey));
  ASSERT_EQ(port.asked.size(), 1U);
  EXPECT_EQ(port.asked[0].certificate_pem, "-----BEGIN CERTIFICATE-----\nx\n");
  EXPECT_EQ(port.asked[0].key_pem, "-----BEGIN PRIVATE KEY-----\ny\n");
  desk.drop(key("web"));
  const std::pair<std::string, std::string> failures[] = {
      {R"({"data":{"tls.crt":"eA=="}})", "tls.key: is not there, or may not be read"},
      {data("eA==", kPrivateKey), "tls.crt: must be a certificate in PEM"},
      {data(kCertificate, kCertificate), "tls.key: must be a private key in PEM"}};
  for (const auto& [body, problem] : failures) {
    begin();
    answer_secret(port.sent.size(), 200, body);
    EXPECT_EQ(desk.take(key("web")).problem, "Secret pair, key " + problem);
  }
}

TEST_F(PickerSecretsTest, WhoIsDroppedMeanwhileWantsNoSecret) {
  begin();
  desk.drop(key("web"));
  EXPECT_FALSE(desk.wants(1));
  answer_secret(1, 200, R"({"data":{"token":"eA=="}})");
  EXPECT_TRUE(port.asked.empty());
}

}  // namespace
}  // namespace ebb::control
