#include "control/guard/manager_lease.h"

#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/deadline_queue.h"
#include "support/control/carry_out.h"

namespace ebb::control {
namespace {

class ManagerLeaseTest : public ::testing::Test {
 protected:
  // Reads the lease once, and then lets time pass.
  bool look(const Answer& answer, Nanoseconds then = 5 * kSecond) {
    EXPECT_TRUE(lease_.take_wanted(now_).has_value());
    EXPECT_FALSE(lease_.take_wanted(now_).has_value()) << "one at a time";
    const bool is_back = lease_.answered(answer, now_);
    now_.mono = later_by(now_.mono, then);
    return is_back;
  }
  [[nodiscard]] static Answer held(std::string_view holder, int renewed) {
    Answer answer;
    answer.response.body = Bytes(fmt::format(
        R"({{"kind":"Lease","spec":{{"holderIdentity":"{}","leaseDurationSeconds":15,
            "renewTime":"2026-01-01T00:00:{:02}.000000Z"}}}})",
        holder, renewed));
    return answer;
  }
  [[nodiscard]] bool looks_stopped() const { return lease_.looks_stopped(now_.mono); }

  ManagerLease lease_;
  Now now_{.wall = Timestamp::from_seconds(5000), .mono = Timestamp::from_seconds(100)};
};

TEST_F(ManagerLeaseTest, LooksStoppedUntilItIsKnown) {
  EXPECT_TRUE(looks_stopped());
  look({.outcome = Answer::Outcome::kUnknown});
  EXPECT_TRUE(looks_stopped());
  look(testing::answer_of(503));
  EXPECT_TRUE(looks_stopped());
}

TEST_F(ManagerLeaseTest, OneThatMustNotBeReadMayExistAndLooksStopped) {
  look(testing::answer_of(403));
  EXPECT_TRUE(looks_stopped());
  look(testing::answer_of(404));
  EXPECT_FALSE(looks_stopped());
}

// A manager that stops cleanly may give its lease back, and does so when it restarts, too.
TEST_F(ManagerLeaseTest, OneThatIsGivenBackLooksStopped) {
  look(held("kcm", 1));
  look(held("kcm", 2));
  EXPECT_FALSE(looks_stopped());
  for (int i = 0; i < 8; ++i) EXPECT_FALSE(look(held("", 3)));
  EXPECT_TRUE(looks_stopped());
  EXPECT_TRUE(look(held("kcm", 4)));
}

TEST_F(ManagerLeaseTest, OneThatChangesIsRenewedWhateverItsTimeSays) {
  EXPECT_FALSE(look(held("kcm", 50)));
  EXPECT_TRUE(looks_stopped()) << "seen once";
  EXPECT_FALSE(look(held("kcm", 10)));
  EXPECT_FALSE(looks_stopped());
}

TEST_F(ManagerLeaseTest, OneThatDoesNotChangeHasStoppedAndComesBackWithTheNextChange) {
  look(held("kcm", 1));
  look(held("kcm", 2));
  for (int i = 0; i < 8; ++i) EXPECT_FALSE(look(held("kcm", 2)));
  EXPECT_TRUE(looks_stopped());
  EXPECT_TRUE(look(held("kcm", 3)));
  EXPECT_FALSE(looks_stopped());
  EXPECT_FALSE(look(held("kcm", 4)));
}

TEST_F(ManagerLeaseTest, OneThatAppearsHasJustStarted) {
  look(testing::answer_of(404));
  EXPECT_TRUE(look(held("kcm", 1)));
}

}  // namespace
}  // namespace ebb::control
