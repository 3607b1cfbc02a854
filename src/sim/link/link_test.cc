#include "sim/link/link.h"

#include <map>
#include <set>

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include "control/core/json_document.h"
#include "model/api/requests.h"
#include "sim/core/objects.h"

namespace ebb::sim {
namespace {

using control::Answer;
using control::Call;
using Outcome = Answer::Outcome;

// A process that sends what the test says and keeps what comes back.
struct Client : LinkUser, LinkObserver {
  explicit Client(const std::map<Fault, double>& faults = {}, std::uint64_t seed = 1) {
    for (const auto& [fault, chance] : faults) profile.set(fault, chance);
    link = std::make_shared<Link>(
        LinkContext{.time = time, .api = api, .trace = trace, .met = met, .profile = profile},
        "client", seed, *this, *this);
    api.listen([this](const model::ObjectEvent& event, model::Revision) {
      if (event.kind == &pods()) landed.push_back(time.elapsed());
      link->changed(event.kind);
    });
  }

  void answered(control::CallId id, const Answer& answer) override {
    EXPECT_TRUE(answers.emplace(id, answer).second) << "answered twice";
    answered_at[id] = time.elapsed();
  }
  void received(control::CallId /*id*/, std::string_view bytes) override {
    heard += bytes;
    ++pieces;
  }
  void executing(std::uint64_t) override {}
  void executed(std::uint64_t tag, const model::ApiResponse& response) override {
    executions.insert(tag);
    codes.insert(response.code);
  }

  void write(control::CallId id, model::ApiRequest request) {
    request.query = query;
    link->send({.id = id,
                .kind = Call::Kind::kWrite,
                .request = std::move(request),
                .deadline_ns = control::kWriteDeadlineNs},
               id);
  }
  void create_pod(control::CallId id) {
    write(id, model::create_request("/api/v1/namespaces/default/pods",
                                    pod_object("pod-" + std::to_string(id), "web")));
  }
  void delete_pod(control::CallId id, std::string_view name) {
    write(id, model::delete_request("/api/v1/namespaces/default/pods/" + std::string(name),
                                    {.grace_seconds = 0}));
  }
  void watch_pods(control::CallId id) {
    link->send({.id = id,
                .kind = Call::Kind::kStream,
                .request = {.path = "/api/v1/pods",
                            .query = "watch=true&resourceVersion=" + std::to_string(api.revision()),
                            .accept = "application/json"},
                .deadline_ns = 60 * kSecond},
               id);
  }
  void run_for(Nanoseconds duration) {
    const Timestamp end = later_by(time.now(), duration);
    while (time.step(end)) {
    }
  }

  Timeline time{Timestamp::from_seconds(1'700'000'000)};
  Trace trace{time};
  Api api{time, {}};
  FaultProfile profile;
  std::string query = "timeout=5s";  // of writes
  FaultCounts met;
  std::shared_ptr<Link> link;
  std::map<control::CallId, Answer> answers;
  std::map<control::CallId, Nanoseconds> answered_at;
  std::multiset<std::uint64_t> executions;
  std::multiset<int> codes;
  std::vector<Nanoseconds> landed;
  std::string heard;
  int pieces = 0;
};

TEST(Link, CarriesACallThereAndBackWithoutFaults) {
  Client client;
  client.create_pod(7);
  client.run_for(kSecond);
  ASSERT_TRUE(client.answers.contains(7));
  EXPECT_EQ(client.answers[7].response.code, 201);
  EXPECT_EQ(client.executions.count(7), 1U);
}

TEST(Link, DoesWithACallWhatItsFaultSays) {
  struct Case {
    Fault fault;
    Outcome outcome;
    int code;
    bool executed;
    int retry_after = 0;  // 1: any
  };
  for (const Case& each : std::vector<Case>{
           {Fault::kDelayed, Outcome::kAnswered, 201, true},
           {Fault::kLostBefore, Outcome::kUnknown, 0, false},
           {Fault::kLostAfter, Outcome::kUnknown, 0, true},
           {Fault::kLate, Outcome::kUnknown, 0, true},
           {Fault::kConflict, Outcome::kAnswered, 409, false},
           {Fault::kForbidden, Outcome::kAnswered, 403, false},
           {Fault::kThrottled, Outcome::kAnswered, 429, false},
           {Fault::kThrottledFor, Outcome::kAnswered, 429, false, 1},
           {Fault::kServerErrorBefore, Outcome::kAnswered, 500, false},
           {Fault::kServerErrorAfter, Outcome::kAnswered, 500, true},
           {Fault::kServerErrorFor, Outcome::kAnswered, 503, false, 1},
           {Fault::kRefused, Outcome::kNotSent, 0, false},
       }) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Client client({{each.fault, 1}}, seed);
      client.create_pod(1);
      client.run_for(6 * kSecond);
      ASSERT_TRUE(client.answers.contains(1)) << to_string(each.fault);
      EXPECT_EQ(client.answers[1].outcome, each.outcome) << to_string(each.fault);
      if (each.outcome == Outcome::kAnswered) {
        EXPECT_EQ(client.answers[1].response.code, each.code) << to_string(each.fault);
      }
      EXPECT_EQ(client.answers[1].response.retry_after_seconds > 0, each.retry_after > 0);
      EXPECT_EQ(client.executions.count(1), each.executed ? 1U : 0U) << to_string(each.fault);
      EXPECT_LE(client.answered_at[1], control::kWriteDeadlineNs);
      for (const Nanoseconds at : client.landed) EXPECT_LT(at, control::kWriteDeadlineNs);
      EXPECT_EQ(client.met[each.fault], 1U);
    }
  }
}

TEST(Link, WhatAWebhookDeniesIsNotExecutedWhateverItSays) {
  std::set<int> codes;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Client client({{Fault::kDenied, 1}}, seed);
    client.create_pod(1);
    client.run_for(kSecond);
    ASSERT_TRUE(client.answers.contains(1));
    EXPECT_EQ(client.answers[1].outcome, Outcome::kAnswered);
    EXPECT_TRUE(control::is_admission_denial(client.answers[1]));
    codes.insert(client.answers[1].response.code);
    EXPECT_TRUE(client.executions.empty());
  }
  EXPECT_GE(codes.size(), 4U);
}

TEST(Link, RepeatsDeletesButNeverCreates) {
  Client client({{Fault::kDuplicated, 1}});
  client.create_pod(1);
  client.run_for(10 * kSecond);
  EXPECT_EQ(client.executions.count(1), 1U);
  client.delete_pod(2, "pod-1");
  client.run_for(10 * kSecond);
  EXPECT_EQ(client.executions.count(2), 2U);
  EXPECT_EQ(client.codes, (std::multiset<int>{200, 201, 404}));
  EXPECT_TRUE(client.answers.at(2).succeeded() || client.answers.at(2).response.code == 404);
}

TEST(Link, LandsTheCallsOfTheDeadInTimeOrNever) {
  int landed = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Client client({{Fault::kDelayed, 1}}, seed);
    client.create_pod(1);
    client.link->die();
    client.run_for(60 * kSecond);
    EXPECT_TRUE(client.answers.empty());
    landed += static_cast<int>(client.landed.size());
    for (const Nanoseconds at : client.landed) EXPECT_LT(at, control::kWriteDeadlineNs);
  }
  EXPECT_GT(landed, 20);
  EXPECT_LT(landed, 80);
}

