#include "runtime/host/picker_calls.h"

#include <atomic>
#include <chrono>
#include <memory>

#include <gtest/gtest.h>

#include "support/cluster/controlled_cluster.h"
#include "support/picker/local_picker.h"

namespace ebb::runtime {
namespace {

using support::eventually;
using support::LocalPicker;

picker::Call call_to(const LocalPicker& picker, picker::CallId id) {
  auto settings = std::make_shared<picker::Settings>();
  settings->host = "127.0.0.1";
  settings->port = picker.port();
  return {.id = id,
          .settings = settings,
          .body = std::make_shared<const std::string>(
              R"({"number_of_pods_requested":1,"candidate_pods":["a","b"]})"),
          .idempotency_key = "test",
          .deadline_ns = 20 * kNanosecondsPerSecond};
}

class PickerCallsTest : public ::testing::Test {
 protected:
  std::atomic<int> woken = 0;
  PickerCalls line{{.egress = {.loopback = true}}, [this] { ++woken; }};
};

TEST_F(PickerCallsTest, WakesTheWaitingThreadAndKeepsTheReplyForIt) {
  const LocalPicker picker(LocalPicker::last_ones);
  line.ask(call_to(picker, 7));
  ASSERT_TRUE(eventually([&] { return woken == 1; }));
  const auto replied = line.take();
  ASSERT_EQ(replied.size(), 1U);
  EXPECT_EQ(replied[0].id, 7U);
  EXPECT_EQ(replied[0].reply.outcome, picker::Outcome::kAnswered);
  EXPECT_EQ(replied[0].reply.answer.chosen, std::vector<std::string>{"b"});
  EXPECT_TRUE(line.take().empty());
}

TEST_F(PickerCallsTest, ReportsNothingForAWithdrawnRequest) {
  const LocalPicker slow(LocalPicker::first_ones, std::chrono::milliseconds(100));
  line.withdraw(1);  // nothing was asked yet
  line.ask(call_to(slow, 1));
  line.ask(call_to(slow, 2));
  line.withdraw(1);
  ASSERT_TRUE(eventually([&] { return woken == 1; }));
  const auto replied = line.take();
  ASSERT_EQ(replied.size(), 1U);
  EXPECT_EQ(replied[0].id, 2U);
}

TEST_F(PickerCallsTest, CanBeDestroyedWhileRequestsAreInFlight) {
  const LocalPicker slow(LocalPicker::first_ones, std::chrono::milliseconds(30));
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> told = 0;
    PickerCalls short_lived({.egress = {.loopback = true}}, [&told] { ++told; });
    for (picker::CallId id = 1; id <= 5; ++id) short_lived.ask(call_to(slow, id));
    if (round % 2 == 0) continue;                       // goes at once
    ASSERT_TRUE(eventually([&] { return told > 0; }));  // goes among replies
  }
}

}  // namespace
}  // namespace ebb::runtime
