#include "net/server/connection_limits.h"

#include <vector>

#include <gtest/gtest.h>

namespace ebb::net {
namespace {

constexpr auto kIdle = ConnectionPhase::kIdle;
constexpr auto kReceiving = ConnectionPhase::kReceiving;
constexpr auto kAnswering = ConnectionPhase::kAnswering;

IpAddress ip(const char* text) {
  auto address = parse_ip(text);
  EXPECT_TRUE(address) << text;
  return address ? *address : IpAddress{};
}

const IpAddress kProber = ip("10.0.0.1");
const IpAddress kAttacker = ip("10.0.0.2");
const IpAddress kOther = ip("10.0.0.3");

// The index of the evicted connection; -1: none has to go; -2: the new one is refused.
int evicted(const std::vector<OpenConnection>& open, const IpAddress& newcomer,
            const ConnectionLimits& limits) {
  const Room room = make_room(open, newcomer, limits);
  if (!room.admitted) return -2;
  return room.evicted ? static_cast<int>(*room.evicted) : -1;
}

TEST(ConnectionLimits, GiveUpNothingWhileThereIsRoom) {
  EXPECT_EQ(evicted({}, kProber, {.total = 1}), -1);
  EXPECT_EQ(evicted({{kProber, kIdle, 1}}, kProber, {.total = 2, .per_peer = 2}), -1);
}

TEST(ConnectionLimits, GiveUpTheLongestIdleFirst) {
  const ConnectionLimits full{.total = 3};
  EXPECT_EQ(evicted({{kOther, kIdle, 7}, {kOther, kIdle, 5}, {kOther, kIdle, 6}}, kOther, full), 1);
  // Whatever is idle goes before a request that is being received, however long that takes.
  EXPECT_EQ(
      evicted({{kOther, kReceiving, 1}, {kOther, kIdle, 9}, {kOther, kAnswering, 2}}, kOther, full),
      1);
  EXPECT_EQ(evicted({{kOther, kReceiving, 4}, {kOther, kReceiving, 3}, {kOther, kAnswering, 2}},
                    kOther, full),
            1);
}

TEST(ConnectionLimits, GiveUpAnswersOnlyWhereThatIsWanted) {
  const std::vector<OpenConnection> open = {{kOther, kAnswering, 2}, {kOther, kAnswering, 1}};
  EXPECT_EQ(evicted(open, kOther, {.total = 2}), -2);
  EXPECT_EQ(evicted(open, kOther, {.total = 2, .evict_answering = true}), 1);
}

TEST(ConnectionLimits, APeerWithAllItsPlacesLosesOneOfItsOwn) {
  const ConnectionLimits limits{.total = 10, .per_peer = 2};
  const std::vector<OpenConnection> open = {
      {kProber, kIdle, 1}, {kAttacker, kReceiving, 3}, {kAttacker, kReceiving, 2}};
  EXPECT_EQ(evicted(open, kAttacker, limits), 2);
  EXPECT_EQ(evicted(open, kProber, limits), -1);
}

TEST(ConnectionLimits, ThePeerWithTheMostConnectionsGivesOneUp) {
  const ConnectionLimits limits{.total = 4, .per_peer = 3};
  const std::vector<OpenConnection> open = {{kProber, kIdle, 1},
                                            {kAttacker, kReceiving, 8},
                                            {kAttacker, kReceiving, 9},
                                            {kOther, kIdle, 2}};
  EXPECT_EQ(evicted(open, kProber, limits), 0);  // it would have two itself
  EXPECT_EQ(evicted(open, ip("10.0.0.4"), limits), 1);
  // Where everyone has one, the longest idle goes.
  EXPECT_EQ(evicted({{kProber, kIdle, 2}, {kOther, kIdle, 1}}, kAttacker, {.total = 2}), 1);
}

TEST(ConnectionLimits, ACrowdThatCannotBeGivenUpLeavesItToOthers) {
  EXPECT_EQ(evicted({{kOther, kAnswering, 1}, {kOther, kAnswering, 2}, {kProber, kIdle, 3}},
                    kAttacker, {.total = 3}),
            2);
}

TEST(ConnectionLimits, CountAHostAsOnePeer) {
  EXPECT_EQ(peer_of(ip("10.1.2.3")), ip("10.1.2.3"));
  EXPECT_EQ(peer_of(ip("::ffff:10.1.2.3")), ip("10.1.2.3"));
  EXPECT_EQ(peer_of(ip("2001:db8:1:2:3:4:5:6")), peer_of(ip("2001:db8:1:2::9")));
  EXPECT_FALSE(peer_of(ip("2001:db8:1:3::9")) == peer_of(ip("2001:db8:1:2::9")));
}

}  // namespace
}  // namespace ebb::net
