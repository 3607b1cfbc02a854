#include "runtime/pages/token_access.h"

#include <future>
#include <map>

#include <gtest/gtest.h>

#include "base/mutex.h"
#include "support/threads/guarded.h"

namespace ebb::runtime {
namespace {

constexpr std::chrono::seconds kPatience{30};

// Answers by a table, at once or when the test says so; counts the requests.
class FakeReviewer : public Reviewer {
 public:
  struct Table {
    Mutex mutex;
    std::map<std::string, Verdict> by_token EBB_GUARDED_BY(mutex);  // other tokens are invalid
    std::map<std::string, int> asked EBB_GUARDED_BY(mutex);
    bool held EBB_GUARDED_BY(mutex) = false;
    ConditionVariable changed;
    bool awake EBB_GUARDED_BY(mutex) = false;

    void add(const std::string& token, Verdict verdict) {
      const MutexLock lock(mutex);
      by_token[token] = std::move(verdict);
    }
    void hold() {
      const MutexLock lock(mutex);
      held = true;
    }
    void release() {
      const MutexLock lock(mutex);
      held = false;
      awake = true;
      changed.notify_all();
    }
    int times(const std::string& token) {
      const MutexLock lock(mutex);
      return asked[token];
    }
  };
  explicit FakeReviewer(std::shared_ptr<Table> table) : table_(std::move(table)) {}

  void ask(std::string token, std::string /*path*/, Done done) override {
    const MutexLock lock(table_->mutex);
    ++table_->asked[token];
    const auto found = table_->by_token.find(token);
    waiting_.emplace_back(std::move(done), found == table_->by_token.end()
                                               ? Verdict{Verdict::Kind::kUnauthenticated}
                                               : found->second);
  }
  void poll(Nanoseconds longest_ns) override {
    std::vector<std::pair<Done, Verdict>> over;
    {
      const MutexLock lock(table_->mutex);
      const auto end = std::chrono::steady_clock::now() + std::chrono::nanoseconds(longest_ns);
      if (waiting_.empty() || table_->held) {
        while (!table_->awake && table_->changed.wait_until(table_->mutex, end)) continue;
      }
      table_->awake = false;
      if (!table_->held) over.swap(waiting_);
    }
    for (auto& [done, verdict] : over) done(verdict);
  }
  void wake() override {
    const MutexLock lock(table_->mutex);
    table_->awake = true;
    table_->changed.notify_all();
  }

 private:
  std::shared_ptr<Table> table_;
  std::vector<std::pair<Done, Verdict>> waiting_ EBB_GUARDED_BY(table_->mutex);
};

class TokenAccessTest : public ::testing::Test {
 protected:
  void SetUp() override {
    table->add("good", {.kind = Verdict::Kind::kAllowed});
    table->add("other", {.kind = Verdict::Kind::kForbidden, .user = "jo"});
    table->add("broken", {.kind = Verdict::Kind::kFailed, .problem = "no API server"});
  }
  void start(const ReviewLimits& limits = {}) {
    access = std::make_unique<TokenAccess>(
        *AllowedPaths::parse(kAlwaysAllowedByDefault), std::make_unique<FakeReviewer>(table),
        [this](const std::string& problem) {
          warnings.with([&](auto& all) { all.push_back(problem); });
        },
        limits);
  }
  std::future<std::optional<Refusal>> check(const std::string& path,
                                            const std::string& authorization = "") {
    auto promise = std::make_shared<std::promise<std::optional<Refusal>>>();
    net::HttpRequest request;
    request.path = path;
    request.authorization = authorization;
    access->check(request, [promise](std::optional<Refusal> refusal) {
      promise->set_value(std::move(refusal));
    });
    return promise->get_future();
  }
  // 200: it was granted.
  int code(const std::string& path, const std::string& authorization = "") {
    return code_of(check(path, authorization));
  }
  static int code_of(std::future<std::optional<Refusal>> future) {
    if (future.wait_for(kPatience) != std::future_status::ready) return 0;
    const auto refusal = future.get();
    return refusal ? refusal->code : 200;
  }

