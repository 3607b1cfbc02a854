// In which order the dispatcher sends the calls of several namespaces.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "control/process/dispatcher.h"
#include "support/control/carry_out.h"

namespace ebb::control {
namespace {

class DispatcherFairnessTest : public ::testing::Test {
 protected:
  CallId add(Dispatcher& dispatcher, Call::Kind kind, const std::string& path) {
    const CallId id = ++last_;
    dispatcher.add({.id = id,
                    .kind = kind,
                    .request = {.method = model::Method::kDelete, .path = path},
                    .deadline_ns = kWriteDeadlineNs},
                   now_);
    return id;
  }
  std::vector<CallId> take(Dispatcher& dispatcher) {
    std::vector<CallId> ids;
    for (const Call& call : dispatcher.take(now_, true)) ids.push_back(call.id);
    return ids;
  }
  void answer(Dispatcher& dispatcher, CallId id) {
    EXPECT_TRUE(dispatcher.answered(id, testing::answer_of(200), now_));
  }

  Telemetry telemetry_;
  Now now_{.wall = Timestamp::from_seconds(1'000), .mono = Timestamp::from_seconds(1'000)};
  CallId last_ = 0;
};

// A scale-down of one namespace does not wait until another has created thousands of pods.
TEST_F(DispatcherFairnessTest, NamespacesTakeTurnsWithTheirWritesAndEvents) {
  for (const auto kind : {Call::Kind::kWrite, Call::Kind::kPatientWrite, Call::Kind::kEvent}) {
    Dispatcher dispatcher({.qps = 0, .burst = 1, .max_in_flight = 3}, telemetry_);
    std::vector<CallId> busy;
    for (int i = 0; i < 900; ++i) {
      busy.push_back(add(dispatcher, kind, "/api/v1/namespaces/busy/pods/x"));
    }
    ASSERT_EQ(take(dispatcher), (std::vector{busy[0], busy[1], busy[2]}));
    const CallId calm = add(dispatcher, kind, "/api/v1/namespaces/calm/pods/x");
    for (std::size_t i = 0; i < 3; ++i) answer(dispatcher, busy[i]);
    EXPECT_EQ(take(dispatcher), (std::vector{busy[3], calm, busy[4]}));
  }
}

TEST_F(DispatcherFairnessTest, AWriteThatIsRetriedGoesBeforeTheOthersOfItsNamespace) {
  Dispatcher dispatcher({.qps = 0, .burst = 1, .max_in_flight = 1}, telemetry_);
  const std::string path = "/api/v1/namespaces/shop/pods/x";
  const CallId first = add(dispatcher, Call::Kind::kWrite, path);
  const CallId second = add(dispatcher, Call::Kind::kWrite, path);
  const CallId third = add(dispatcher, Call::Kind::kWrite, path);
  ASSERT_EQ(take(dispatcher), std::vector{first});
  EXPECT_FALSE(dispatcher.answered(first, testing::answer_of(429, 1), now_));
  ASSERT_EQ(take(dispatcher), std::vector{second});
  now_.mono = later_by(now_.mono, kNanosecondsPerSecond);
  answer(dispatcher, second);
  EXPECT_EQ(take(dispatcher), std::vector{first});
  answer(dispatcher, first);
  EXPECT_EQ(take(dispatcher), std::vector{third});
}

TEST_F(DispatcherFairnessTest, WritesThatAreRefusedLoseTheirTurns) {
  Dispatcher dispatcher({.qps = 0, .burst = 1, .max_in_flight = 9}, telemetry_);
  const CallId first = add(dispatcher, Call::Kind::kWrite, "/api/v1/namespaces/shop/pods/x");
  const CallId second = add(dispatcher, Call::Kind::kWrite, "/api/v1/namespaces/shop/pods/y");
  dispatcher.refuse_writes([first](CallId id) { return id == first; });
  EXPECT_EQ(dispatcher.take_refused().size(), 1U);
  EXPECT_EQ(take(dispatcher), std::vector{second});
}

// A controller reads live objects before it adopts; a tenant with many orphans must not go before
// the writes of others.
TEST_F(DispatcherFairnessTest, ReadsInANamespaceTakeTurnsWithWrites) {
  Dispatcher dispatcher({.qps = 0, .burst = 1, .max_in_flight = 2}, telemetry_);
  std::vector<CallId> busy;
  for (int i = 0; i < 900; ++i) {
    busy.push_back(add(dispatcher, Call::Kind::kRead, "/api/v1/namespaces/busy/pods"));
  }
  const CallId calm = add(dispatcher, Call::Kind::kWrite, "/api/v1/namespaces/calm/pods/x");
  const CallId page = add(dispatcher, Call::Kind::kRead, "/api/v1/pods?limit=500");
  EXPECT_EQ(take(dispatcher), (std::vector{page, busy[0]}));
  answer(dispatcher, page);
  EXPECT_EQ(take(dispatcher), std::vector{calm});
}

TEST_F(DispatcherFairnessTest, EndlessWritesDoNotSilenceStatusesAndEvents) {
  struct Case {
    DispatcherSettings settings;
    std::size_t sent;  // in ten seconds
  };
  for (const Case& c : {Case{{.qps = 20, .burst = 30, .max_in_flight = 500}, 30 + 9 * 20},
                        Case{{.qps = 0, .max_in_flight = 4}, 10 * 4}}) {
    SCOPED_TRACE(c.settings.qps);
    Dispatcher dispatcher(c.settings, telemetry_);
    for (int i = 0; i < 5'000; ++i) {
      add(dispatcher, Call::Kind::kWrite, "/api/v1/namespaces/busy/pods");
    }
    std::vector<CallId> background;
    for (const auto kind : {Call::Kind::kPatientWrite, Call::Kind::kEvent}) {
      for (int i = 0; i < 5; ++i) {
        background.push_back(add(dispatcher, kind, "/api/v1/namespaces/calm/events"));
      }
    }
    std::size_t sent = 0;
    std::size_t sent_in_background = 0;
    for (int second = 0; second < 10; ++second) {
      for (const CallId id : take(dispatcher)) {
        ++sent;
        if (std::find(background.begin(), background.end(), id) != background.end()) {
          ++sent_in_background;
        }
        answer(dispatcher, id);
      }
      now_.mono = later_by(now_.mono, kNanosecondsPerSecond);
    }
    EXPECT_EQ(sent_in_background, background.size());
    EXPECT_EQ(sent, c.sent);
  }
}

}  // namespace
}  // namespace ebb::control
