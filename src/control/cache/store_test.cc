#include "control/cache/store.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace ebb::control {
namespace {

namespace json = boost::json;
using Format = Store::Format;
using Texts = std::vector<std::string>;

struct PodText {
  std::string name = "web-1";
  std::string uid = "u1";
  int revision = 1;
  std::string owner{};  // its uid
  std::string namespace_name = "shop";
  std::string labels = R"({"app":"web"})";
};

std::string text_of(const PodText& pod) {
  const std::string owner =
      pod.owner.empty() ? ""
                        : fmt::format(R"({{"kind":"ReplicaSet","name":"rs-{0}","uid":"{0}",)"
                                      R"("controller":true}})",
                                      pod.owner);
  return fmt::format(R"({{"metadata":{{"name":"{}","namespace":"{}","uid":"{}",)"
                     R"("resourceVersion":"{}","labels":{},"ownerReferences":[{}]}}}})",
                     pod.name, pod.namespace_name, pod.uid, pod.revision, pod.labels, owner);
}

// Of the ReplicaSet that the owner above names.
std::vector<const Pod*> pods_of(const Store& store, std::string_view owner) {
  return store.pods_of({"shop", "ReplicaSet", fmt::format("rs-{}", owner), owner});
}

std::string workload(std::string_view name, std::string_view uid, int revision,
                     std::string_view more_metadata = "", std::string_view replicas = "3") {
  return fmt::format(
      R"({{"kind":"ReplicaSet","apiVersion":"apps/v1","metadata":{{"name":"{}",)"
      R"("namespace":"shop","uid":"{}","resourceVersion":"{}"{}}},"spec":{{"replicas":{},)"
      R"("selector":{{"matchLabels":{{"app":"web"}}}}}}}})",
      name, uid, revision, more_metadata, replicas);
}

// Records changes: `+web-1@1`, `web-1@1>2`, `-web-1@2`.
class Diary : public StoreListener {
 public:
  void pod_changed(const Change<Pod>& change) override { write(change, &Pod::revision); }
  void replica_set_changed(const Change<ReplicaSet>& change) override {
    write(change, &ReplicaSet::revision_seen);
  }
  void deployment_changed(const Change<Deployment>& change) override {
    write(change, &Deployment::revision_seen);
  }
  void node_changed(const Change<Node>& change) override { write(change, &Node::revision_seen); }
  void group_cost_changed(const Change<GroupCost>& change) override {
    write(change, &GroupCost::revision_seen);
  }

  [[nodiscard]] Texts take() { return std::exchange(lines_, {}); }

 private:
  template <class Object, class Base>
  void write(const Change<Object>& change, std::uint64_t Base::*revision) {
    if (change.before == nullptr) {
      lines_.push_back(fmt::format("+{}@{}", change.after->name.view(), change.after->*revision));
    } else if (change.after == nullptr) {
      lines_.push_back(fmt::format("-{}@{}", change.before->name.view(), change.before->*revision));
    } else {
      lines_.push_back(fmt::format("{}@{}>{}", change.before->name.view(), change.before->*revision,
                                   change.after->*revision));
    }
  }

  Texts lines_;
};

struct StoreTest : ::testing::Test {
  StoreTest() { store.listen(diary); }

  void put(const PodText& pod) {
    const auto done = store.upsert(Resource::kPods, Format::kJson, text_of(pod));
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_EQ(*done, static_cast<std::uint64_t>(pod.revision));
  }
  void take_away(const PodText& pod) {
    ASSERT_TRUE(store.remove(Resource::kPods, Format::kJson, text_of(pod)));
  }
  static Texts names(const std::vector<const Pod*>& pods) {
    Texts found;
    for (const Pod* pod : pods) found.emplace_back(pod->name.view());
    std::sort(found.begin(), found.end());
    return found;
  }

