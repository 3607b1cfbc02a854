#include "cluster/server/live_server.h"

#include <atomic>
#include <csignal>
#include <future>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "cluster/server/clock.h"
#include "support/objects/temporary_folder.h"

namespace ebb::cluster {
namespace {

using model::Method;

constexpr std::chrono::seconds kPatience{30};

ApiRequest create(const std::string& name, std::size_t size = 0) {
  ApiRequest request;
  request.method = Method::kPost;
  request.path = "/api/v1/namespaces/default/configmaps";
  request.content_type = "application/json";
  request.body = fmt::format(
      R"({{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{}"}},"data":{{"x":"{}"}}}})",
      name, std::string(size, 'x'));
  request.received = wall_now();
  return request;
}

ApiRequest get(std::string path, std::string query = "") {
  ApiRequest request;
  request.path = std::move(path);
  request.query = std::move(query);
  request.received = wall_now();
  return request;
}

ApiRequest get_map(const std::string& name) {
  return get("/api/v1/namespaces/default/configmaps/" + name);
}

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

std::shared_ptr<LiveWatch> watch(LiveServer& server, std::string query) {
  std::promise<std::shared_ptr<LiveWatch>> answered;
  server.submit(get("/api/v1/configmaps", "watch=true&" + std::move(query)),
                [&](const ApiResponse& response, std::shared_ptr<LiveWatch> watching) {
                  EXPECT_EQ(response.code, 200) << response.body.str();
                  answered.set_value(std::move(watching));
                });
  return answered.get_future().get();
}

// The next piece of a watch, or "nothing" if none comes.
std::string next(LiveWatch& watching) {
  auto piece = std::make_shared<std::promise<std::string>>();
  watching.next([piece](const Bytes& bytes, bool) { piece->set_value(bytes.str()); });
  auto future = piece->get_future();
  return future.wait_for(kPatience) == std::future_status::ready ? future.get() : "nothing";
}

class LiveServerTest : public ::testing::TestWithParam<bool> {
 protected:
  [[nodiscard]] std::unique_ptr<LiveServer> start() const {
    std::optional<ChangeLog> log;
    if (GetParam()) {
      auto opened = ChangeLog::open(folder.path() / "log.db");
      EXPECT_TRUE(opened) << opened.error().message;
      log.emplace(std::move(*opened));
    }
    auto server = LiveServer::start({.seed = 7}, std::move(log));
    EXPECT_TRUE(server) << server.error().message;
    return std::move(*server);
  }

  support::TemporaryFolder folder;
};

INSTANTIATE_TEST_SUITE_P(WithAndWithoutALog, LiveServerTest, ::testing::Bool(),
                         [](const auto& which) { return which.param ? "Log" : "Memory"; });

TEST_P(LiveServerTest, ShowsAWriteOnceItIsAnswered) {
  const auto server = start();
  EXPECT_EQ(server->ask(create("a")).code, 201);
  EXPECT_EQ(server->ask(create("a")).code, 409);
  EXPECT_EQ(server->ask(get_map("a")).code, 200);
  EXPECT_EQ(server->ask(get_map("b")).code, 404);
}

TEST_P(LiveServerTest, WakesWatchesThatWait) {
  const auto server = start();
  const auto watching = watch(*server, "");
  std::promise<std::string> piece;
  watching->next([&](const Bytes& bytes, bool) { piece.set_value(bytes.str()); });
  EXPECT_EQ(server->ask(create("a")).code, 201);
  auto future = piece.get_future();
  ASSERT_EQ(future.wait_for(kPatience), std::future_status::ready);
  EXPECT_EQ(count(future.get(), "\"ADDED\""), 1U);
  // Events while no watch waits are delivered afterwards.
  EXPECT_EQ(server->ask(create("b")).code, 201);
  EXPECT_EQ(server->ask(create("c")).code, 201);
  EXPECT_EQ(count(next(*watching), "\"ADDED\""), 2U);
}

TEST_P(LiveServerTest, EndsAWatchInTime) {
  const auto server = start();
  const auto watching = watch(*server, "timeoutSeconds=1");
  std::promise<bool> over;
  watching->next([&](const Bytes& bytes, bool ended) {
    EXPECT_TRUE(bytes.empty());
    over.set_value(ended);
  });
  auto future = over.get_future();
  ASSERT_EQ(future.wait_for(kPatience), std::future_status::ready);
  EXPECT_TRUE(future.get());
}

TEST_P(LiveServerTest, DeliversNothingToAWatchThatWasCancelled) {
  const auto server = start();
  const auto cancelled = watch(*server, "");
  const auto other = watch(*server, "");
  const auto held = std::make_shared<int>(0);
  cancelled->next([held](const Bytes&, bool) { FAIL(); });
  EXPECT_EQ(held.use_count(), 2);
  cancelled->cancel();
  EXPECT_EQ(held.use_count(), 1);
  EXPECT_EQ(server->ask(create("a")).code, 201);
  EXPECT_EQ(count(next(*other), "\"ADDED\""), 1U);
}

