#include "control/replicaset/replica_set_snapshot.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/control/small_store.h"
#include "support/objects/pods.h"

namespace ebb::control::replicasets {
namespace {

using What = PendingCall::What;

class ReplicaSetSnapshot : public ::testing::Test {
 protected:
  ReplicaSetSnapshot() { static_cast<model::ReplicaSet&>(set_) = world_.replica_set("web"); }

  testing::World world_;
  ReplicaSet set_;
};

TEST_F(ReplicaSetSnapshot, OrphansAreActiveOnceTheyAreAdopted) {
  std::vector<Pod> pods = {world_.pod("own"), world_.pod("old-orphan"), world_.pod("new-orphan")};
  pods[1].controller = pods[2].controller = nullptr;
  const Snapshot snapshot = take_snapshot(set_, testing::pointers(pods), {"old-orphan"});
  EXPECT_EQ(snapshot.claim.active, (std::vector<const Pod*>{&pods[0], &pods[1]}));
  EXPECT_EQ(snapshot.claim.adopted, (std::vector<const Pod*>{&pods[1], &pods[2]}));
}

TEST_F(ReplicaSetSnapshot, ACallIsWantedWhileItsPodIsAsItWas) {
  enum class Who { kOwn, kOrphan, kAdopted, kOther };
  struct Case {
    Who who;
    bool matches;
    const char* wanted;          // of adopt, release, delete
    const char* while_deleting;  // the ReplicaSet
  };
  const Case cases[] = {
      {Who::kOwn, true, "--d", "--d"},     {Who::kOwn, false, "-r-", "---"},
      {Who::kOrphan, true, "a--", "---"},  {Who::kOrphan, false, "---", "---"},
      {Who::kAdopted, true, "a-d", "--d"}, {Who::kAdopted, false, "---", "---"},
      {Who::kOther, true, "---", "---"},   {Who::kOther, false, "---", "---"},
  };
  for (const Case& c : cases) {
    Pod pod = world_.pod("web-1");
    if (c.who == Who::kOrphan || c.who == Who::kAdopted) pod.controller = nullptr;
    if (c.who == Who::kOther) pod.controller = world_.owner("ReplicaSet", "web", "earlier-uid");
    if (!c.matches) pod.labels = world_.labels({{"app", "other"}});
    const Uids adopted = c.who == Who::kAdopted ? Uids{"web-1"} : Uids{};
    const auto ask = [&](const Pod* found, std::string uid = "web-1") {
      std::string wanted;
      for (const auto& [what, letter] :
           {std::pair(What::kAdopt, 'a'), {What::kRelease, 'r'}, {What::kDelete, 'd'}}) {
        const PendingCall pending{.what = what, .pod = "web-1", .pod_uid = uid};
        wanted += still_claims(set_, found, pending, adopted) ? letter : '-';
      }
      return wanted;
    };
    SCOPED_TRACE(fmt::format("{} {}", static_cast<int>(c.who), c.matches));
    set_.deleting = false;
    EXPECT_EQ(ask(&pod), c.wanted);
    EXPECT_EQ(ask(&pod, "uid-of-its-predecessor"), "---");
    EXPECT_EQ(ask(nullptr), "---");
    set_.deleting = true;
    EXPECT_EQ(ask(&pod), c.while_deleting);
    set_.deleting = false;
    pod.deleting = true;
    EXPECT_EQ(ask(&pod), "---");
  }
}

// Otherwise a delete could be sent that a new sync would not decide on.
TEST_F(ReplicaSetSnapshot, CountsWhatASnapshotHasAsActive) {
  testing::SmallStore store;
  store.put_set("web", {});
  int number = 0;
  for (const char* app : {"web", "other"}) {
    for (const char* owner : {"web", "another", ""}) {
      for (const char* phase : {"Running", "Failed"}) {
        store.put_pod(fmt::format("{}", ++number), {.app = app, .owner = owner, .phase = phase});
      }
    }
  }
  const ReplicaSet& set = *store.replica_set("shop", "web");
  std::vector<const Pod*> pods;
  store.each_pod_in("shop", [&](const Pod& pod) { pods.push_back(&pod); });
  for (const Uids& adopted : {Uids{}, Uids{"u-5"}, Uids{"u-5", "u-6", "u-11"}}) {
    const std::size_t count = count_active(set, store, adopted);
    EXPECT_EQ(count, take_snapshot(set, pods, adopted).claim.active.size());
    EXPECT_EQ(count, adopted.empty() ? 1U : 2U);
  }
}

}  // namespace
}  // namespace ebb::control::replicasets