  Store store;
  Diary diary;
};

TEST_F(StoreTest, FindsPodsByNameByOwnerAndAmongOrphans) {
  put({.name = "a", .uid = "1", .owner = "rs1"});
  put({.name = "b", .uid = "2", .owner = "rs1"});
  put({.name = "c", .uid = "3", .owner = "rs2"});
  put({.name = "d", .uid = "4"});
  put({.name = "a", .uid = "5", .namespace_name = "other"});
  EXPECT_EQ(names(pods_of(store, "rs1")), Texts({"a", "b"}));
  EXPECT_EQ(names(pods_of(store, "rs2")), Texts({"c"}));
  EXPECT_EQ(names(pods_of(store, "nobody")), Texts());
  EXPECT_EQ(names(store.orphans_in("shop")), Texts({"d"}));
  EXPECT_EQ(names(store.orphans_in("other")), Texts({"a"}));
  EXPECT_EQ(names(store.orphans_in("nowhere")), Texts());
  EXPECT_EQ(store.pods(), 5U);
  ASSERT_NE(store.pod("other", "a"), nullptr);
  EXPECT_EQ(store.pod("other", "a")->uid.view(), "5");
  EXPECT_EQ(store.pod("shop", "x"), nullptr);
  std::size_t in_shop = 0;
  store.each_pod_in("shop",
                    [&](const Pod& pod) { in_shop += pod.namespace_name.view() == "shop"; });
  EXPECT_EQ(in_shop, 4U);
}

TEST_F(StoreTest, MovesAPodThatIsAdoptedReleasedOrGone) {
  put({.revision = 1});
  put({.revision = 2, .owner = "rs1"});
  EXPECT_EQ(names(store.orphans_in("shop")), Texts());
  EXPECT_EQ(names(pods_of(store, "rs1")), Texts({"web-1"}));
  put({.revision = 3, .owner = "rs2"});
  EXPECT_EQ(names(pods_of(store, "rs1")), Texts());
  EXPECT_EQ(names(pods_of(store, "rs2")), Texts({"web-1"}));
  put({.revision = 4});
  EXPECT_EQ(names(store.orphans_in("shop")), Texts({"web-1"}));
  take_away({.revision = 5});
  EXPECT_EQ(names(store.orphans_in("shop")), Texts());
  EXPECT_EQ(diary.take(), Texts({"+web-1@1", "web-1@1>2", "web-1@2>3", "web-1@3>4", "-web-1@5"}));
}

TEST_F(StoreTest, KeepsAPodInItsPlaceWhenItChanges) {
  put({.revision = 1});
  const Pod* place = store.pod("shop", "web-1");
  for (int i = 0; i < 1000; ++i) {
    put({.name = fmt::format("other-{}", i), .uid = fmt::format("o{}", i), .revision = 2 + i});
  }
  put({.revision = 2000});
  EXPECT_EQ(store.pod("shop", "web-1"), place);
}

TEST_F(StoreTest, NeverGoesBackToAnOlderState) {
  put({.revision = 5, .owner = "rs1"});
  put({.revision = 4});
  put({.uid = "older", .revision = 3});
  take_away({.uid = "older", .revision = 4});
  EXPECT_EQ(diary.take(), Texts({"+web-1@5"}));
  EXPECT_EQ(names(pods_of(store, "rs1")), Texts({"web-1"}));
}

TEST_F(StoreTest, DoesNotTellWhatItHasAlready) {
  put({.revision = 5});
  put({.revision = 5});
  EXPECT_EQ(diary.take(), Texts({"+web-1@5"}));
}

TEST_F(StoreTest, ReportsAReplacedObjectAsTwoChanges) {
  put({.uid = "u1", .revision = 5, .owner = "rs1"});
  put({.uid = "u2", .revision = 7});
  EXPECT_EQ(diary.take(), Texts({"+web-1@5", "-web-1@5", "+web-1@7"}));
  EXPECT_EQ(names(pods_of(store, "rs1")), Texts());
  // The deletion of the first one comes too late to matter.
  take_away({.uid = "u1", .revision = 6});
  EXPECT_EQ(diary.take(), Texts());
  // The deletion of an unseen successor shows that the cached object is gone.
  take_away({.uid = "u3", .revision = 9});
  EXPECT_EQ(diary.take(), Texts({"-web-1@7"}));
}

TEST_F(StoreTest, RevisionsThatAreNotNumbersNeverBlock) {
  const auto pod = [](std::string_view revision) {
    return fmt::format(
        R"({{"metadata":{{"name":"p","namespace":"shop","uid":"u","resourceVersion":"{}"}}}})",
        revision);
  };
  for (const char* revision : {"abc", "abd", "7", "x"}) {
    const auto done = store.upsert(Resource::kPods, Format::kJson, pod(revision));
    ASSERT_TRUE(done);
  }
  EXPECT_EQ(diary.take(), Texts({"+p@0", "p@0>0", "p@0>7", "p@7>0"}));
}

TEST_F(StoreTest, AListingRemovesWhatItDoesNotContain) {
  put({.name = "a", .uid = "1", .revision = 1});
  put({.name = "b", .uid = "2", .revision = 2, .owner = "rs1"});
  put({.name = "c", .uid = "3", .revision = 3});
  store.advance(Resource::kPods, 3);
  (void)diary.take();
  store.begin_listing(Resource::kPods);
  put({.name = "b", .uid = "9", .revision = 9});
  put({.name = "a", .uid = "1", .revision = 1});
  put({.name = "d", .uid = "4", .revision = 10});
  EXPECT_EQ(store.pods(), 4U);
  store.end_listing(Resource::kPods);
  EXPECT_EQ(diary.take(), Texts({"-b@2", "+b@9", "+d@10", "-c@3"}));
  EXPECT_EQ(names(store.orphans_in("shop")), Texts({"a", "b", "d"}));
}

TEST_F(StoreTest, AListingThatIsBegunAgainStartsFromNothing) {
  put({.name = "a", .uid = "1", .revision = 1});
  store.begin_listing(Resource::kPods);
  put({.name = "a", .uid = "1", .revision = 1});
  store.begin_listing(Resource::kPods);
  store.end_listing(Resource::kPods);
  EXPECT_EQ(store.pods(), 0U);
}

TEST_F(StoreTest, AListingOfThePastBringsNothingBack) {
  put({.name = "a", .uid = "1", .revision = 1});
  take_away({.name = "a", .uid = "1", .revision = 5});
  store.advance(Resource::kPods, 5);
  (void)diary.take();
  store.begin_listing(Resource::kPods);
  put({.name = "a", .uid = "1", .revision = 1});
  store.end_listing(Resource::kPods);
  EXPECT_EQ(diary.take(), Texts());
}

TEST_F(StoreTest, SeenOnlyGrowsAndIsKeptForEachResource) {
  EXPECT_EQ(store.seen(Resource::kPods), 0U);
  store.advance(Resource::kPods, 7);
  store.advance(Resource::kPods, 5);
  EXPECT_EQ(store.seen(Resource::kPods), 7U);
  EXPECT_EQ(store.seen(Resource::kReplicaSets), 0U);
}

TEST_F(StoreTest, FindsReplicaSetsByNamespaceInTheOrderOfTheirNamesAndByOwner) {
  const std::string owned =
      R"(,"ownerReferences":[{"kind":"Deployment","name":"web","uid":"d1","controller":true}])";
  for (const char* name : {"b", "c", "a"}) {
    const std::string_view owner = *name == 'c' ? std::string_view() : std::string_view(owned);
    ASSERT_TRUE(
        store.upsert(Resource::kReplicaSets, Format::kJson, workload(name, name, 1, owner)));
  }
  constexpr OwnerName kWeb{"shop", "Deployment", "web", "d1"};
  Texts found;
  for (const ReplicaSet* set : store.replica_sets_in("shop")) found.emplace_back(set->name.view());
  EXPECT_EQ(found, Texts({"a", "b", "c"}));
  EXPECT_EQ(store.replica_sets_of(kWeb).size(), 2U);
  ASSERT_TRUE(store.remove(Resource::kReplicaSets, Format::kJson, workload("a", "a", 2, owned)));
  ASSERT_EQ(store.replica_sets_of(kWeb).size(), 1U);
  EXPECT_EQ(store.replica_sets_of(kWeb)[0]->name.view(), "b");
  EXPECT_EQ(store.replica_set("shop", "a"), nullptr);
  store.begin_listing(Resource::kReplicaSets);
  store.end_listing(Resource::kReplicaSets);
  EXPECT_TRUE(store.replica_sets_in("shop").empty());
  EXPECT_TRUE(store.replica_sets_of(kWeb).empty());
}

TEST_F(StoreTest, KeepsWorkloadsAsTheyCameButForManagedFields) {
  const std::string managed = R"("managedFields":[{"manager":"x","fieldsV1":{"f:a":{}}}])";
  for (const std::string& more :
       {"," + managed, "," + managed + R"(,"generation":2)", std::string(R"(,"generation":2)")}) {
    const std::string text = workload("web", "u", 7, more);
    Store fresh;
    ASSERT_TRUE(fresh.upsert(Resource::kDeployments, Format::kJson, text));
    const Deployment* held = fresh.deployment("shop", "web");
    ASSERT_NE(held, nullptr);
    json::object expected = json::parse(text).as_object();
    expected["metadata"].as_object().stable_erase("managedFields");
    EXPECT_EQ(json::parse(held->json), json::value(expected)) << held->json;
    EXPECT_EQ(held->resource_version, "7");
    EXPECT_EQ(held->replicas, 3);
  }
}

TEST_F(StoreTest, SaysWhatAnItemOfAListIs) {
  ASSERT_TRUE(store.upsert(
      Resource::kReplicaSets, Format::kJson,
      R"({"metadata":{"managedFields":[],"name":"web","namespace":"shop","uid":"u"},"spec":{}})"));
  EXPECT_EQ(store.replica_set("shop", "web")->json,
            R"({"kind":"ReplicaSet","apiVersion":"apps/v1",)"
            R"("metadata":{"name":"web","namespace":"shop","uid":"u"},"spec":{}})");
}

TEST_F(StoreTest, AnErrorNamesTheObjectAndLeavesItAsItWas) {
  ASSERT_TRUE(store.upsert(Resource::kReplicaSets, Format::kJson, workload("web", "u", 1)));
  const auto strange =
      store.upsert(Resource::kReplicaSets, Format::kJson, workload("web", "u", 2, "", "-1"));
  ASSERT_FALSE(strange);
  EXPECT_EQ(strange.error().message,
            "ReplicaSet shop/web: spec.replicas: must not be negative, got -1");
  EXPECT_EQ(store.replica_set("shop", "web")->replicas, 3);
  const auto broken = store.upsert(Resource::kReplicaSets, Format::kJson, "{\"metadata\":");
  ASSERT_FALSE(broken);
  EXPECT_NE(broken.error().message.find("a ReplicaSet is not valid JSON"), std::string::npos);
  const auto nameless = store.upsert(Resource::kPods, Format::kJson, R"({"metadata":{}})");
  ASSERT_FALSE(nameless);
  EXPECT_NE(nameless.error().message.find("a Pod without a name"), std::string::npos);
  // A deleted object is removed even if its last state is invalid.
  ASSERT_TRUE(
      store.remove(Resource::kReplicaSets, Format::kJson, workload("web", "u", 3, "", "-1")));
  EXPECT_EQ(diary.take(), Texts({"+web@1", "-web@3"}));
}

// Against a map, in which everything is simple. Tidying now and then must not be seen.
RC_GTEST_PROP(StoreProperty, HoldsWhatAMapWouldHold, ()) {
  struct Listened : StoreListener {
    void pod_changed(const Change<Pod>& change) override {
      if (change.after == nullptr) {
        told.erase(std::string(change.before->name.view()));
      } else {
        told[std::string(change.after->name.view())] = change.after->revision;
      }
    }
    std::map<std::string, std::uint64_t> told;
  };
  Store store;
  Listened listened;
  store.listen(listened);
  std::map<std::string, PodText> model;
  const int steps = *rc::gen::inRange(1, 60);
  for (int revision = 1; revision <= steps; ++revision) {
    PodText pod;
    pod.name = fmt::format("p{}", *rc::gen::inRange(0, 6));
    const auto held = model.find(pod.name);
    const bool replaces = *rc::gen::inRange(0, 4) == 0;
    pod.uid = held == model.end() || replaces ? fmt::format("u{}", revision) : held->second.uid;
    pod.revision = revision;
    pod.owner = *rc::gen::element<std::string>("", "rs1", "rs2");
    pod.labels = *rc::gen::element<std::string>("{}", R"({"a":"b"})", R"({"a":"c","d":"e"})");
    if (held != model.end() && *rc::gen::inRange(0, 3) == 0) {
      pod.uid = held->second.uid;
      RC_ASSERT(store.remove(Resource::kPods, Format::kJson, text_of(pod)).has_value());
      model.erase(held);
    } else {
      RC_ASSERT(store.upsert(Resource::kPods, Format::kJson, text_of(pod)).has_value());
      model[pod.name] = pod;
    }
    store.advance(Resource::kPods, static_cast<std::uint64_t>(revision));
    store.tidy();
    std::map<std::string, std::size_t> owned;
    for (const auto& [name, expected] : model) {
      const Pod* found = store.pod("shop", name);
      RC_ASSERT(found != nullptr);
      RC_ASSERT(found->uid.view() == expected.uid);
      RC_ASSERT((found->controller == nullptr ? "" : found->controller->uid.view()) ==
                expected.owner);
      RC_ASSERT(listened.told.at(name) == static_cast<std::uint64_t>(expected.revision));
      ++owned[expected.owner];
    }
    RC_ASSERT(store.pods() == model.size());
    RC_ASSERT(listened.told.size() == model.size());
    RC_ASSERT(store.orphans_in("shop").size() == owned[""]);
    RC_ASSERT(pods_of(store, "rs1").size() == owned["rs1"]);
    RC_ASSERT(pods_of(store, "rs2").size() == owned["rs2"]);
  }
}

std::string cost_text(std::string_view name, int revision, std::string_view owner,
                      std::string_view uid = "u1") {
  return fmt::format(
      R"({{"metadata":{{"name":"{}","namespace":"shop","uid":"{}","resourceVersion":"{}",)"
      R"("labels":{{"app.kubernetes.io/managed-by":"ebb-ranker"}}}},)"
      R"("spec":{{"owner":{{"kind":"ReplicaSet","name":"{}"}},"costs":{{"a":1}}}}}})",
      name, uid, revision, owner);
}

TEST(Store, FindsPodGroupCostsByTheirOwner) {
  Store store;
  Diary diary;
  store.listen(diary);
  const auto put = [&](const std::string& text) {
    EXPECT_TRUE(store.upsert(Resource::kGroupCosts, Format::kJson, text).has_value());
  };
  const auto names_for = [&](std::string_view owner) {
    Texts names;
    for (const GroupCost* cost : store.group_costs_for("shop", "ReplicaSet", owner)) {
      names.emplace_back(cost->name.view());
    }
    return names;
  };
  put(cost_text("web", 1, "web"));
  put(cost_text("other", 2, "web"));
  EXPECT_EQ(names_for("web"), (Texts{"web", "other"}));
  EXPECT_TRUE(store.group_costs_for("shop", "Deployment", "web").empty());
  EXPECT_TRUE(store.group_costs_for("elsewhere", "ReplicaSet", "web").empty());
  put(cost_text("other", 3, "db"));
  EXPECT_EQ(names_for("web"), Texts{"web"});
  EXPECT_EQ(names_for("db"), Texts{"other"});
  put(cost_text("web", 4, "web", "u2"));
  EXPECT_EQ(diary.take(), (Texts{"+web@1", "+other@2", "other@2>3", "-web@1", "+web@4"}));
  const GroupCost* const web = store.group_cost("shop", "web");
  ASSERT_NE(web, nullptr);
  EXPECT_EQ(web->uid, "u2");
  EXPECT_EQ(web->resource_version, "4");
  EXPECT_EQ(web->managed_by, "ebb-ranker");
  ASSERT_EQ(web->costs.size(), 1U);
  EXPECT_EQ(web->costs[0].pod.view(), "a");
  ASSERT_TRUE(store.remove(Resource::kGroupCosts, Format::kJson, cost_text("web", 5, "web", "u2")));
  EXPECT_EQ(store.group_cost("shop", "web"), nullptr);
  EXPECT_TRUE(names_for("web").empty());
  EXPECT_FALSE(store.upsert(Resource::kGroupCosts, Format::kProtobuf, "k8s").has_value());
}

TEST(Store, ReportsNodesThatChange) {
  Store store;
  Diary diary;
  store.listen(diary);
  const auto node = [](int revision) {
    return fmt::format(R"({{"metadata":{{"name":"n1","uid":"u1","resourceVersion":"{}"}}}})",
                       revision);
  };
  ASSERT_TRUE(store.upsert(Resource::kNodes, Format::kJson, node(1)));
  ASSERT_TRUE(store.upsert(Resource::kNodes, Format::kJson, node(2)));
  ASSERT_TRUE(store.remove(Resource::kNodes, Format::kJson, node(3)));
  EXPECT_EQ(diary.take(), (Texts{"+n1@1", "n1@1>2", "-n1@3"}));
}

TEST(Store, KeepsNodesAndListsOfThemLeaveControllersAtWork) {
  Store store;
  store.begin_listing(Resource::kNodes);
  const auto put = store.upsert(
      Resource::kNodes, Format::kJson,
      R"({"metadata":{"name":"n1","uid":"u1","resourceVersion":"5","labels":{"zone":"z"}}})");
  EXPECT_EQ(put.value(), 5U);
  EXPECT_FALSE(store.mixed());
  ASSERT_NE(store.node("n1"), nullptr);
  EXPECT_EQ(store.node("n1")->labels->labels.at(0).value.view(), "z");
  store.end_listing(Resource::kNodes);
  store.begin_listing(Resource::kNodes);
  store.end_listing(Resource::kNodes);
  EXPECT_EQ(store.node("n1"), nullptr);
}

}  // namespace
}  // namespace ebb::control
