#include "control/lease/elector.h"

#include <string>
#include <vector>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include "base/deadline_queue.h"
#include "model/api/requests.h"
#include "support/control/carry_out.h"

namespace ebb::control {
namespace {

constexpr std::string_view kLease =
    "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/ebb-controller";

LeaseSettings as(std::string identity) { return {.identity = std::move(identity)}; }

// One elector, its API server, and a clock that both read.
class ElectorTest : public ::testing::Test {
 protected:
  // The monotonic clock counts from somewhere else.
  [[nodiscard]] Now now() const {
    return {.wall = served_.now,
            .mono = Timestamp::from_nanoseconds(served_.now.since_epoch_ns() % (1'000 * kSecond))};
  }
  void pass(Nanoseconds ns) { served_.now = later_by(served_.now, ns); }

  // Answers all requests of this moment at once.
  void run(Elector& elector) {
    for (int calls = 0; calls < 8; ++calls) {
      auto wanted = elector.take_wanted(now());
      if (!wanted) return;
      elector.answered(testing::carry_out(served_, std::move(*wanted)), now());
    }
    ADD_FAILURE() << "asks without end";
  }
  void run_for(Elector& elector, Nanoseconds ns) {
    for (Nanoseconds passed = 0; passed < ns; passed += kSecond / 4) {
      run(elector);
      pass(kSecond / 4);
    }
    run(elector);
  }
  [[nodiscard]] bool leads(const Elector& elector) const { return elector.leads(now().mono); }
  [[nodiscard]] bool lost(const Elector& elector) const { return elector.lost(now().mono); }
  [[nodiscard]] std::string spec(std::string_view field) {
    return served_.get(kLease).text("spec/" + std::string(field));
  }
  // Its next write is executed, but the answer is lost.
  void lose_next_answer(Elector& elector) {
    auto wanted = elector.take_wanted(now());
    ASSERT_TRUE(wanted && wanted->method != model::Method::kGet);
    EXPECT_TRUE(testing::carry_out(served_, std::move(*wanted)).succeeded());
    unanswered_ = true;
  }
  void answer_unknown(Elector& elector) {
    ASSERT_TRUE(unanswered_);
    elector.answered({.outcome = Answer::Outcome::kUnknown}, now());
  }

  testing::ApiServerScene served_;
  Telemetry telemetry_;
  bool unanswered_ = false;
};

TEST_F(ElectorTest, CreatesAMissingLease) {
  Elector elector(as("a"), 1, telemetry_);
  EXPECT_FALSE(leads(elector));
  run(elector);
  EXPECT_TRUE(leads(elector));
  EXPECT_EQ(spec("holderIdentity"), "a");
  EXPECT_EQ(spec("leaseDurationSeconds"), "15");
  EXPECT_EQ(spec("leaseTransitions"), "0");
  EXPECT_EQ(spec("renewTime"), spec("acquireTime"));
}

TEST_F(ElectorTest, RenewsEveryRetryPeriodAndKeepsWhenItAcquired) {
  Elector elector(as("a"), 1, telemetry_);
  run(elector);
  const std::string acquired = spec("acquireTime");
  EXPECT_EQ(elector.wake_at(), later_by(now().mono, 2 * kSecond));
  run_for(elector, 60 * kSecond);
  EXPECT_TRUE(leads(elector));
  EXPECT_EQ(spec("acquireTime"), acquired);
  EXPECT_NE(spec("renewTime"), acquired);
  EXPECT_EQ(spec("leaseTransitions"), "0");
}

TEST_F(ElectorTest, LeadsNoLongerThanTheRenewDeadlineAfterTheLastRenewalWasSent) {
  Elector elector(as("a"), 1, telemetry_);
  run(elector);
  const Timestamp sent = now().mono;
  EXPECT_TRUE(elector.leads(later_by(sent, 10 * kSecond - 1)));
  EXPECT_FALSE(elector.lost(later_by(sent, 10 * kSecond - 1)));
  EXPECT_FALSE(elector.leads(later_by(sent, 10 * kSecond)));
  EXPECT_TRUE(elector.lost(later_by(sent, 10 * kSecond)));
}

TEST_F(ElectorTest, CountsFromTheSendingNotFromTheAnswer) {
  Elector elector(as("a"), 1, telemetry_);
  run(elector);
  pass(3 * kSecond);
  const Timestamp sent = now().mono;
  auto wanted = elector.take_wanted(now());
  ASSERT_TRUE(wanted);
  const Answer answer = testing::carry_out(served_, std::move(*wanted));
  pass(4 * kSecond);
  elector.answered(answer, now());
  EXPECT_TRUE(elector.leads(later_by(sent, 10 * kSecond - 1)));
  EXPECT_FALSE(elector.leads(later_by(sent, 10 * kSecond)));
}

TEST_F(ElectorTest, DoesNotComeBackWhenAnAnswerComesTooLate) {
  Elector elector(as("a"), 1, telemetry_);
  run(elector);
  pass(8 * kSecond);
  auto wanted = elector.take_wanted(now());
  ASSERT_TRUE(wanted);
  const Answer answer = testing::carry_out(served_, std::move(*wanted));
  pass(2 * kSecond);
  elector.answered(answer, now());
  EXPECT_FALSE(leads(elector));
  EXPECT_TRUE(lost(elector));
  EXPECT_FALSE(elector.take_wanted(now()));
  EXPECT_TRUE(elector.wake_at().is_zero());
}

TEST_F(ElectorTest, WaitsForAnothersLeaseByItsOwnClock) {
  // The holder's clock is an hour behind: by its times the lease ran out long ago.
  served_.post("/apis/coordination.k8s.io/v1/namespaces/kube-system/leases",
               R"({"apiVersion":"coordination.k8s.io/v1","kind":"Lease",
                   "metadata":{"name":"ebb-controller"},
                   "spec":{"holderIdentity":"other","leaseDurationSeconds":20,
                           "renewTime":"2020-01-01T00:00:00.000000Z","leaseTransitions":3}})");
  Elector elector(as("a"), 1, telemetry_);
  run_for(elector, 19 * kSecond);
  EXPECT_FALSE(leads(elector));
  EXPECT_EQ(spec("holderIdentity"), "other");
  run_for(elector, 6 * kSecond);
  EXPECT_TRUE(leads(elector));
  EXPECT_EQ(spec("holderIdentity"), "a");
  EXPECT_EQ(spec("leaseTransitions"), "4");
}

TEST_F(ElectorTest, LogsTheHolderOnceWhileItWaits) {
  struct Heard : Telemetry {
    void logged(Severity /*severity*/, int verbosity, std::string_view text,
                std::span<const Field> /*fields*/) override {
      if (verbosity == 0) lines.emplace_back(text);
    }
    std::vector<std::string> lines;
  } heard;
  Elector first(as("a"), 1, telemetry_);
  Elector second(as("b"), 2, heard);
  for (int i = 0; i < 40; ++i) {
    run(first);
    run(second);
    pass(kSecond / 4);
  }
  EXPECT_EQ(heard.lines,
            std::vector<std::string>{"lease kube-system/ebb-controller is held by a; standing by"});
}

TEST_F(ElectorTest, AsksAgainBetweenOneAndTwoAndAFifthRetryPeriods) {
  Elector holder(as("other"), 1, telemetry_);
  run(holder);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Elector elector(as("a"), seed, telemetry_);
    run(elector);
    const Nanoseconds wait = elapsed_ns(now().mono, elector.wake_at());
    EXPECT_GE(wait, 2 * kSecond);
    EXPECT_LE(wait, 4'400'000'000);
  }
}

TEST_F(ElectorTest, TakesAReleasedLeaseAtOnce) {
  Elector first(as("a"), 1, telemetry_);
  run(first);
  first.release();
  EXPECT_FALSE(leads(first));
  run(first);
  EXPECT_TRUE(first.released());
  EXPECT_FALSE(lost(first));
  EXPECT_EQ(spec("holderIdentity"), "");
  EXPECT_EQ(spec("leaseDurationSeconds"), "1");
  Elector second(as("b"), 1, telemetry_);
  run(second);
  EXPECT_TRUE(leads(second));
  EXPECT_EQ(spec("holderIdentity"), "b");
  EXPECT_EQ(spec("leaseDurationSeconds"), "15");
}

TEST_F(ElectorTest, ReleasesNothingThatItDoesNotHold) {
  Elector holder(as("other"), 1, telemetry_);
  run(holder);
  Elector elector(as("a"), 1, telemetry_);
  run(elector);
  elector.release();
  run(elector);
  EXPECT_TRUE(elector.released());
  EXPECT_EQ(spec("holderIdentity"), "other");
}

TEST_F(ElectorTest, ReleasesWhatItMayHaveAcquired) {
  Elector elector(as("a"), 1, telemetry_);
  elector.answered(testing::carry_out(served_, *elector.take_wanted(now())), now());
  lose_next_answer(elector);
  elector.release();
  EXPECT_FALSE(elector.released());
  answer_unknown(elector);
  run(elector);
  EXPECT_TRUE(elector.released());
  EXPECT_EQ(spec("holderIdentity"), "");
}

TEST_F(ElectorTest, GivesUpReleasingIfTheServerDoesNotAnswer) {
  Elector elector(as("a"), 1, telemetry_);
  run(elector);
  elector.release();
  int calls = 0;
  while (elector.take_wanted(now())) {
    ASSERT_LT(++calls, 20);
    elector.answered({.outcome = Answer::Outcome::kNotSent}, now());
  }
  EXPECT_TRUE(elector.released());
}

TEST_F(ElectorTest, FindsOutHowAWriteWentBeforeItDecides) {
  Elector elector(as("a"), 1, telemetry_);
  run(elector);
  pass(3 * kSecond);
  const Timestamp sent = now().mono;
  lose_next_answer(elector);
  pass(5 * kSecond);
  answer_unknown(elector);
  const auto look = elector.take_wanted(now());
  ASSERT_TRUE(look);
  EXPECT_EQ(look->method, model::Method::kGet);
  elector.answered(testing::carry_out(served_, *look), now());
  // It was executed, and the lease counts from when it was sent.
  EXPECT_TRUE(elector.leads(later_by(sent, 10 * kSecond - 1)));
  EXPECT_FALSE(elector.leads(later_by(sent, 10 * kSecond)));
}

TEST_F(ElectorTest, IsNotRenewedByAnothersTouchOfTheLease) {
  Elector elector(as("a"), 1, telemetry_);
  run(elector);
  const Timestamp renewed = now().mono;
  pass(3 * kSecond);
  // The renewal is lost, and another client annotates the lease in the meantime.
  ASSERT_TRUE(elector.take_wanted(now()));
  served_.patch(kLease, "merge-patch", R"({"metadata":{"annotations":{"by":"hand"}}})");
  elector.answered({.outcome = Answer::Outcome::kUnknown}, now());
  elector.answered(testing::carry_out(served_, *elector.take_wanted(now())), now());
  EXPECT_FALSE(elector.leads(later_by(renewed, 10 * kSecond)));
  // The next renewal keeps the annotation.
  pass(2 * kSecond);
  run(elector);
  EXPECT_TRUE(elector.leads(later_by(renewed, 10 * kSecond)));
  EXPECT_EQ(served_.get(kLease).text("metadata/annotations/by"), "hand");
}

TEST_F(ElectorTest, StopsAtOnceWhenAnotherHoldsTheLease) {
  Elector elector(as("a"), 1, telemetry_);
  run(elector);
  served_.patch(kLease, "merge-patch", R"({"spec":{"holderIdentity":"thief"}})");
  pass(2 * kSecond);
  run(elector);
  EXPECT_TRUE(lost(elector));
  EXPECT_EQ(elector.why_lost(), "thief holds it");
  EXPECT_EQ(spec("holderIdentity"), "thief");
}

TEST_F(ElectorTest, RecreatesItsLeaseAfterADelete) {
  Elector elector(as("a"), 1, telemetry_);
  run(elector);
  served_.remove(kLease);
  run_for(elector, 20 * kSecond);
  EXPECT_TRUE(leads(elector));
  EXPECT_EQ(spec("holderIdentity"), "a");
}

TEST_F(ElectorTest, DeletingALeaseDoesNotUnseatItsHolder) {
  Elector holder(as("other"), 1, telemetry_);
  run(holder);
  Elector elector(as("a"), 1, telemetry_);
  run(elector);
  const Timestamp seen = now().mono;
  served_.remove(kLease);
  while (!leads(elector)) {
    ASSERT_LT(elapsed_ns(seen, now().mono), 30 * kSecond);
    pass(kSecond / 4);
    run(elector);
  }
  EXPECT_GE(elapsed_ns(seen, now().mono), 15 * kSecond);
}

TEST_F(ElectorTest, KeepsTryingWhileTheServerFailsButDoesNotFlood) {
  Elector elector(as("a"), 1, telemetry_);
  run(elector);
  int calls = 0;
  while (!lost(elector)) {
    if (elector.take_wanted(now())) {
      ++calls;
      elector.answered(testing::answer_of(403), now());
    }
    pass(kSecond / 10);
  }
  EXPECT_GE(calls, 3);
  EXPECT_LE(calls, 10);
}

TEST_F(ElectorTest, KeepsWhatOthersWroteIntoTheLease) {
  served_.post("/apis/coordination.k8s.io/v1/namespaces/kube-system/leases",
               R"({"apiVersion":"coordination.k8s.io/v1","kind":"Lease",
                   "metadata":{"name":"ebb-controller","labels":{"team":"shop"}},
                   "spec":{"holderIdentity":""}})");
  Elector elector(as("a"), 1, telemetry_);
  run(elector);
  EXPECT_TRUE(leads(elector));
  EXPECT_EQ(served_.get(kLease).text("metadata/labels/team"), "shop");
}

TEST(LeaseSettings, AreRefusedWhereTwoCouldAct) {
  struct Row {
    double duration;
    double renew;
    double retry;
    std::string_view named;  // empty: fine
  };
  const Row rows[] = {
      {15, 10, 2, ""},
      {60, 40, 5, ""},
      {15, 10.1, 2, "--leader-elect-lease-duration"},
      {14.9, 9.5, 2, "--leader-elect-lease-duration"},  // the lease object says 14
      {15, 2.4, 2, "--leader-elect-renew-deadline"},
      {15, 10, 0, "--leader-elect-retry-period"},
  };
  const auto ns = [](double seconds) {
    return static_cast<Nanoseconds>(seconds * static_cast<double>(kSecond));
  };
  for (const Row& row : rows) {
    LeaseSettings settings = as("a");
    settings.duration_ns = ns(row.duration);
    settings.renew_deadline_ns = ns(row.renew);
    settings.retry_period_ns = ns(row.retry);
    const Result<void> result = validate(settings);
    EXPECT_EQ(result.has_value(), row.named.empty()) << row.duration << " " << row.renew;
    if (!result) {
      EXPECT_NE(result.error().message.find(row.named), std::string::npos);
    }
  }
  EXPECT_FALSE(validate(as("")).has_value());
}

TEST(LeaseText, HasMicroseconds) {
  const auto time = Timestamp::from_seconds(1'790'000'000, 1'234'567);
  EXPECT_EQ(model::micro_time_text(time), "2026-09-21T14:13:20.001234Z");
  EXPECT_EQ(whole_microseconds(time), Timestamp::from_seconds(1'790'000'000, 1'234'000));
}

TEST(LeaseText, InvalidTextIsNotALease) {
  for (const char* text : {"", "[]", "{}", R"({"kind":"Status"})", R"({"kind":"Lease")"}) {
    EXPECT_FALSE(parse_lease(Bytes(text))) << text;
  }
  const auto lease = parse_lease(Bytes(R"({"kind":"Lease","spec":{"holderIdentity":7}})"));
  ASSERT_TRUE(lease);
  EXPECT_EQ(lease->record, LeaseRecord{});
}

}  // namespace
}  // namespace ebb::control
