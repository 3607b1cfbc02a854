#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include "model/protobuf/decode_pod_protobuf.h"
#include "support/objects/reading.h"
#include "support/objects/wire_encoder.h"
#include "support/ranking/ranking_scene.h"

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
    {"-2147483648", -INT32_MAX},  // it has no positive counterpart
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

TEST(Weight, IsTheSameInALabelAndAnAnnotationInWhicheverFormatThePodCame) {
  for (const auto& [text, rank] : kTexts) {
    const boost::json::object pod{{"apiVersion", "v1"},
                                  {"kind", "Pod"},
                                  {"metadata",
                                   {{"name", "p"},
                                    {"uid", "u"},
                                    {"labels", {{"work", text}}},
                                    {"annotations", {{"work", text}}}}}};
    testing::RankingScene scene;
    const auto snapshot = testing::read(boost::json::serialize(pod));
    ASSERT_TRUE(snapshot) << snapshot.error().message;
    const auto decoded =
        model::decode_pod_protobuf(testing::encode_pod(pod), scene.world.snapshot.pool);
    ASSERT_TRUE(decoded) << decoded.error().message;
    for (const model::Pod& read : {snapshot->pods[0], *decoded}) {
      testing::RankingScene one;
      model::Pod& pod_of_group = one.add_pod("p", "n");
      pod_of_group.labels = read.labels;
      pod_of_group.numbers = read.numbers;
      EXPECT_EQ(one.rank("Weight", R"({"label": "work"})"), Ranks{rank}) << text;
      EXPECT_EQ(one.rank("Weight", R"({"annotation": "work"})"), Ranks{rank}) << text;
    }
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