TEST_P(LiveServerTest, AnswersARequestThatWaitsForARevisionThatComes) {
  const auto server = start();
  const std::string first = server->ask(create("a")).body.str();
  constexpr std::string_view kField = "\"resourceVersion\":\"";
  const auto at = first.find(kField) + kField.size();
  const Revision revision = std::stoull(first.substr(at)) + 1;
  std::promise<ApiResponse> answered;
  server->submit(get("/api/v1/configmaps",
                     fmt::format("resourceVersion={}&resourceVersionMatch=NotOlderThan", revision)),
                 [&](ApiResponse response, const std::shared_ptr<LiveWatch>&) {
                   answered.set_value(std::move(response));
                 });
  auto future = answered.get_future();
  EXPECT_EQ(server->ask(create("b")).code, 201);
  ASSERT_EQ(future.wait_for(kPatience), std::future_status::ready);
  const ApiResponse response = future.get();
  EXPECT_EQ(response.code, 200) << response.body.str();
  EXPECT_EQ(count(response.body.str(), "\"ConfigMap\""), 2U);
}

TEST_P(LiveServerTest, TimesOutARequestThatWaitsForARevisionThatDoesNotCome) {
  const auto server = start();
  const ApiResponse response = server->ask(get("/api/v1/configmaps", "resourceVersion=999999"));
  EXPECT_EQ(response.code, 504);
}

TEST_P(LiveServerTest, ShowsEveryWriteOfManyWritersToEveryWatcherInOrder) {
  constexpr int kWriters = 4;
  constexpr int kWrites = 50;
  constexpr int kWatchers = 20;
  const auto server = start();
  struct Seen {
    std::shared_ptr<LiveWatch> watching;
    std::string text;
    std::promise<void> complete;
  };
  std::vector<Seen> seen(kWatchers);
  std::function<void(Seen&)> go_on = [&](Seen& one) {
    one.watching->next([&](const Bytes& bytes, bool) {
      one.text += bytes.str();
      if (count(one.text, "\"ADDED\"") == kWriters * kWrites) return one.complete.set_value();
      go_on(one);
    });
  };
  for (Seen& one : seen) {
    one.watching = watch(*server, "");
    go_on(one);
  }
  std::vector<std::thread> writers;
  std::atomic<int> created = 0;
  for (int i = 0; i < kWriters; ++i) {
    writers.emplace_back([&, i] {
      for (int j = 0; j < kWrites; ++j) {
        if (server->ask(create(fmt::format("m-{}-{}", i, j))).code == 201) ++created;
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(created, kWriters * kWrites);
  for (Seen& one : seen) {
    ASSERT_EQ(one.complete.get_future().wait_for(kPatience), std::future_status::ready);
    EXPECT_EQ(one.text, seen.front().text);
  }
}

TEST_P(LiveServerTest, RefusesRequestsOnceItStops) {
  const auto server = start();
  server->stop();
  EXPECT_EQ(server->ask(create("a")).code, 500);
}

class LoggedServerTest : public LiveServerTest {};
INSTANTIATE_TEST_SUITE_P(Log, LoggedServerTest, ::testing::Values(true),
                         [](const auto&) { return "Log"; });

TEST_P(LoggedServerTest, GoesOnWhereItStopped) {
  std::string before;
  {
    const auto server = start();
    for (int i = 0; i < 20; ++i) {
      ASSERT_EQ(server->ask(create(fmt::format("m{}", i))).code, 201);
    }
    before = server->ask(get("/api/v1/configmaps")).body.str();
  }
  const auto server = start();
  EXPECT_EQ(server->ask(get("/api/v1/configmaps")).body.str(), before);
  EXPECT_EQ(server->ask(create("m0")).code, 409);
}

TEST_P(LoggedServerTest, AnswersEverythingThatWasAskedBeforeItStops) {
  std::atomic<int> created = 0;
  {
    const auto server = start();
    for (int i = 0; i < 200; ++i) {
      server->submit(create(fmt::format("m{}", i)),
                     [&](const ApiResponse& response, const std::shared_ptr<LiveWatch>&) {
                       if (response.code == 201) ++created;
                     });
    }
  }
  EXPECT_EQ(created, 200);
  const auto server = start();
  EXPECT_EQ(count(server->ask(get("/api/v1/configmaps")).body.str(), "\"ConfigMap\""), 200U);
}

// No file of this process may grow while this exists.
class FullDisk {
 public:
  FullDisk() {
    std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit tight{.rlim_cur = 150'000, .rlim_max = before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &tight);
  }
  ~FullDisk() { ::setrlimit(RLIMIT_FSIZE, &before_); }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_{};
};

TEST_P(LoggedServerTest, SaysThatTheDiskIsFullAndLosesNothing) {
  {
    const auto server = start();
    const auto watching = watch(*server, "");
    ASSERT_EQ(server->ask(create("before")).code, 201);
    EXPECT_EQ(count(next(*watching), "\"ADDED\""), 1U);
    {
      const FullDisk full;
      const ApiResponse refused = server->ask(create("large", 500'000));
      EXPECT_EQ(refused.code, 500);
      EXPECT_NE(refused.body.str().find("could not be written to disk"), std::string::npos)
          << refused.body.str();
      EXPECT_EQ(server->ask(get_map("large")).code, 404);
      EXPECT_EQ(server->ask(get_map("before")).code, 200);
    }
    EXPECT_EQ(server->ask(create("after")).code, 201);
    const std::string events = next(*watching);
    EXPECT_EQ(count(events, "\"ADDED\""), 1U);
    EXPECT_NE(events.find("\"after\""), std::string::npos);
  }
  const auto server = start();
  EXPECT_EQ(server->ask(get_map("before")).code, 200);
  EXPECT_EQ(server->ask(get_map("after")).code, 200);
  EXPECT_EQ(server->ask(get_map("large")).code, 404);
}

}  // namespace
}  // namespace ebb::cluster
