#include "model/records/pool.h"

#include <string>

#include <gtest/gtest.h>

namespace ebb::model {
namespace {

TEST(Pool, GivesEqualHandlesExactlyForEqualText) {
  Pool pool;
  const Interned web = pool.intern("web");
  EXPECT_EQ(web, pool.intern(std::string("we") + "b"));
  EXPECT_NE(web, pool.intern("web2"));
  EXPECT_EQ(web.view(), "web");
}

TEST(Pool, TheEmptyStringIsTheDefaultHandle) {
  Pool pool;
  EXPECT_EQ(pool.intern(""), Interned());
  EXPECT_TRUE(Interned().empty());
  EXPECT_EQ(Interned().view(), "");
}

TEST(Pool, KeepsTextsOfAnyLengthInPlaceWhileItGrows) {
  Pool pool;
  std::vector<Interned> handles;
  for (int i = 0; i < 5000; ++i) {
    handles.push_back(
        pool.intern(std::string(static_cast<std::size_t>(i * 7 % 30000), 'x') + std::to_string(i)));
  }
  for (int i = 0; i < 5000; ++i) {
    const auto text = handles[static_cast<std::size_t>(i)].view();
    EXPECT_EQ(text.size(), static_cast<std::size_t>(i * 7 % 30000) + std::to_string(i).size());
    EXPECT_TRUE(text.ends_with(std::to_string(i)));
  }
}

TEST(Pool, SharesLabelSetsAndOwners) {
  Pool pool;
  const Label app{pool.intern("app"), pool.intern("web")};
  const Label tier{pool.intern("tier"), pool.intern("front")};
  EXPECT_EQ(pool.intern(std::vector{app, tier}), pool.intern(std::vector{app, tier}));
  EXPECT_NE(pool.intern(std::vector{app, tier}), pool.intern(std::vector{app}));

  const auto owner = [&](const char* group, const char* uid) {
    return ControllerRef{pool.intern(group), pool.intern("ReplicaSet"), pool.intern("web"),
                         pool.intern(uid)};
  };
  EXPECT_EQ(pool.intern(owner("apps", "u1")), pool.intern(owner("apps", "u1")));
  EXPECT_NE(pool.intern(owner("apps", "u1")), pool.intern(owner("apps", "u2")));
  EXPECT_NE(pool.intern(owner("apps", "u1")), pool.intern(owner("example.com", "u1")));
}

TEST(LabelSet, FindsTheValueOfAKey) {
  Pool pool;
  const LabelSet* set = pool.intern(std::vector{Label{pool.intern("app"), pool.intern("web")}});
  ASSERT_NE(set->find(pool.intern("app")), nullptr);
  EXPECT_EQ(set->find(pool.intern("app"))->view(), "web");
  EXPECT_EQ(set->find(pool.intern("tier")), nullptr);
}

TEST(LabelSet, FindsTheValueOfAKeyAmongMany) {
  Pool pool;
  std::vector<Label> labels;
  for (int i = 0; i < 200; i += 2) {
    labels.push_back({pool.intern("k" + std::to_string(i)), pool.intern(std::to_string(i))});
  }
  EXPECT_EQ(sort_by_key(labels), nullptr);
  const LabelSet* set = pool.intern(std::move(labels));
  for (int i = 0; i < 200; ++i) {
    const Interned* found = set->find(pool.intern("k" + std::to_string(i)));
    ASSERT_EQ(found != nullptr, i % 2 == 0) << i;
    EXPECT_EQ(found == nullptr ? "" : found->view(), i % 2 == 0 ? std::to_string(i) : "");
  }
}

}  // namespace
}  // namespace ebb::model
