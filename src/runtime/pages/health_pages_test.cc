#include "runtime/pages/health_pages.h"

#include <gtest/gtest.h>

#include "base/deadline_queue.h"
#include "runtime/host/clock.h"

namespace ebb::runtime {
namespace {

// Records the answer.
class Asked : public net::HttpExchange {
 public:
  explicit Asked(std::string path) {
    request_.method = "GET";
    request_.path = std::move(path);
  }

  net::HttpRequest& request() override { return request_; }
  void respond(net::HttpHead given, Bytes bytes) override {
    head = std::move(given);
    body = bytes.str();
  }
  void begin(net::HttpHead /*head*/) override {}
  void write(Bytes /*bytes*/, std::function<void(bool)> /*done*/) override {}
  void end() override {}
  void on_over(std::function<void()> /*over*/) override {}

  net::HttpHead head{.code = 0};
  std::string body;

 private:
  net::HttpRequest request_;
};

// The test decides when and how it answers.
class HeldAccess : public PageAccess {
 public:
  void check(const net::HttpRequest& request, Done done) override {
    checked.push_back(request.path);
    pending = std::move(done);
  }

  std::vector<std::string> checked;
  Done pending;
};

class HealthPagesTest : public ::testing::Test {
 protected:
  std::shared_ptr<Asked> ask(const char* path) {
    auto asked = std::make_shared<Asked>(path);
    pages.handle(asked);
    return asked;
  }
  std::shared_ptr<Asked> shown(const char* path) {
    auto asked = ask(path);
    access.pending(std::nullopt);
    return asked;
  }

  Health health;
  Metrics metrics{"x"};
  RecentDecisions recent_decisions;
  HeldAccess access;
  HealthPages pages{health, metrics, recent_decisions, access};
};

TEST_F(HealthPagesTest, AreShownOnceAccessIsGranted) {
  static_cast<void>(recent_decisions.add(R"({"id":"d77"})"));
  const auto asked = ask("/decisions");
  EXPECT_EQ(asked->head.code, 0);
  access.pending(std::nullopt);
  EXPECT_EQ(asked->head.code, 200);
  EXPECT_EQ(asked->body, "[{\"id\":\"d77\"}]\n");
}

TEST_F(HealthPagesTest, AreNotShownWhereAccessIsRefused) {
  static_cast<void>(recent_decisions.add(R"({"id":"d77"})"));
  health.set_ready(true);
  for (const char* path : {"/metrics", "/decisions", "/healthz", "/livez", "/readyz"}) {
    const auto asked = ask(path);
    access.pending(Refusal{.code = 401, .text = "no\n", .headers = {{"X-Why", "because"}}});
    EXPECT_EQ(asked->head.code, 401) << path;
    EXPECT_EQ(asked->body, "no\n") << path;
    EXPECT_EQ(asked->head.headers.front().first, "X-Why") << path;
  }
}

TEST_F(HealthPagesTest, SayWhyAControllerDoesNotActAndWhatToDo) {
  health.set_idle({{.controller = "replicaset-controller", .why = "there is another; stop it"}});
  EXPECT_EQ(shown("/readyz")->head.code, 500);
  health.set_ready(true);
  EXPECT_EQ(shown("/readyz")->head.code, 503);
  EXPECT_EQ(shown("/readyz")->body,
            "[-]replicaset-controller does not act: there is another; stop it\n"
            "readyz check failed\n");
  // The process is healthy, and a restart would not help.
  EXPECT_EQ(shown("/livez")->head.code, 200);
  EXPECT_EQ(shown("/healthz")->head.code, 200);
  health.set_idle({});
  EXPECT_EQ(shown("/readyz")->head.code, 200);
}

// The loop reports whether it is ready, so a stuck loop would be ready forever.
TEST_F(HealthPagesTest, AreNotReadyWhileTheLoopIsStuck) {
  const auto last_turn_ago = [this](Nanoseconds ns) {
    health.turned(later_by(clock_now().mono, -ns));
  };
  health.set_ready(true);
  EXPECT_EQ(shown("/readyz")->head.code, 200) << "before the first turn";
  last_turn_ago(5 * kNanosecondsPerSecond);
  EXPECT_EQ(shown("/readyz")->head.code, 200);
  last_turn_ago(12 * kNanosecondsPerSecond);
  EXPECT_EQ(shown("/readyz")->head.code, 500);
  const std::string body = shown("/readyz")->body;
  EXPECT_TRUE(body.starts_with("[-]loop failed: the main loop has been stuck for 1")) << body;
  EXPECT_TRUE(body.ends_with(" s\nreadyz check failed\n")) << body;
  EXPECT_EQ(shown("/livez")->head.code, 200) << "a restart would be premature";
  last_turn_ago(0);
  EXPECT_EQ(shown("/readyz")->head.code, 200);
}

TEST_F(HealthPagesTest, CheckNothingForPathsThatDoNotExist) {
  for (const char* path : {"/", "/metrics/", "/%6detrics", "/livez/../metrics", "/debug"}) {
    EXPECT_EQ(ask(path)->head.code, 404) << path;
  }
  EXPECT_TRUE(access.checked.empty());
}

}  // namespace
}  // namespace ebb::runtime