  std::shared_ptr<FakeReviewer::Table> table = std::make_shared<FakeReviewer::Table>();
  support::Guarded<std::vector<std::string>> warnings;
  std::unique_ptr<TokenAccess> access;
};

TEST_F(TokenAccessTest, ProbesNeedNoToken) {
  start();
  for (const char* path : {"/healthz", "/livez", "/readyz"}) {
    EXPECT_EQ(code(path), 200) << path;
    EXPECT_EQ(code(path, "Bearer nobody"), 200) << path;
  }
  EXPECT_EQ(table->times("nobody"), 0);
}

TEST_F(TokenAccessTest, OthersGoByTheTokenAndTheRight) {
  start();
  for (const char* path : {"/metrics", "/decisions"}) {
    EXPECT_EQ(code(path), 401) << path;
    EXPECT_EQ(code(path, "Basic Z29vZA=="), 401) << path;
    EXPECT_EQ(code(path, "Bearer nobody"), 401) << path;
    EXPECT_EQ(code(path, "Bearer other"), 403) << path;
    EXPECT_EQ(code(path, "Bearer good"), 200) << path;
  }
}

TEST_F(TokenAccessTest, SaysWhatKubernetesComponentsSay) {
  start();
  const auto unauthorized = check("/metrics").get();
  ASSERT_TRUE(unauthorized);
  EXPECT_EQ(unauthorized->content_type, "application/json");
  EXPECT_EQ(unauthorized->text,
            R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",)"
            R"("message":"Unauthorized","reason":"Unauthorized","code":401})"
            "\n");
  const auto forbidden = check("/metrics", "Bearer other").get();
  ASSERT_TRUE(forbidden);
  EXPECT_NE(
      forbidden->text.find(R"("message":"forbidden: User \"jo\" cannot get path \"/metrics\"")"),
      std::string::npos)
      << forbidden->text;
}

TEST_F(TokenAccessTest, FailsClosedAndLogsItOnce) {
  start();
  for (int i = 0; i < 3; ++i) {
    const auto refusal = check("/metrics", "Bearer broken").get();
    ASSERT_TRUE(refusal);
    EXPECT_EQ(refusal->code, 500);
    EXPECT_EQ(refusal->text,
              "Internal Server Error: \"/metrics\": the API server could not be asked for "
              "authorization\n");
  }
  EXPECT_EQ(table->times("broken"), 3) << "a failure is no answer to remember";
  EXPECT_EQ(warnings.get(), std::vector<std::string>{"no API server"});
}

TEST_F(TokenAccessTest, RemembersAnswersOfEachPath) {
  start();
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(code("/metrics", "Bearer good"), 200);
    EXPECT_EQ(code("/metrics", "Bearer other"), 403);
    EXPECT_EQ(code("/metrics", "Bearer nobody"), 401);
  }
  for (const char* token : {"good", "other", "nobody"}) EXPECT_EQ(table->times(token), 1) << token;
  EXPECT_EQ(code("/decisions", "Bearer good"), 200);
  EXPECT_EQ(table->times("good"), 2);
}

TEST_F(TokenAccessTest, MadeUpTokensAreTurnedAwayWhileTooManyWait) {
  table->hold();
  start({.max_in_flight = 1, .max_waiting = 8, .max_waiting_per_peer = 2});
  auto first = check("/metrics", "Bearer a");
  auto second = check("/metrics", "Bearer b");
  const auto third = check("/metrics", "Bearer c").get();
  ASSERT_TRUE(third);
  EXPECT_EQ(third->code, 429);
  EXPECT_EQ(third->headers.front().first, "Retry-After");
  EXPECT_EQ(code("/livez"), 200);
  table->release();
  EXPECT_EQ(code_of(std::move(first)), 401);
  EXPECT_EQ(code_of(std::move(second)), 401);
  EXPECT_EQ(code("/metrics", "Bearer good"), 200);
}

TEST_F(TokenAccessTest, ARememberedVerdictIsGivenWhileTooManyWait) {
  start({.max_in_flight = 1, .max_waiting = 1, .max_waiting_per_peer = 1});
  EXPECT_EQ(code("/metrics", "Bearer good"), 200);
  table->hold();
  auto waiting = check("/metrics", "Bearer a");
  EXPECT_EQ(code("/metrics", "Bearer b"), 429);
  EXPECT_EQ(code("/metrics", "Bearer good"), 200);
  table->release();
  EXPECT_EQ(code_of(std::move(waiting)), 401);
}

TEST_F(TokenAccessTest, EndsWhileReviewsAreInFlight) {
  table->hold();
  start();
  auto waiting = check("/metrics", "Bearer good");
  while (table->times("good") == 0) std::this_thread::yield();
  access.reset();
  EXPECT_THROW(static_cast<void>(waiting.get()), std::future_error) << "it was dropped";
}

}  // namespace
}  // namespace ebb::runtime
