#include "control/replicaset/pending_wakeups.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/deadline_queue.h"
#include "support/control/small_store.h"

namespace ebb::control {
namespace {

using Names = std::set<std::string>;

class PendingWakeupsTest : public ::testing::Test {
 protected:
  // The names of the ReplicaSets that were woken since the last call.
  Names run() {
    wakeups_.run(now_);
    return woken();
  }
  Names woken() {
    Names names;
    for (const Key& key : std::exchange(woken_, {})) names.insert(key.name);
    return names;
  }
  const Pod& pod(std::string_view name, std::string_view in = "shop") const {
    return *store_.pod(in, name);
  }
  ReplicaSetState& state(std::string name) {
    ReplicaSetState& state = states_[{.namespace_name = "shop", .name = name}];
    state.uid = "u-" + name;
    return state;
  }

  testing::SmallStore store_;
  std::map<Key, ReplicaSetState> states_;
  std::set<Key> woken_;
  PendingWakeups wakeups_{store_, states_, woken_};
  Now now_{.wall = Timestamp::from_seconds(1'790'000'000), .mono = Timestamp::from_seconds(100)};
};

TEST_F(PendingWakeupsTest, AnOrphanWakesTheReplicaSetsThatSelectIt) {
  store_.put_set("web", {});
  store_.put_set("web-too", {});
  store_.put_set("db", {.app = "db"});
  store_.put_set("elsewhere", {.in = "other"});
  store_.put_pod("a", {.owner = ""});
  EXPECT_TRUE(wakeups_.wake_at().is_zero());
  wakeups_.orphan_came(pod("a"));
  EXPECT_FALSE(wakeups_.wake_at().is_zero());
  EXPECT_EQ(woken(), Names());
  EXPECT_EQ(run(), (Names{"web", "web-too"}));
  EXPECT_TRUE(wakeups_.wake_at().is_zero());
  EXPECT_EQ(run(), Names());
}

TEST_F(PendingWakeupsTest, APodThatIsNoLongerAnOrphanWakesNothing) {
  store_.put_set("web", {});
  for (const char* name : {"adopted", "deleted", "gone"}) {
    store_.put_pod(name, {.owner = ""});
    wakeups_.orphan_came(pod(name));
  }
  store_.put_pod("adopted", {.owner = "web"});
  store_.put_pod("deleted", {.owner = "", .deleting = true});
  store_.remove_pod("gone");
  EXPECT_EQ(run(), Names());
}

// It was adopted and deleted before the cache showed the adoption.
TEST_F(PendingWakeupsTest, AnOrphanThatLeavesEndsTheExpectationOfItsDeletion) {
  store_.put_set("web", {});
  store_.put_set("bystander", {});
  store_.put_pod("a", {.owner = ""});
  state("web").expectations.expect_deletions({{"a", "u-a"}}, now_);
  state("bystander").expectations.expect_deletions({{"b", "u-b"}}, now_);
  wakeups_.orphan_left(pod("a"));
  EXPECT_EQ(run(), Names{"web"});
  EXPECT_TRUE(state("web").expectations.satisfied());
  EXPECT_FALSE(state("bystander").expectations.satisfied());
}

TEST_F(PendingWakeupsTest, ChangedRanksWakeReplicaSetsOfTheOwnerThatWait) {
  struct Case {
    const char* name;
    const char* owner;
    bool waits;
  };
  for (const auto& [name, owner, waits] : {Case{"waiting", "shop-front", true},
                                           {"busy", "shop-front", false},
                                           {"of-another", "stock", true},
                                           {"of-none", "", true}}) {
    store_.put_set(name, {.owner = owner});
    state(name).rank_wait.waits = waits;
  }
  wakeups_.owner_changed("shop", "Deployment", "shop-front");
  EXPECT_EQ(run(), Names{"waiting"});
  wakeups_.owner_changed("shop", "StatefulSet", "shop-front");
  EXPECT_EQ(run(), Names());
}

// The controller may not run for a long time.
TEST_F(PendingWakeupsTest, ManyChangesAreProcessedAtOnce) {
  store_.put_set("web", {.owner = "shop-front"});
  state("web").rank_wait.waits = true;
  wakeups_.owner_changed("shop", "Deployment", "shop-front");
  for (int i = 2; i < 1'000; ++i) {
    wakeups_.owner_changed("shop", "Deployment", fmt::format("d-{}", i));
    ASSERT_EQ(woken(), Names()) << i;
  }
  wakeups_.owner_changed("shop", "Deployment", "the-last");
  EXPECT_EQ(woken(), Names{"web"});
}

TEST_F(PendingWakeupsTest, ATenantWithManyOrphansDelaysOnlyItself) {
  constexpr int kSets = 300;
  constexpr int kPods = 400;
  for (int i = 0; i < kSets; ++i)
    store_.put_set(fmt::format("big-{}", i), {.app = "big", .in = "a"});
  for (int i = 0; i < kPods; ++i) {
    const std::string name = fmt::format("big-{}", i);
    store_.put_pod(name, {.app = "none", .owner = "", .in = "a"});
    wakeups_.orphan_came(pod(name, "a"));
  }
  store_.put_set("small", {});
  store_.put_pod("small", {.owner = ""});
  wakeups_.orphan_came(pod("small"));
  EXPECT_EQ(run(), Names());  // the budget of a turn is spent on the first namespace
  EXPECT_EQ(run(), Names());  // and then there is a pause
  now_.mono = later_by(now_.mono, kBetweenRunsNs);
  EXPECT_EQ(run(), Names{"small"});
  EXPECT_FALSE(wakeups_.wake_at().is_zero());
}

}  // namespace
}  // namespace ebb::control
