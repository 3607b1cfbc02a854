// Many concurrent calls, and the cost of one.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "net/client/curl_loop.h"
#include "net/tls/certificate.h"
#include "picker/pick_request.h"
#include "support/net/h2_server.h"
#include "support/net/raw_server.h"
#include "support/net/slow_server.h"
#include "support/picker/picker_client_scene.h"

namespace ebb::picker_client {
namespace {

using picker::Outcome;
using support::H2Answer;
using support::H2Request;
using support::PickerClientScene;
using support::RawConnection;
using support::RawServer;
using support::RawTls;
using support::SlowServer;
using support::with;

std::size_t count(PickerClientScene& scene, const std::vector<picker::CallId>& ids,
                  Outcome outcome) {
  return static_cast<std::size_t>(std::count_if(ids.begin(), ids.end(), [&](picker::CallId id) {
    return scene.reply(id).outcome == outcome;
  }));
}

TEST(PickerClientLoad, AThousandSlowPickersTakeAsLongAsOne) {
  constexpr std::size_t kCalls = 1000;
  SlowServer server(std::chrono::milliseconds(900), R"({"chosen_pods":["a"]})");
  PickerClientScene scene;
  const Nanoseconds start_ns = net::steady_now_ns();
  std::vector<picker::CallId> ids;
  for (std::size_t i = 0; i < kCalls; ++i) ids.push_back(scene.ask(scene.call(server.port())));
  EXPECT_EQ(count(scene, ids, Outcome::kAnswered), kCalls);
  // One after the other would take a quarter of an hour.
  EXPECT_LT(net::steady_now_ns() - start_ns, 20 * kNanosecondsPerSecond);
  EXPECT_GT(server.max_at_once(), kCalls / 2);
}

TEST(PickerClientLoad, CallsBeyondThePlacesWaitAndTheirTimeCounts) {
  SlowServer server(std::chrono::milliseconds(200), "{}");
  PickerClientScene scene({.loopback = true}, 10);
  std::vector<picker::CallId> ids;
  for (int i = 0; i < 30; ++i) ids.push_back(scene.ask(scene.call(server.port())));
  EXPECT_EQ(count(scene, ids, Outcome::kEmpty), 30U);
  EXPECT_LE(server.max_at_once(), 10U);

  // All places are taken for longer than these can wait.
  ids.clear();
  for (int i = 0; i < 10; ++i) scene.ask(scene.call(server.port()));
  for (int i = 0; i < 10; ++i) {
    picker::Call call = scene.call(server.port());
    call.deadline_ns = kNanosecondsPerSecond / 20;
    ids.push_back(scene.ask(call));
  }
  EXPECT_EQ(count(scene, ids, Outcome::kTimeout), 10U);
}

TEST(PickerClientLoad, OneTenantCannotTakeAllPlaces) {
  SlowServer stuck(std::chrono::seconds(30), "{}");
  SlowServer quick(std::chrono::milliseconds(1), "{}");
  PickerClientScene scene({.loopback = true}, 10);
  for (int i = 0; i < 100; ++i) {
    picker::Call call = scene.call(stuck.port());
    call.tenant = "greedy";
    scene.ask(call);
  }
  for (int i = 0; i < 20; ++i) {
    picker::Call call = scene.call(quick.port());
    call.tenant = i % 2 == 0 ? "other" : "third";
    EXPECT_EQ(scene.ask_and_wait(call).outcome, Outcome::kEmpty);
  }
  EXPECT_LE(stuck.max_at_once(), 5U);
}

TEST(PickerClientLoad, AWithdrawnCallIsNotAnsweredAndFreesItsPlace) {
  SlowServer server(std::chrono::milliseconds(300), "{}");
  PickerClientScene scene({.loopback = true}, 1);
  const auto first = scene.ask(scene.call(server.port()));
  const auto second = scene.ask(scene.call(server.port()));
  const auto third = scene.ask(scene.call(server.port()));
  scene.withdraw(first);
  scene.withdraw(second);
  scene.withdraw(second);
  scene.withdraw(12345);
  EXPECT_EQ(scene.reply(third).outcome, Outcome::kEmpty);
  EXPECT_EQ(scene.replies(), 1U);
}

TEST(PickerClientLoad, AnAskerGoesWithoutWaitingForItsCalls) {
  SlowServer server(std::chrono::seconds(30), "{}");
  const Nanoseconds start_ns = net::steady_now_ns();
  {
    PickerClientScene scene;
    scene.resolver().put("never.test", {});
    for (int i = 0; i < 20; ++i) scene.ask(scene.call(server.port()));
    scene.ask(
        with(scene.call(80), [](picker::Settings& settings) { settings.host = "never.test"; }));
  }
  EXPECT_LT(net::steady_now_ns() - start_ns, 10 * kNanosecondsPerSecond);
}

TEST(PickerClientLoad, OneStreamOfAConnectionDoesNotHarmTheOthers) {
  const auto authority = net::make_authority("test").value();
  const auto pair = net::issue_server_certificate(authority, {"127.0.0.1"}).value();
  RawServer server(
      [](RawConnection& connection, int) {
        support::serve_h2(connection, [](const H2Request& request) {
          const std::string& key = request.headers.at("idempotency-key");
          H2Answer answer{.headers = {{":status", "200"}}, .body = "{}"};
          if (key == "large") answer.body = std::string(2UL << 20U, ' ');
          if (key == "reset") answer.reset = true;
          if (key == "silent") answer.silent = true;
          return answer;
        });
      },
      RawTls{pair.certificate_pem, pair.key_pem, false, true});
  PickerClientScene scene;
  std::vector<std::pair<picker::CallId, Outcome>> expected;
  for (int i = 0; i < 60; ++i) {
    picker::Call call = with(scene.call(server.port()), [&](picker::Settings& settings) {
      settings.tls = true;
      settings.ca_pem = authority.certificate_pem;
    });
    Outcome outcome = Outcome::kEmpty;
    if (i % 6 == 1) {
      call.idempotency_key = "large";
      outcome = Outcome::kOversize;
    } else if (i % 6 == 3) {
      call.idempotency_key = "reset";
      outcome = Outcome::kRefused;
    } else if (i % 6 == 5) {
      call.idempotency_key = "silent";
      call.deadline_ns = kNanosecondsPerSecond;
      outcome = Outcome::kTimeout;
    }
    expected.emplace_back(scene.ask(std::move(call)), outcome);
  }
  for (const auto& [id, outcome] : expected) {
    const picker::Reply reply = scene.reply(id);
    EXPECT_EQ(to_string(reply.outcome), to_string(outcome)) << reply.detail;
  }
}

// The time of the whole process, including the small share of the test's server.
double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

TEST(PickerClientLoad, ARequestAboutFiveThousandPodsCostsLittle) {
  picker::PickRequest request;
  request.requested = 500;
  std::string answer = R"({"chosen_pods":[)";
  for (int i = 0; i < 5000; ++i) {
    request.candidates.push_back(fmt::format("airflow-worker-7d9f8b6c5d-{:05}", i));
    if (i < 500) answer += fmt::format("{}\"{}\"", i == 0 ? "" : ",", request.candidates.back());
  }
  answer += "]}";
  SlowServer server(std::chrono::milliseconds(0), answer);
  PickerClientScene scene;
  constexpr int kCalls = 200;
  const double start = cpu_seconds();
  for (int i = 0; i < kCalls; ++i) {
    picker::Call call = scene.call(server.port());
    call.body = std::make_shared<std::string>(to_json(request));
    ASSERT_EQ(scene.ask_and_wait(call).outcome, Outcome::kAnswered);
  }
  const double each_ms = (cpu_seconds() - start) / kCalls * 1000;
  RecordProperty("milliseconds", fmt::format("{:.3f}", each_ms));
  fmt::print("one call: {:.3f} ms of CPU, its server's included\n", each_ms);
  // A bound for all builds, sanitizers and slow machines included; `make bench` has the real one.
  EXPECT_LT(each_ms, 20);
}

// Pods have names of up to 63 letters where they have to be host names.
TEST(PickerClientLoad, ARequestAboutFiveThousandLongNamesAndAnAnswerOfFifteenThousandFit) {
  const auto name = [](int i) { return fmt::format("{:a<57}-{:05}", "airflow-worker-", i); };
  picker::PickRequest request;
  request.requested = 500;
  for (int i = 0; i < 5000; ++i) request.candidates.push_back(name(i));
  ASSERT_EQ(request.candidates.front().size(), 63U);
  std::string answer = R"({"chosen_pods":[)";
  for (int i = 0; i < 15'000; ++i) answer += fmt::format("{}\"{}\"", i == 0 ? "" : ",", name(i));
  answer += "]}";
  std::atomic<bool> whole = false;
  const std::string body = to_json(request);
  EXPECT_GT(body.size(), 300'000U);
  RawServer server([&](RawConnection& connection, int) {
    while (const auto received = connection.read_request()) {
      whole = received->ends_with(body);
      connection.answer(200, answer);
    }
  });
  PickerClientScene scene;
  picker::Call call = scene.call(server.port());
  call.body = std::make_shared<std::string>(body);
  const picker::Reply reply = scene.ask_and_wait(call);
  EXPECT_EQ(reply.outcome, Outcome::kAnswered) << reply.detail;
  EXPECT_EQ(reply.answer.chosen.size(), 15'000U);
  EXPECT_EQ(reply.answer.chosen[14'999], name(14'999));
  EXPECT_TRUE(whole);
}

}  // namespace
}  // namespace ebb::picker_client
