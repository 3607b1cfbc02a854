#include <gtest/gtest.h>

#include "support/ranking_scene.h"

namespace ebb::ranking {
namespace {

const std::pair<const char*, std::int32_t> kTexts[] = {
    {"7", 7},
    {"-7", -7},
    {"007", 7},
    {"2147483647", INT32_MAX},
    {"2147483648", INT32_MAX},
    {"99999999999999999999999", INT32_MAX},
    {"-2147483647", -INT32_MAX},
    {"-2147483648", -INT32_MAX},  // its sign could not be turned
    {"-99999999999999999999999", -INT32_MAX},
    {"", 0},
    {"-", 0},
    {"1.5", 0},
    {"1 ", 0},
    {"+1", 0},
    {"seven", 0},
    {"99999999999999999999999x", 0},
};

TEST(Weight, IsTheNumberInALabel) {
  for (const auto& [text, rank] : kTexts) {
    testing::RankingScene scene;
    scene.add_pod("p", "n").labels = scene.world.labels({{"work", text}});
    EXPECT_EQ(scene.rank("Weight", R"({"label": "work"})"), Ranks{rank}) << text;
  }
}

TEST(Weight, IsTheNumberInAnAnnotation) {
  for (const auto& [text, rank] : kTexts) {
    testing::RankingScene scene;
    scene.add_pod("p", "n").numbers = scene.world.labels({{"work", text}});
    EXPECT_EQ(scene.rank("Weight", R"({"annotation": "work"})"), Ranks{rank}) << text;
  }
}

TEST(Weight, OfALabelIsNotLookedForAmongAnnotations) {
  testing::RankingScene scene;
  model::Pod& pod = scene.add_pod("p", "n");
  pod.labels = scene.world.labels({{"a", "1"}});
  pod.numbers = scene.world.labels({{"b", "2"}});
  EXPECT_EQ(scene.rank("Weight", R"({"label": "b"})"), Ranks{0});
  EXPECT_EQ(scene.rank("Weight", R"({"annotation": "a"})"), Ranks{0});
  pod.labels = pod.numbers = nullptr;
  EXPECT_EQ(scene.rank("Weight", R"({"label": "b"})"), Ranks{0});
  EXPECT_EQ(scene.rank("Weight", R"({"annotation": "a"})"), Ranks{0});
}

}  // namespace
}  // namespace ebb::ranking
