#include "hollow/garbage_collector.h"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "schema/core/json.h"
#include "support/nodes/nodes_scene.h"

namespace ebb::hollow {
namespace {

using schema::text_at;
using testing::kSecond;

struct Ref {
  std::string kind;
  std::string name;
  std::string uid;
  bool blocks = true;
};

struct Scene : testing::NodesScene {
  void start() { NodesScene::start(std::make_unique<GarbageCollector>()); }

  void create(std::string_view kind, std::string_view name, const std::vector<Ref>& owners = {},
              std::string_view namespace_name = "default") {
    boost::json::array references;
    for (const Ref& owner : owners) {
      references.push_back({{"apiVersion", api_version(owner.kind)},
                            {"kind", owner.kind},
                            {"name", owner.name},
                            {"uid", owner.uid},
                            {"blockOwnerDeletion", owner.blocks}});
    }
    const boost::json::object object{{"apiVersion", api_version(kind)},
                                     {"kind", kind},
                                     {"metadata",
                                      {{"name", name},
                                       {"namespace", namespace_name},
                                       {"uid", fmt::format("uid-{}", name)},
                                       {"ownerReferences", references}}}};
    world->create(boost::json::serialize(object));
  }

  // An owner reference to an object made with create().
  static Ref owned_by(std::string_view kind, std::string_view name, bool blocks = true) {
    return {.kind = std::string(kind),
            .name = std::string(name),
            .uid = fmt::format("uid-{}", name),
            .blocks = blocks};
  }

  void remove(std::string_view plural, std::string_view name, std::string_view policy) {
    world->request(testing::delete_request(
        fmt::format("/{}/namespaces/default/{}/{}", plural == "pods" ? "api/v1" : "apis/apps/v1",
                    plural, name),
        fmt::format(R"({{"propagationPolicy":"{}"}})", policy)));
  }

  static std::string api_version(std::string_view kind) {
    if (kind == "Deployment" || kind == "ReplicaSet") return "apps/v1";
    return kind == "CronTab" ? "stable.example.com/v1" : "v1";
  }

