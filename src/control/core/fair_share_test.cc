#include "control/core/fair_share.h"

#include <gtest/gtest.h>

namespace ebb::control {
namespace {

TEST(FairShare, ANamespaceMayUseEverythingWhileItIsAlone) {
  FairShare share(4);
  for (int i = 0; i < 4; ++i) {
    EXPECT_TRUE(share.has_room("a"));
    share.take("a");
  }
  EXPECT_FALSE(share.has_room("a"));
  share.give_back("a");
  EXPECT_TRUE(share.has_room("a"));
}

TEST(FairShare, ASecondNamespaceHasRoomHoweverMuchTheFirstUses) {
  FairShare share(4);
  for (int i = 0; i < 9; ++i) share.take("a");
  EXPECT_TRUE(share.has_room("b"));
  share.take("b");
  EXPECT_TRUE(share.has_room("b")) << "half of the slots are its own";
  share.take("b");
  EXPECT_FALSE(share.has_room("b"));
  for (int i = 0; i < 7; ++i) share.give_back("a");
  EXPECT_FALSE(share.has_room("a"));
  share.give_back("b");
  share.give_back("b");
  EXPECT_TRUE(share.has_room("a"));
}

TEST(FairShare, EachNamespaceGetsOneSlotHoweverManyThereAre) {
  FairShare share(2);
  for (const char* name : {"a", "b", "c", "d"}) {
    EXPECT_TRUE(share.has_room(name));
    share.take(name);
    EXPECT_FALSE(share.has_room(name) && std::string(name) != "a");
  }
}

}  // namespace
}  // namespace ebb::control
