// Requests that wait for webhooks, beside others that do not.
#include <future>
#include <thread>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/mutex.h"
#include "cluster/server/clock.h"
#include "cluster/server/live_server.h"
#include "schema/core/json.h"
#include "support/objects/temporary_folder.h"
#include "support/threads/guarded.h"

namespace ebb::cluster {
namespace {

namespace json = boost::json;
using model::Method;

constexpr std::chrono::seconds kPatience{30};
constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";

// Keeps webhook calls until the test answers them.
class PatientCaller : public WebhookCaller {
 public:
  struct Asked {
    WebhookQuestion question;
    Nanoseconds time_ns = 0;
    Done done;
  };

  void call(const WebhookQuestion& question, Nanoseconds time_ns, Done done) override {
    const MutexLock lock(mutex_);
    asked_.push_back({question, time_ns, std::move(done)});
  }

  [[nodiscard]] std::size_t count() {
    const MutexLock lock(mutex_);
    return asked_.size();
  }

  // Answers the oldest question: the response of a review as JSON, or an error.
  void answer(std::string_view response, std::string_view error = "") {
    Asked one = take();
    if (!error.empty()) return one.done({.error = std::string(error)});
    const json::value review = json::parse(one.question.review);
    json::object body{{"apiVersion", "admission.k8s.io/v1"}, {"kind", "AdmissionReview"}};
    body["response"] = json::parse(response);
    body["response"].as_object()["uid"] = review.at("request").at("uid");
    one.done({.code = 200, .body = json::serialize(body)});
  }

  Asked take() {
    const MutexLock lock(mutex_);
    Asked one = std::move(asked_.at(0));
    asked_.erase(asked_.begin());
    return one;
  }

 private:
  Mutex mutex_;
  std::vector<Asked> asked_ EBB_GUARDED_BY(mutex_);
};

constexpr std::string_view kAllow = R"({"allowed":true})";

ApiRequest request(Method method, std::string path, std::string body) {
  ApiRequest made;
  made.method = method;
  made.path = std::move(path);
  made.content_type =
      method == Method::kPatch ? "application/merge-patch+json" : "application/json";
  made.body = std::move(body);
  made.received = wall_now();
  return made;
}

ApiRequest create(std::string_view name) {
  return request(Method::kPost, std::string(kMaps),
                 fmt::format(R"({{"metadata":{{"name":"{}"}},"data":{{"x":"1"}}}})", name));
}

ApiRequest set(std::string_view name, std::string_view key) {
  return request(Method::kPatch, fmt::format("{}/{}", kMaps, name),
                 fmt::format(R"({{"data":{{"{}":"2"}}}})", key));
}

class LiveWebhooks : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    auto made = std::make_unique<PatientCaller>();
    caller = made.get();
    std::optional<ChangeLog> log;
    if (GetParam()) {
      auto opened = ChangeLog::open(folder.path() / "log.db");
      ASSERT_TRUE(opened) << opened.error().message;
      log.emplace(std::move(*opened));
    }
    auto started =
        LiveServer::start({.seed = 7}, std::move(log),
                          {.caller = std::move(made), .log_line = [this](const auto& line) {
                             lines.with([&](auto& all) { all.push_back(line); });
                           }});
    ASSERT_TRUE(started) << started.error().message;
    server = std::move(*started);
  }

  // A webhook for ConfigMaps.
  void add_webhook(std::string_view policy = "Fail") {
    const std::string body = fmt::format(
        R"({{"metadata":{{"name":"v"}},"webhooks":[{{"name":"v.example.com",)"
        R"("clientConfig":{{"url":"https://127.0.0.1:9/x"}},"sideEffects":"None",)"
        R"("failurePolicy":"{}","admissionReviewVersions":["v1"],"rules":[{{"operations":["*"],)"
        R"("apiGroups":[""],"apiVersions":["v1"],"resources":["configmaps"]}}]}}]}})",
        policy);
    const ApiResponse answer = server->ask(
        request(Method::kPost,
                "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", body));
    ASSERT_EQ(answer.code, 201) << answer.body.str();
  }

  std::future<ApiResponse> begin(ApiRequest asked) {
    auto promise = std::make_shared<std::promise<ApiResponse>>();
    server->submit(std::move(asked),
                   [promise](ApiResponse response, const std::shared_ptr<LiveWatch>&) {
                     promise->set_value(std::move(response));
                   });
    return promise->get_future();
  }

  static ApiResponse end(std::future<ApiResponse>& future) {
    if (future.wait_for(kPatience) != std::future_status::ready) {
      ADD_FAILURE() << "no answer";
      return {};
    }
    return future.get();
  }

  std::string stored(std::string_view name) {
    return server->ask(request(Method::kGet, fmt::format("{}/{}", kMaps, name), "")).body.str();
  }

  support::TemporaryFolder folder;
  PatientCaller* caller = nullptr;  // the server's
  support::Guarded<std::vector<std::string>> lines;
  std::unique_ptr<LiveServer> server;
};

