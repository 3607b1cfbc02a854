#include "control/core/claim.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/objects/pods.h"

namespace ebb::control {
namespace {

using model::Phase;
using model::Pod;
using model::ReplicaSet;
using testing::World;

enum class Owner { kOurs, kNone, kOther, kEarlier };

// The verdict on one pod, as text, so that a failure is readable.
std::string outcome(const ReplicaSet& set, const Pod& pod) {
  const Pod* const pods[] = {&pod};
  const Claim claim = claim_pods(set, pods);
  if (!claim.ignored.empty()) return fmt::format("ignored: {}", claim.ignored.front().because);
  if (!claim.adopted.empty()) return claim.active == claim.adopted ? "adopted" : "broken";
  return claim.active.empty() ? "skipped" : "kept";
}

class ClaimTest : public ::testing::Test {
 protected:
  Pod pod(Owner owner, bool matches, Phase phase = Phase::kRunning, bool deleting = false) {
    Pod made = world_.pod("web-x");
    made.labels = world_.labels({{"app", matches ? "web" : "other"}});
    switch (owner) {
      case Owner::kOurs:
        made.controller = world_.owner("ReplicaSet", "web", "web-uid");
        break;
      case Owner::kNone:
        made.controller = nullptr;
        break;
      case Owner::kOther:
        made.controller = world_.owner("Job", "batch", "job-uid");
        break;
      case Owner::kEarlier:
        made.controller = world_.owner("ReplicaSet", "web", "an-earlier-web-uid");
        break;
    }
    made.phase = phase;
    made.deleting = deleting;
    return made;
  }

  World world_;
  ReplicaSet set_ = world_.replica_set("web");
};

TEST_F(ClaimTest, DecidesByOwnerLabelsAndDeletionOfTheReplicaSet) {
  struct Case {
    Owner owner;
    bool matches;
    const char* normally;
    const char* while_deleting;
  };
  const Case cases[] = {
      {Owner::kOurs, true, "kept", "kept"},
      {Owner::kOurs, false, "ignored: labels no longer match the selector",
       "ignored: labels no longer match the selector"},
      {Owner::kNone, true, "adopted", "skipped"},
      {Owner::kNone, false, "skipped", "skipped"},
      {Owner::kOther, true, "skipped", "skipped"},
      {Owner::kOther, false, "skipped", "skipped"},
      {Owner::kEarlier, true, "skipped", "skipped"},
      {Owner::kEarlier, false, "skipped", "skipped"},
  };
  for (const Case& c : cases) {
    set_.deleting = false;
    EXPECT_EQ(outcome(set_, pod(c.owner, c.matches)), c.normally)
        << static_cast<int>(c.owner) << c.matches;
    set_.deleting = true;
    EXPECT_EQ(outcome(set_, pod(c.owner, c.matches)), c.while_deleting)
        << static_cast<int>(c.owner) << c.matches;
  }
}

TEST_F(ClaimTest, OnlyActivePodsAreClaimed) {
  struct Case {
    Phase phase;
    bool deleting;
    const char* ours;
    const char* orphan;
  };
  const Case cases[] = {
      {Phase::kPending, false, "kept", "adopted"},
      {Phase::kRunning, false, "kept", "adopted"},
      {Phase::kUnknown, false, "kept", "adopted"},
      {Phase::kOther, false, "kept", "adopted"},
      {Phase::kSucceeded, false, "ignored: succeeded", "skipped"},
      {Phase::kFailed, false, "ignored: failed", "skipped"},
      {Phase::kRunning, true, "ignored: terminating", "skipped"},
      {Phase::kPending, true, "ignored: terminating", "skipped"},
      // A finished pod does not count as terminating.
      {Phase::kSucceeded, true, "ignored: succeeded", "skipped"},
      {Phase::kFailed, true, "ignored: failed", "skipped"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(outcome(set_, pod(Owner::kOurs, true, c.phase, c.deleting)), c.ours)
        << to_string(c.phase) << c.deleting;
    EXPECT_EQ(outcome(set_, pod(Owner::kNone, true, c.phase, c.deleting)), c.orphan)
        << to_string(c.phase) << c.deleting;
  }
}

TEST_F(ClaimTest, InactivePodsOfOthersAreSkipped) {
  EXPECT_EQ(outcome(set_, pod(Owner::kOther, true, Phase::kFailed)), "skipped");
  EXPECT_EQ(outcome(set_, pod(Owner::kNone, false, Phase::kRunning, true)), "skipped");
}

TEST_F(ClaimTest, OtherNamespacesAreOutOfReach) {
  for (const Owner owner : {Owner::kOurs, Owner::kNone}) {
    Pod elsewhere = pod(owner, true);
    elsewhere.namespace_name = world_.intern("elsewhere");
    EXPECT_EQ(outcome(set_, elsewhere), "skipped");
  }
}

// After upstream's ClaimedPodFiltering: one list with everything in it.
TEST_F(ClaimTest, SortsOutAWholeNamespaceInTheOrderListed) {
  const std::vector<Pod> pods = {
      pod(Owner::kOther, true), pod(Owner::kOurs, true),  pod(Owner::kNone, true),
      pod(Owner::kOurs, false), pod(Owner::kNone, false), pod(Owner::kOurs, true, Phase::kFailed),
      pod(Owner::kOurs, true),
  };
  const Claim claim = claim_pods(set_, testing::pointers(pods));
  EXPECT_EQ(claim.active, (std::vector<const Pod*>{&pods[1], &pods[2], &pods[6]}));
  EXPECT_EQ(claim.adopted, std::vector<const Pod*>{&pods[2]});
  ASSERT_EQ(claim.ignored.size(), 2U);
  EXPECT_EQ(claim.ignored[0].pod, &pods[3]);
  EXPECT_EQ(claim.ignored[1].pod, &pods[5]);
  EXPECT_EQ(claim.released, std::vector<const Pod*>{&pods[3]});
}

TEST_F(ClaimTest, AReplicaSetThatIsBeingDeletedReleasesNothing) {
  set_.deleting = true;
  const std::vector<Pod> pods = {pod(Owner::kOurs, false)};
  EXPECT_TRUE(claim_pods(set_, testing::pointers(pods)).released.empty());
}

TEST_F(ClaimTest, PatchesFiveHundredPodsAtATimeAndEachOnce) {
  std::vector<Pod> pods;
  for (int i = 0; i < 1'300; ++i) {
    pods.push_back(pod(i < 700 ? Owner::kNone : Owner::kOurs, i < 700));
    const std::string name = fmt::format("web-{:04}", 1'300 - i);
    pods.back().name = world_.pod(name).name;
    pods.back().uid = world_.pod(name).uid;
  }
  std::vector<const Pod*> all;
  for (const Pod& each : pods) all.push_back(&each);
  const Claim claim = claim_pods(set_, all);
  std::set<std::string, std::less<>> tried;
  std::vector<std::pair<std::size_t, std::size_t>> batches;
  while (true) {
    const ClaimPatches patches = next_patches(claim, true, tried);
    if (patches.size() == 0) break;
    batches.emplace_back(patches.adopted.size(), patches.released.size());
    for (const auto& some : {patches.adopted, patches.released}) {
      for (const Pod* each : some) EXPECT_TRUE(tried.emplace(each->uid.view()).second);
    }
  }
  EXPECT_EQ(batches,
            (std::vector<std::pair<std::size_t, std::size_t>>{{500, 0}, {200, 300}, {0, 300}}));
  EXPECT_EQ(next_patches(claim, false, {}).adopted.size(), 0U);
}

}  // namespace
}  // namespace ebb::control
