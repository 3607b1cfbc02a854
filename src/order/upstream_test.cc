// The tables of upstream's own tests for its removal order, to show that ebb chooses the same
// pods. Two things are adapted: ebb's order is total, so pods have uids, and pods that upstream
// considers equal differ only in the uid.
#include <algorithm>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "order/lineup.h"
#include "order/related.h"
#include "order/removal_order.h"
#include "order/select.h"
#include "support/objects/pods.h"

namespace ebb::order {
namespace {

using model::Phase;
using model::Pod;
using testing::ago;
using testing::kNow;
using testing::pointers;
using testing::World;

using Names = std::vector<std::string>;

constexpr Nanoseconds kMonth = 31 * 24 * kHour;

bool equal_but_for_uid(const Candidate& a, const Candidate& b, const OrderContext& context) {
  return !find_criterion([&]<class Criterion>() {
    return Criterion::kName != order::Uid::kName &&
           Criterion::key(a, context) != Criterion::key(b, context);
  });
}

// SortingActivePods.
TEST(Upstream, SortsActivePodsFromUnscheduledToOldest) {
  World world;
  const auto pod = [&](std::string_view name, Phase phase, bool ready = false,
                       Timestamp ready_since = {}, std::int32_t restarts = 0) {
    Pod made = world.pod(name);
    made.phase = phase;
    made.ready = ready;
    made.ready_since = ready_since;
    made.restarts = restarts;
    made.created = {};
    return made;
  };
  std::vector<Pod> pods = {
      pod("no-node", Phase::kPending),
      pod("pending-on-a-node", Phase::kPending),
      pod("phase-unknown", Phase::kUnknown),
      pod("not-ready", Phase::kRunning),
      pod("ready-at-no-time", Phase::kRunning, true, {}, 3),
      pod("ready-just-now", Phase::kRunning, true, kNow, 3),
      pod("ready-for-a-month", Phase::kRunning, true, ago(kMonth), 3),
      pod("fewer-restarts-some-sidecar", Phase::kRunning, true, ago(kMonth), 2),
      pod("fewer-restarts-no-sidecar", Phase::kRunning, true, ago(kMonth), 2),
      pod("oldest", Phase::kRunning, true, ago(kMonth), 2),
  };
  pods[0].node = {};
  pods[7].sidecar_restarts = 2;
  pods[7].created = pods[8].created = kNow;
  pods[9].created = ago(kMonth);
  for (std::size_t i = 0; i < pods.size(); ++i) {  // uids would give the opposite order
    pods[i].uid = world.intern(fmt::format("{:02}", pods.size() - i));
  }
  Names wanted;
  for (const Pod& each : pods) wanted.emplace_back(each.name.view());

  std::mt19937 random(20);
  for (const bool logarithmic : {true, false}) {
    const OrderContext context{.now = kNow, .logarithmic = logarithmic};
    for (int round = 0; round < 20; ++round) {
      std::vector<Candidate> candidates;
      for (const Pod& each : pods) candidates.push_back({&each});
      std::shuffle(candidates.begin(), candidates.end(), random);
      Lineup lineup(std::move(candidates), context);
      lineup.order_first(lineup.size());
      Names sorted;
      for (std::size_t i = 0; i < lineup.size(); ++i) {
        sorted.emplace_back(lineup[i].pod->name.view());
      }
      EXPECT_EQ(sorted, wanted) << "round " << round << ", buckets " << logarithmic;
    }
  }
}

// SortingActivePodsWithRanks.
class UpstreamWithRanks : public ::testing::Test {
 protected:
  Pod pod(std::string_view name, std::string_view node, Phase phase, bool ready,
          Timestamp ready_since, Timestamp created) {
    Pod made = world_.pod(name);
    made.node = world_.intern(node);
    made.phase = phase;
    made.ready = ready;
    made.ready_since = ready_since;
    made.created = created;
    return made;
  }
  Pod ready(std::string_view name, Timestamp since, Timestamp created, std::int32_t restarts = 0,
            std::int32_t sidecar_restarts = 0) {
    Pod made = pod(name, "node", Phase::kRunning, true, since, created);
    made.restarts = restarts;
    made.sidecar_restarts = sidecar_restarts;
    return made;
  }

