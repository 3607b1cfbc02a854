// API servers do not validate owner references, so any client can write any uid. The store
// distinguishes owners by all fields of a reference, and by namespace.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "control/cache/store.h"

namespace ebb::control {
namespace {

using Texts = std::vector<std::string>;

struct StoreOwnersTest : ::testing::Test {
  void put(Resource resource, std::string_view namespace_name, std::string_view name,
           const OwnerName& owner) {
    const auto done =
        store.upsert(resource, Store::Format::kJson,
                     fmt::format(R"({{"metadata":{{"name":"{0}","namespace":"{1}","uid":"{0}-uid",)"
                                 R"("ownerReferences":[{{"kind":"{2}","name":"{3}","uid":"{4}",)"
                                 R"("controller":true}}]}}}})",
                                 name, namespace_name, owner.kind, owner.name, owner.uid));
    ASSERT_TRUE(done) << done.error().message;
  }
  template <class Object>
  static Texts names(const std::vector<const Object*>& objects) {
    Texts found;
    for (const Object* object : objects) found.emplace_back(object->name.view());
    std::sort(found.begin(), found.end());
    return found;
  }

  Store store;
};

TEST_F(StoreOwnersTest, OfPodsDifferByNamespaceKindNameAndUid) {
  const OwnerName web{"shop", "ReplicaSet", "web", "u1"};
  put(Resource::kPods, "shop", "own", web);
  put(Resource::kPods, "other", "elsewhere", web);
  put(Resource::kPods, "shop", "other-kind", {"shop", "Job", "web", "u1"});
  put(Resource::kPods, "shop", "other-name", {"shop", "ReplicaSet", "webs", "u1"});
  put(Resource::kPods, "shop", "other-uid", {"shop", "ReplicaSet", "web", "u2"});
  EXPECT_EQ(names(store.pods_of(web)), Texts({"own"}));
  EXPECT_EQ(names(store.pods_of({"other", "ReplicaSet", "web", "u1"})), Texts({"elsewhere"}));
  EXPECT_EQ(names(store.pods_of({"shop", "Job", "web", "u1"})), Texts({"other-kind"}));
  EXPECT_EQ(names(store.pods_of({"other", "Job", "web", "u1"})), Texts());
  EXPECT_EQ(names(store.orphans_in("shop")), Texts());
}

TEST_F(StoreOwnersTest, OfReplicaSetsDifferInTheSameWay) {
  const OwnerName web{"shop", "Deployment", "web", "d1"};
  put(Resource::kReplicaSets, "shop", "own", web);
  put(Resource::kReplicaSets, "other", "elsewhere", web);
  put(Resource::kReplicaSets, "shop", "other-kind", {"shop", "Rollout", "web", "d1"});
  put(Resource::kReplicaSets, "shop", "other-name", {"shop", "Deployment", "api", "d1"});
  put(Resource::kReplicaSets, "shop", "other-uid", {"shop", "Deployment", "web", "d2"});
  EXPECT_EQ(names(store.replica_sets_of(web)), Texts({"own"}));
  EXPECT_EQ(names(store.siblings_of(*store.replica_set("shop", "own"))), Texts({"own"}));
  EXPECT_EQ(names(store.siblings_of(*store.replica_set("other", "elsewhere"))),
            Texts({"elsewhere"}));
}

}  // namespace
}  // namespace ebb::control