TEST(Link, MayLandAWriteLateThatDoesNotAskTheServerToGiveUp) {
  for (const Fault fault : {Fault::kLate, Fault::kLostAfter, Fault::kServerErrorAfter}) {
    int late = 0;
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
      Client client({{fault, 1}}, seed);
      client.query = "";
      client.create_pod(1);
      client.run_for(60 * kSecond);
      ASSERT_EQ(client.landed.size(), 1U);
      late += client.landed.front() > control::kWriteDeadlineNs ? 1 : 0;
    }
    EXPECT_GT(late, 5) << to_string(fault);
  }
}

TEST(Link, TellsAWatchEverythingWhateverTheLagAndTheCuts) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Client client({{Fault::kLagging, 0.5}, {Fault::kTornPieces, 0.5}}, seed);
    client.watch_pods(100);
    client.run_for(kSecond);
    for (control::CallId id = 1; id <= 5; ++id) client.create_pod(id);
    client.run_for(30 * kSecond);
    std::size_t at = 0;
    int events = 0;
    while ((at = client.heard.find("\"ADDED\"", at)) != std::string::npos) ++events, ++at;
    EXPECT_EQ(events, 5);
    EXPECT_TRUE(client.heard.ends_with("\n"));
  }
}

TEST(Link, EndsAStreamAsItsFaultSays) {
  struct Case {
    Fault fault;
    Outcome outcome;
  };
  for (const Case& each :
       {Case{Fault::kCut, Outcome::kUnknown}, Case{Fault::kRestarted, Outcome::kEnded},
        Case{Fault::kSilent, Outcome::kUnknown}, Case{Fault::kGone, Outcome::kAnswered},
        Case{Fault::kGoneMidStream, Outcome::kEnded}}) {
    Client client({{each.fault, 1}});
    client.watch_pods(100);
    client.run_for(200 * kSecond);
    ASSERT_TRUE(client.answers.contains(100)) << to_string(each.fault);
    EXPECT_EQ(client.answers[100].outcome, each.outcome) << to_string(each.fault);
    EXPECT_EQ(client.heard.find("410") != std::string::npos, each.fault == Fault::kGoneMidStream);
    if (each.fault == Fault::kGone) {
      EXPECT_EQ(client.answers[100].response.code, 410);
    }
  }
}

TEST(Link, HidesAnEventUntilTheNext) {
  Client client;
  client.watch_pods(100);
  client.run_for(kSecond);
  client.link->hide_event(1);
  client.create_pod(1);
  client.run_for(30 * kSecond);
  EXPECT_EQ(client.heard, "");
  client.create_pod(2);
  client.run_for(kSecond);
  EXPECT_NE(client.heard.find("pod-1"), std::string::npos);
  EXPECT_NE(client.heard.find("pod-2"), std::string::npos);
}

TEST(Link, HoldsStreamsAtAStateOfThePast) {
  Client client;
  client.watch_pods(100);
  client.create_pod(1);
  client.run_for(kSecond);
  client.link->hold_streams();
  client.create_pod(2);
  client.run_for(10 * kSecond);
  EXPECT_NE(client.heard.find("pod-1"), std::string::npos);
  EXPECT_EQ(client.heard.find("pod-2"), std::string::npos);
  client.link->let_streams_go();
  client.run_for(kSecond);
  EXPECT_NE(client.heard.find("pod-2"), std::string::npos);
}

}  // namespace
}  // namespace ebb::sim
