#include <gtest/gtest.h>

#include "support/ranking/ranking_scene.h"

namespace ebb::ranking {
namespace {

class NodeCost : public ::testing::Test {
 protected:
  void add(std::string_view price) {
    const std::string name = "n" + std::to_string(scene_.group().size());
    scene_.add_node(name, {{"price", price}});
    scene_.add_pod("on-" + name, name);
  }

  testing::RankingScene scene_;
};

TEST_F(NodeCost, IsTheNumberInTheLabelInTenThousandths) {
  for (const char* price : {"0.0416", "0.0420", "3", "1e2", "214748.3647"}) add(price);
  EXPECT_EQ(scene_.rank("NodeCost", R"({"label": "price"})"),
            (Ranks{416, 420, 30'000, 1'000'000, INT32_MAX}));
}

TEST_F(NodeCost, StaysWithinRange) {
  for (const char* price : {"214748.3648", "1e300", "-1", "0.00001"}) add(price);
  EXPECT_EQ(scene_.rank("NodeCost", R"({"label": "price"})"), (Ranks{INT32_MAX, INT32_MAX, 0, 0}));
}

TEST_F(NodeCost, IsNothingWhereNoPriceIsKnown) {
  for (const char* price : {"cheap", "", "1.5x", "nan", "-inf", "1e999"}) add(price);
  scene_.add_pod("lost", "unknown");
  scene_.add_pod("pending", "");
  scene_.add_node("free");
  scene_.add_pod("unlabelled", "free");
  EXPECT_EQ(scene_.rank("NodeCost", R"({"label": "price"})"), Ranks(9, 0));
}

TEST_F(NodeCost, ComesFromTheTableIfThereIsOne) {
  for (const char* type : {"small", "large", "unheard-of", "7"}) add(type);
  EXPECT_EQ(scene_.rank("NodeCost", R"({"label": "price", "prices": {"small": 0.1, "large": 2}})"),
            (Ranks{1'000, 20'000, 0, 0}));
  EXPECT_EQ(
      scene_.rank("NodeCost", R"({"label": "price", "prices": {"small": 18446744073709551615}})"),
      (Ranks{INT32_MAX, 0, 0, 0}));
}

}  // namespace
}  // namespace ebb::ranking
