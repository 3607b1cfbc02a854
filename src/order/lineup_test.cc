#include "order/lineup.h"

#include <tuple>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/objects/pods.h"

namespace ebb::order {
namespace {

using model::Pod;
using testing::ago;
using testing::kNow;
using testing::World;

using Names = std::vector<std::string_view>;

class LineupTest : public ::testing::Test {
 protected:
  LineupTest() { pods_.reserve(100); }  // candidates point at them

  Candidate& add(std::string_view name) {
    pods_.push_back(world_.pod(name));
    return candidates_.emplace_back(Candidate{&pods_.back()});
  }

  [[nodiscard]] Lineup line_up() const { return Lineup(candidates_, context_); }

  static Names first_of(const Lineup& lineup, std::size_t count) {
    Names names;
    for (std::size_t i = 0; i < count; ++i) names.push_back(lineup[i].pod->name.view());
    return names;
  }

  World world_;
  OrderContext context_{.now = kNow};
  std::vector<Pod> pods_;
  std::vector<Candidate> candidates_;
};

TEST_F(LineupTest, OrdersTheFirstPodsAndPutsTheFirstThatStaysBehindThem) {
  for (const char* name : {"f", "b", "d", "a", "e", "c"}) add(name);
  Lineup lineup = line_up();
  EXPECT_EQ(lineup.size(), 6U);
  lineup.order_first(2);
  EXPECT_EQ(first_of(lineup, 3), (Names{"a", "b", "c"}));
  lineup.order_first(4);
  EXPECT_EQ(first_of(lineup, 5), (Names{"a", "b", "c", "d", "e"}));
  lineup.order_first(6);
  EXPECT_EQ(first_of(lineup, 6), (Names{"a", "b", "c", "d", "e", "f"}));
}

TEST_F(LineupTest, OrderingNoneStillFindsTheFirstThatWouldGo) {
  for (const char* name : {"b", "a", "c"}) add(name);
  Lineup lineup = line_up();
  lineup.order_first(0);
  EXPECT_EQ(first_of(lineup, 1), Names{"a"});
}

TEST_F(LineupTest, CanBeEmpty) {
  Lineup lineup = line_up();
  lineup.order_first(0);
  EXPECT_EQ(lineup.size(), 0U);
}

TEST_F(LineupTest, OrderingMoreThanThereAreIsABug) {
  add("a");
  Lineup lineup = line_up();
  EXPECT_DEATH(lineup.order_first(2), "count <= candidates_.size");
}

// Each pod has one reason to go, all reasons differ, and the uids would give the opposite order.
// So the pods go as listed exactly if the criteria are in this order.
TEST_F(LineupTest, AsksTheCriteriaInTheDocumentedOrder) {
  context_.cost_ranks = true;
  const auto add_all = [this](bool picker) {
    context_.picker = picker;
    pods_.clear();
    candidates_.clear();
    add("unassigned");
    pods_.back().node = {};
    add("pending");
    pods_.back().phase = model::Phase::kPending;
    add("unknown");
    pods_.back().phase = model::Phase::kUnknown;
    add("not-ready");
    pods_.back().ready = false;
    add("labelled");
    pods_.back().prefer_for_scale_down = true;
    add("cheap");
    pods_.back().deletion_cost = -1;
    add("ranked").cost_rank = 1;
    if (picker) {
      add("chosen").verdict = Verdict::kChosen;
      add("tied").verdict = Verdict::kTied;
    } else {
      add("crowded").co_located = 2;
    }
    add("fresh");
    pods_.back().ready_since = ago(kHour);
    add("restarted");
    pods_.back().restarts = 1;
    add("sidecar-restarted");
    pods_.back().sidecar_restarts = 1;
    add("new");
    pods_.back().created = ago(kHour);
    add("b-small-uid");
    add("a-great-uid");
    for (std::size_t i = 0; i < pods_.size(); ++i) {
      const auto letter = static_cast<char>('z' - static_cast<char>(i));
      pods_[i].uid = world_.intern(std::string(1, letter));
    }
    pods_.back().uid = world_.intern("zz");
  };
  for (const bool picker : {false, true}) {
    add_all(picker);
    Lineup lineup = line_up();
    lineup.order_first(lineup.size());
    Names listed;
    for (const Pod& pod : pods_) listed.push_back(pod.name.view());
    EXPECT_EQ(first_of(lineup, lineup.size()), listed);
  }
}

// A word of 64 bits cannot hold all of these keys, so the full comparison decides.
TEST_F(LineupTest, ComparesInFullWhatDoesNotFitIntoAWord) {
  context_.cost_ranks = true;
  context_.logarithmic = false;
  const std::int32_t extremes[] = {INT32_MIN, 0, INT32_MAX};
  for (const std::int32_t cost : extremes) {
    for (const std::int32_t rank : extremes) {
      for (const std::int32_t restarts : extremes) {
        add(fmt::format("{}/{}/{}", cost, rank, restarts)).cost_rank = rank;
        pods_.back().deletion_cost = cost;
        pods_.back().restarts = restarts;
      }
    }
  }
  Lineup lineup = line_up();
  lineup.order_first(lineup.size());
  const auto merit = [&](std::size_t i) {
    const Candidate& candidate = lineup[i];
    return std::tuple(std::int64_t{candidate.pod->deletion_cost},
                      -std::int64_t{candidate.cost_rank}, -std::int64_t{candidate.pod->restarts});
  };
  for (std::size_t i = 1; i < lineup.size(); ++i) EXPECT_LT(merit(i - 1), merit(i)) << i;
}

TEST_F(LineupTest, ComparesInFullUidsThatBeginAlike) {
  for (const char* uid : {"same-beginning-2", "same-beginning-1", "same-beg", "same-beginning-10",
                          "same-beginning"}) {
    add(uid);
  }
  Lineup lineup = line_up();
  lineup.order_first(5);
  EXPECT_EQ(first_of(lineup, 5), (Names{"same-beg", "same-beginning", "same-beginning-1",
                                        "same-beginning-10", "same-beginning-2"}));
}

TEST(Compare, IsEqualOnlyForTheSamePod) {
  World world;
  const Pod a = world.pod("a");
  const Pod b = world.pod("b");
  const OrderContext context{.now = kNow};
  EXPECT_EQ(compare({&a}, {&a}, context), std::strong_ordering::equal);
  EXPECT_EQ(compare({&a}, {&b}, context), std::strong_ordering::less);
  EXPECT_EQ(compare({&b}, {&a}, context), std::strong_ordering::greater);
}

}  // namespace
}  // namespace ebb::order