  // A Deployment with a ReplicaSet with a pod.
  void create_tree() {
    create("Deployment", "web");
    create("ReplicaSet", "web-1", {owned_by("Deployment", "web")});
    create("Pod", "web-1-a", {owned_by("ReplicaSet", "web-1")});
  }
};

class GarbageCollectorTest : public ::testing::Test, protected Scene {};

TEST_F(GarbageCollectorTest, DeletesWhatAnOwnerLeavesBehind) {
  start();
  create_tree();
  world->run_for(kSecond);
  EXPECT_EQ(world->effects(), 0U);
  remove("deployments", "web", "Background");
  world->run_for(kSecond);
  EXPECT_FALSE(has("replicasets", "web-1"));
  EXPECT_FALSE(has("pods", "web-1-a"));
}

TEST_F(GarbageCollectorTest, DeletesFromTheLeavesInTheForeground) {
  start();
  create_tree();
  std::string order;
  world->on_change = [&](const model::ObjectEvent& event) {
    if (event.type == model::ObjectEvent::Type::kDeleted) {
      order += std::string(text_at(*event.object, {"metadata", "name"})) + " ";
    }
  };
  remove("deployments", "web", "Foreground");
  EXPECT_TRUE(has("deployments", "web"));
  world->run_for(kSecond);
  EXPECT_EQ(order, "web-1-a web-1 web ");
}

TEST_F(GarbageCollectorTest, WaitsInTheForegroundOnlyForDependentsThatBlockDeletion) {
  start();
  create("ReplicaSet", "rs");
  world->create(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"slow","finalizers":["x/y"],
    "ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"rs","uid":"uid-rs"}]}})");
  remove("replicasets", "rs", "Foreground");
  world->run_for(kSecond);
  EXPECT_FALSE(has("replicasets", "rs"));
  EXPECT_TRUE(has("pods", "slow"));
}

TEST_F(GarbageCollectorTest, LeavesOrphansBehindWhereAskedTo) {
  start();
  create_tree();
  remove("replicasets", "web-1", "Orphan");
  world->run_for(kSecond);
  EXPECT_FALSE(has("replicasets", "web-1"));
  ASSERT_TRUE(has("pods", "web-1-a"));
  EXPECT_EQ(schema::lookup(*find("pods", "web-1-a"), {"metadata", "ownerReferences"}), nullptr);
}

TEST_F(GarbageCollectorTest, KeepsWhatAnotherOwnerHolds) {
  start();
  create("ReplicaSet", "one");
  create("ReplicaSet", "two");
  create("Pod", "p", {owned_by("ReplicaSet", "one"), owned_by("ReplicaSet", "two")});
  remove("replicasets", "one", "Background");
  world->run_for(kSecond);
  ASSERT_TRUE(has("pods", "p"));
  const auto pod = find("pods", "p");
  const auto* owners = schema::array_at(*pod, {"metadata", "ownerReferences"});
  ASSERT_NE(owners, nullptr);
  ASSERT_EQ(owners->size(), 1U);
  EXPECT_EQ(text_at(owners->at(0).as_object(), {"name"}), "two");
  remove("replicasets", "two", "Background");
  world->run_for(kSecond);
  EXPECT_FALSE(has("pods", "p"));
}

TEST_F(GarbageCollectorTest, AsksBeforeItBelievesThatAnOwnerNeverWas) {
  std::vector<std::string> asked;
  world->on_effect = [&](const auto&, const model::ApiRequest& request) {
    if (request.method == model::Method::kGet) asked.push_back(request.path);
  };
  create("ReplicaSet", "rs");
  create("Pod", "lost", {owned_by("ReplicaSet", "never-was")});
  create("Pod", "renewed", {{.kind = "ReplicaSet", .name = "rs", .uid = "uid-of-another"}});
  create("Pod", "fine", {owned_by("ReplicaSet", "rs")});
  start();
  world->run_for(kSecond);
  EXPECT_FALSE(has("pods", "lost"));
  EXPECT_FALSE(has("pods", "renewed"));
  EXPECT_TRUE(has("pods", "fine"));
  EXPECT_EQ(asked.size(), 2U);
}

TEST_F(GarbageCollectorTest, LeavesAloneWhatItCannotJudge) {
  start();
  create("Pod", "foreign", {owned_by("CronTab", "x")});
  create("Node", "n", {owned_by("Pod", "missing")});
  world->run_for(10 * kSecond);
  EXPECT_TRUE(has("pods", "foreign"));
  EXPECT_TRUE(has("nodes", "n"));
}

// Kubernetes looks for what the reference names, and finds nothing of this uid.
TEST_F(GarbageCollectorTest, CountsAnOwnerOfAnotherKindOrNameAsAbsent) {
  start();
  create("Deployment", "web");
  create("ReplicaSet", "other-kind", {{.kind = "ReplicaSet", .name = "web", .uid = "uid-web"}});
  create("ReplicaSet", "other-name", {{.kind = "Deployment", .name = "api", .uid = "uid-web"}});
  create("ReplicaSet", "unknown-kind", {{.kind = "CronTab", .name = "web", .uid = "uid-web"}});
  create("ReplicaSet", "own", {owned_by("Deployment", "web")});
  world->run_for(kSecond);
  EXPECT_FALSE(has("replicasets", "other-kind"));
  EXPECT_FALSE(has("replicasets", "other-name"));
  EXPECT_TRUE(has("replicasets", "unknown-kind"));
  EXPECT_TRUE(has("replicasets", "own"));
}

TEST_F(GarbageCollectorTest, CountsAnOwnerInAnotherNamespaceAsAbsentButNotOneWithoutNamespace) {
  start();
  create("Node", "n");
  create("ReplicaSet", "rs", {}, "elsewhere");
  create("Pod", "stray", {owned_by("ReplicaSet", "rs")});
  create("Pod", "static", {owned_by("Node", "n")});
  world->run_for(kSecond);
  EXPECT_FALSE(has("pods", "stray"));
  EXPECT_TRUE(has("pods", "static"));
}

// Random trees, deletions and faults.
RC_GTEST_PROP(GarbageCollectorProperty, NeverDeletesWhatHasALivingOwner, ()) {
  Scene scene;
  const auto seed = *rc::gen::inRange<std::uint64_t>(1, 1'000'000);
  scene.start();
  scene.world->set_faults({.seed = seed});
  bool by_collector = false;
  scene.world->on_effect = [&](const auto&, const model::ApiRequest& request) {
    if (request.method != model::Method::kDelete) return;
    by_collector = true;
    const std::string name = request.path.substr(request.path.rfind('/') + 1);
    const auto target = scene.find("pods", name);
    if (target == nullptr) return;
    const auto body = boost::json::parse(request.body).as_object();
    // A delete that no longer fits the object is refused.
    if (text_at(body, {"preconditions", "resourceVersion"}) !=
        text_at(*target, {"metadata", "resourceVersion"})) {
      return;
    }
    for (const auto& owner : *schema::array_at(*target, {"metadata", "ownerReferences"})) {
      const auto living = scene.find("replicasets", text_at(owner.as_object(), {"name"}));
      const bool dying =
          living == nullptr || !text_at(*living, {"metadata", "deletionTimestamp"}).empty();
      RC_ASSERT(dying);
    }
  };
  const int sets = *rc::gen::inRange(1, 5);
  for (int i = 0; i < sets; ++i) scene.create("ReplicaSet", fmt::format("rs{}", i));
  const int pods = *rc::gen::inRange(1, 12);
  std::map<std::string, std::set<int>> owners;
  for (int i = 0; i < pods; ++i) {
    std::set<int> chosen{*rc::gen::inRange(0, sets), *rc::gen::inRange(0, sets)};
    std::vector<Ref> references;
    for (const int each : chosen) {
      references.push_back(Scene::owned_by("ReplicaSet", fmt::format("rs{}", each)));
    }
    scene.create("Pod", fmt::format("p{}", i), references);
    owners[fmt::format("p{}", i)] = chosen;
  }
  std::set<int> deleted;
  const int deletions = *rc::gen::inRange(0, sets + 1);
  for (int i = 0; i < deletions; ++i) {
    scene.remove("replicasets", fmt::format("rs{}", i),
                 *rc::gen::elementOf(std::vector<std::string>{"Background", "Foreground"}));
    deleted.insert(i);
    scene.world->run_for(kSecond);
  }
  scene.world->run_for(10 * kSecond);
  scene.world->set_faults({});
  scene.world->run_for(120 * kSecond);
  for (const auto& [pod, sets_of_pod] : owners) {
    bool alive = false;
    for (const int each : sets_of_pod) alive = alive || !deleted.contains(each);
    RC_ASSERT(scene.has("pods", pod) == alive);
  }
  for (const int each : deleted) RC_ASSERT(!scene.has("replicasets", fmt::format("rs{}", each)));
  RC_TAG(by_collector ? "deleted" : "kept");
}

}  // namespace
}  // namespace ebb::hollow
