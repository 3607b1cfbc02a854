#include "order/reason.h"

#include <gtest/gtest.h>

#include "support/objects/pods.h"

namespace ebb::order {
namespace {

using model::Pod;
using testing::kNow;
using testing::World;

class ReasonTest : public ::testing::Test {
 protected:
  [[nodiscard]] Lineup line_up() const {
    std::vector<Candidate> candidates;
    for (const Pod& pod : pods_) candidates.push_back({&pod});
    Lineup lineup(std::move(candidates), {.now = kNow});
    lineup.order_first(lineup.size());
    return lineup;
  }

  World world_;
  std::vector<Pod> pods_;
};

TEST_F(ReasonTest, ComparesAVictimWithTheFirstPodKept) {
  pods_ = {world_.pod("web-7d4-x2x1q"), world_.pod("web-7d4-zzzzz"), world_.pod("web-7d4-aaaaa")};
  pods_[2].deletion_cost = -2;
  const Reason reason = why_it_goes(line_up(), 0, 1);
  EXPECT_EQ(reason.rule, "DeletionCost");
  EXPECT_EQ(reason.because,
            "deletion cost -2 is lower than 0 of web-7d4-x2x1q, the first pod kept");
  EXPECT_EQ(reason.brief, "deletion cost -2 is lower than 0");
}

TEST_F(ReasonTest, ComparesAPodThatStaysWithTheLastVictim) {
  pods_ = {world_.pod("a"), world_.pod("b"), world_.pod("c"), world_.pod("d")};
  pods_[0].ready = false;
  pods_[1].deletion_cost = -2;
  const Lineup lineup = line_up();
  EXPECT_EQ(why_it_stays(lineup, 2, 2).rule, "DeletionCost");
  EXPECT_EQ(why_it_stays(lineup, 3, 2).because,
            "deletion cost 0 is higher than -2 of b, the last pod removed");
  EXPECT_EQ(why_it_stays(lineup, 1, 1).rule, "NotReady");
  EXPECT_EQ(why_it_stays(lineup, 1, 1).because, "Ready, unlike a, the last pod removed");
  EXPECT_EQ(why_it_stays(lineup, 1, 1).brief, "Ready");
}

// The boundary counts, not the neighbour: both victims differ from `c` in what
// they have in common, though they differ from each other in something else.
TEST_F(ReasonTest, NamesTheFirstDifferenceAcrossTheBoundary) {
  pods_ = {world_.pod("a"), world_.pod("b"), world_.pod("c")};
  pods_[0].ready = pods_[1].ready = false;
  pods_[0].restarts = 9;
  const Lineup lineup = line_up();
  EXPECT_EQ(why_it_goes(lineup, 0, 2).rule, "NotReady");
  EXPECT_EQ(why_it_goes(lineup, 1, 2).rule, "NotReady");
  EXPECT_EQ(why_it_goes(lineup, 0, 1).rule, "Restarts");
}

TEST_F(ReasonTest, FallsBackToTheUid) {
  pods_ = {world_.pod("b"), world_.pod("a")};
  const Reason reason = why_it_goes(line_up(), 0, 1);
  EXPECT_EQ(reason.rule, "Uid");
  EXPECT_EQ(reason.because,
            "equal by all other rules, uid a is smaller than b of b, the first pod kept");
}

TEST_F(ReasonTest, SaysAllWhenNoPodStays) {
  pods_ = {world_.pod("a"), world_.pod("b"), world_.pod("c")};
  pods_[0].ready = false;
  for (std::size_t place = 0; place < 3; ++place) {
    const Reason reason = why_it_goes(line_up(), place, 3);
    EXPECT_EQ(reason.rule, "All");
    EXPECT_EQ(reason.because, "no active pod stays");
    EXPECT_EQ(reason.brief, "no active pod stays");
  }
}

TEST_F(ReasonTest, AskingAboutTheWrongSideIsABug) {
  pods_ = {world_.pod("a"), world_.pod("b")};
  const Lineup lineup = line_up();
  EXPECT_DEATH((void)why_it_goes(lineup, 1, 1), "place < victims");
  EXPECT_DEATH((void)why_it_stays(lineup, 0, 1), "victims <= place");
  EXPECT_DEATH((void)why_it_stays(lineup, 0, 0), "victims > 0");
}

}  // namespace
}  // namespace ebb::order