  World world_;
  Pod unscheduled_ = pod("unscheduled", "", Phase::kPending, false, {}, {});
  Pod pending_ = pod("pending", "node", Phase::kPending, false, {}, {});
  Pod unknown_ = pod("unknown-phase", "node", Phase::kUnknown, false, {}, {});
  Pod not_ready_ = pod("not-ready", "node", Phase::kRunning, false, {}, {});
  Pod ready_no_time_ = ready("ready-no-last-transition-time", {}, {});
  Pod ready_now_ = ready("ready-now", kNow, kNow);
  Pod ready_then_ = ready("ready-then", ago(kMonth), ago(kMonth));
  Pod high_restarts_ = ready("ready-high-restarts", kNow, kNow, 9001);
  Pod high_sidecar_restarts_ = ready("ready-high-sidecar-restarts", kNow, kNow, 9001, 9001);
  Pod ready_now_created_then_ = ready("ready-now-created-then", kNow, ago(kMonth));
  Pod low_cost_ = ready("low-deletion-cost", kNow, ago(kMonth));
  Pod high_cost_ = ready("high-deletion-cost", kNow, ago(kMonth));
  Pod unscheduled_5h_ =
      pod("unscheduled-5-hours", "", Phase::kPending, false, ago(5 * kHour), ago(5 * kHour));
  Pod unscheduled_8h_ =
      pod("unscheduled-8-hours", "", Phase::kPending, false, ago(8 * kHour), ago(8 * kHour));
  Pod ready_2h_ = pod("ready-2-hours", "", Phase::kRunning, true, ago(2 * kHour), ago(kMonth));
  Pod ready_5h_ = pod("ready-5-hours", "", Phase::kRunning, true, ago(5 * kHour), ago(kMonth));
  Pod ready_8h_ = pod("ready-8-hours", "", Phase::kRunning, true, ago(8 * kHour), ago(kMonth));
};

TEST_F(UpstreamWithRanks, PodsOfOneBucketAreEqualButForTheUid) {
  const OrderContext context{.now = kNow};
  for (const auto& [a, b] :
       {std::pair(&unscheduled_5h_, &unscheduled_8h_), std::pair(&ready_5h_, &ready_8h_)}) {
    EXPECT_TRUE(equal_but_for_uid({a, 1}, {b, 1}, context)) << a->name.view();
  }
}

TEST_F(UpstreamWithRanks, EveryPodEqualsItself) {
  const OrderContext context{.now = kNow};
  for (const Pod* each : {&unscheduled_, &pending_, &unknown_, &not_ready_, &ready_now_,
                          &ready_then_, &high_restarts_, &ready_now_created_then_}) {
    Pod twin = *each;
    twin.uid = world_.intern("twin");
    EXPECT_TRUE(equal_but_for_uid({each, 1}, {&twin, 1}, context)) << each->name.view();
    EXPECT_EQ(compare({each, 1}, {each, 1}, context), std::strong_ordering::equal);
  }
}

TEST_F(UpstreamWithRanks, EachOfSeventeenPairsHasOneOrder) {
  low_cost_.deletion_cost = 10;
  high_cost_.deletion_cost = 100;
  struct Pair {
    const Pod& lesser;
    std::uint32_t lesser_rank;
    const Pod& greater;
    std::uint32_t greater_rank;
    bool deletion_cost = true;
  };
  const Pair pairs[] = {
      {unscheduled_, 1, pending_, 2},
      {unscheduled_, 2, pending_, 1},
      {pending_, 1, unknown_, 2},
      {unknown_, 1, not_ready_, 2},
      {not_ready_, 1, ready_no_time_, 1},
      {ready_no_time_, 1, ready_now_, 1},
      {ready_now_, 2, ready_no_time_, 1},
      {ready_now_, 1, ready_then_, 1},
      {ready_now_, 2, ready_then_, 1},
      {high_restarts_, 1, ready_now_, 1},
      {high_sidecar_restarts_, 1, high_restarts_, 1},
      {ready_now_, 2, high_restarts_, 1},
      {ready_now_, 1, ready_now_created_then_, 1},
      {ready_now_created_then_, 2, ready_now_, 1},
      {low_cost_, 2, high_cost_, 1},
      {high_cost_, 2, low_cost_, 1, false},
      {ready_2h_, 1, ready_5h_, 1},
  };
  for (const Pair& pair : pairs) {
    // Whichever way the uids point.
    for (const auto& [lesser_uid, greater_uid] : {std::pair("a", "b"), std::pair("b", "a")}) {
      Pod lesser = pair.lesser;
      Pod greater = pair.greater;
      lesser.uid = world_.intern(lesser_uid);
      greater.uid = world_.intern(greater_uid);
      const OrderContext context{.now = kNow, .deletion_cost = pair.deletion_cost};
      EXPECT_EQ(compare({&lesser, pair.lesser_rank}, {&greater, pair.greater_rank}, context),
                std::strong_ordering::less)
          << lesser.name.view() << " and " << greater.name.view();
    }
  }
}

// GetPodsToDelete.
class UpstreamPodsToDelete : public ::testing::Test {
 protected:
  // `pods` may name a kind of pod more than once; each is a pod of its own.
  Names choose(const Names& kinds, const Names& related, std::size_t surplus) {
    std::vector<Pod> pods;
    for (const std::string& kind : kinds) pods.push_back(make(kind, pods.size()));
    NodeCounts counts;
    for (const std::string& kind : related) ++counts[make(kind, 0).node];
    const auto candidates = pointers(pods);
    Lineup lineup = line_up({.candidates = candidates,
                             .co_located = counts,
                             .now = kNow,
                             .gates = {},
                             .prefer_label_in_template = false,
                             .cost_ranks = {},
                             .verdicts = {}});
    lineup.order_first(surplus);
    Names chosen;
    for (std::size_t i = 0; i < surplus; ++i) chosen.emplace_back(lineup[i].pod->name.view());
    return chosen;
  }