INSTANTIATE_TEST_SUITE_P(WithAndWithoutALog, LiveWebhooks, ::testing::Bool(),
                         [](const auto& which) { return which.param ? "Log" : "Memory"; });

TEST_P(LiveWebhooks, OnlyTheWriteItselfWaitsForThem) {
  add_webhook();
  auto waiting = begin(create("a"));
  ASSERT_EQ(caller->count(), 1U);
  EXPECT_EQ(server
                ->ask(request(Method::kPost, "/api/v1/namespaces/default/secrets",
                              R"({"metadata":{"name":"s"}})"))
                .code,
            201);
  EXPECT_NE(stored("a").find("NotFound"), std::string::npos);
  EXPECT_EQ(waiting.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
  caller->answer(kAllow);
  EXPECT_EQ(end(waiting).code, 201);
  EXPECT_EQ(stored("a").find("NotFound"), std::string::npos);
}

TEST_P(LiveWebhooks, AreCalledAgainAfterAConcurrentChange) {
  add_webhook();
  auto made = begin(create("a"));
  caller->answer(kAllow);
  EXPECT_EQ(end(made).code, 201);
  auto slow = begin(set("a", "slow"));
  auto quick = begin(set("a", "quick"));
  ASSERT_EQ(caller->count(), 2U);
  const PatientCaller::Asked held = caller->take();
  caller->answer(kAllow);
  EXPECT_EQ(end(quick).code, 200);
  // The answer is for an old state of the object.
  const json::value review = json::parse(held.question.review);
  held.done({.code = 200,
             .body = fmt::format(R"({{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview",)"
                                 R"("response":{{"uid":{},"allowed":false}}}})",
                                 json::serialize(review.at("request").at("uid")))});
  ASSERT_EQ(caller->count(), 1U);
  EXPECT_EQ(slow.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
  caller->answer(kAllow);
  EXPECT_EQ(end(slow).code, 200);
  EXPECT_NE(stored("a").find(R"("quick":"2")"), std::string::npos);
  EXPECT_NE(stored("a").find(R"("slow":"2")"), std::string::npos);
}

TEST_P(LiveWebhooks, WaitingWritesFailWhenTheServerStops) {
  add_webhook();
  auto waiting = begin(create("a"));
  ASSERT_EQ(caller->count(), 1U);
  const PatientCaller::Asked held = caller->take();
  server->stop();
  const ApiResponse answer = end(waiting);
  EXPECT_EQ(answer.code, 500);
  EXPECT_NE(answer.body.str().find("the server is stopping"), std::string::npos);
  held.done({.code = 200, .body = "too late"});
}

TEST_P(LiveWebhooks, StoppingThemFailsWaitingWritesButNotReads) {
  add_webhook();
  auto waiting = begin(create("a"));
  ASSERT_EQ(caller->count(), 1U);
  server->stop_webhooks();
  EXPECT_NE(end(waiting).body.str().find("the server is stopping"), std::string::npos);
  auto late = begin(create("b"));
  EXPECT_NE(end(late).body.str().find("the server is stopping"), std::string::npos);
  EXPECT_NE(stored("a").find("NotFound"), std::string::npos);
}

TEST_P(LiveWebhooks, AWebhookHasNoMoreTimeThanTheRequest) {
  add_webhook();
  ApiRequest hasty = create("a");
  hasty.query = "timeout=20ms";
  auto waiting = begin(std::move(hasty));
  ASSERT_EQ(caller->count(), 1U);
  const PatientCaller::Asked held = caller->take();
  EXPECT_EQ(held.time_ns, 20'000'000);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  held.done({.error = "context deadline exceeded"});
  const ApiResponse answer = end(waiting);
  EXPECT_EQ(answer.code, 504);
  EXPECT_NE(answer.body.str().find("allotted timeout"), std::string::npos);

  auto patient = begin(create("a"));
  ASSERT_EQ(caller->count(), 1U);
  EXPECT_EQ(caller->take().time_ns, 10 * kNanosecondsPerSecond);
  server->stop();
  EXPECT_EQ(end(patient).code, 500);
}

TEST_P(LiveWebhooks, AFailureIsLoggedOnceAndSoIsTheRecovery) {
  add_webhook("Ignore");
  for (const std::string_view error : {"it is gone", "it is still gone", ""}) {
    auto made = begin(create(fmt::format("m{}", error.size())));
    caller->answer(kAllow, error);
    EXPECT_EQ(end(made).code, 201);
  }
  server->stop();
  const auto logged = lines.get();
  ASSERT_EQ(logged.size(), 2U);
  EXPECT_EQ(
      logged[0],
      "webhook \"v.example.com\" of validatingwebhookconfigurations/v fails; requests "
      "proceed without it: failed to call webhook: Post \"https://127.0.0.1:9/x?timeout=10s\": it "
      "is gone");
  EXPECT_EQ(logged[1],
            "webhook \"v.example.com\" of validatingwebhookconfigurations/v works again");
}

}  // namespace
}  // namespace ebb::cluster