 private:
  Pod make(const std::string& kind, std::size_t number) {
    Pod pod = world_.pod(kind);
    pod.uid = world_.intern(fmt::format("{}", number));
    pod.created = pod.ready_since = {};
    if (kind == "unscheduled") pod.node = {};
    if (kind == "unscheduled" || kind == "pending") pod.phase = Phase::kPending;
    if (kind == "on-node-2") pod.node = world_.intern("node-2");
    pod.ready = kind.starts_with("on-node");
    if (!pod.ready && !pod.node.empty()) pod.node = world_.intern("node");
    return pod;
  }

  World world_;
};

TEST_F(UpstreamPodsToDelete, AreChosenAsInEveryUpstreamCase) {
  struct Case {
    const char* name;
    Names pods;
    Names related;
    std::size_t surplus;
    Names expected;
  };
  const Names various = {"on-node-1", "on-node-1", "on-node-2",
                         "not-ready", "pending",   "unscheduled"};
  const Names various_in_order = {"unscheduled", "pending",   "not-ready",
                                  "on-node-1",   "on-node-1", "on-node-2"};
  const Case cases[] = {
      {"no pods", {}, {}, 0, {}},
      {"all of two",
       {"not-ready", "on-node-1"},
       {"not-ready", "on-node-1"},
       2,
       {"not-ready", "on-node-1"}},
      {"one of two", {"on-node-1", "not-ready"}, {"on-node-1", "not-ready"}, 1, {"not-ready"}},
      {"all of various", various, various, 6, various_in_order},
      // Without related pods the uids decide, and those are in the order of the list.
      {"all of various, none related", various, {}, 6, various_in_order},
      {"scheduled and not",
       {"pending", "unscheduled"},
       {"pending", "unscheduled"},
       1,
       {"unscheduled"}},
      {"ready and not",
       {"on-node-1", "not-ready", "not-ready"},
       {"on-node-1", "not-ready", "not-ready"},
       2,
       {"not-ready", "not-ready"}},
      {"alone and not",
       {"on-node-1", "on-node-2"},
       {"on-node-1", "on-node-2", "on-node-2"},
       1,
       {"on-node-2"}},
      {"pending and running", {"pending", "not-ready"}, {"pending", "not-ready"}, 1, {"pending"}},
      {"three of various",
       {"on-node-1", "on-node-2", "not-ready", "pending", "unscheduled"},
       {"on-node-1", "on-node-2", "not-ready", "pending", "unscheduled"},
       3,
       {"unscheduled", "pending", "not-ready"}},
  };
  for (const Case& c : cases) EXPECT_EQ(choose(c.pods, c.related, c.surplus), c.expected) << c.name;
}

}  // namespace
}  // namespace ebb::order
