#include "ranking/publication.h"

#include <gtest/gtest.h>

#include "support/ranking/ranking_scene.h"

namespace ebb::ranking {
namespace {

using Published = std::vector<std::optional<std::int32_t>>;

struct Case {
  const char* what;
  Ranks ranks;
  Published published;
  Ranks values;
};

// The name is GoogleTest's. NOLINTNEXTLINE(readability-identifier-naming)
void PrintTo(const Case& the_case, std::ostream* out) { *out << the_case.what; }

constexpr std::nullopt_t kNone = std::nullopt;

const Case kCases[] = {
    {"nobody", {}, {}, {}},
    {"nothing published: the ranks", {4, -2, 4, 9}, {kNone, kNone, kNone, kNone}, {4, -2, 4, 9}},
    {"same order: nothing changes", {10, 20, 30}, {1, 2, 3}, {1, 2, 3}},
    {"same order with ties", {10, 20, 10}, {-5, 7, -5}, {-5, 7, -5}},
    {"a new one on top takes its rank", {1, 2, 3}, {1, 2, kNone}, {1, 2, 3}},
    {"a new one on top of greater values", {1, 2, 3}, {10, 20, kNone}, {10, 20, 21}},
    {"new ones below smaller values", {1, 2, 3}, {kNone, kNone, 0}, {-2, -1, 0}},
    {"a new one in a gap takes its rank", {1, 5, 9}, {1, kNone, 9}, {1, 5, 9}},
    {"a new one in a gap elsewhere", {1, 2, 3}, {10, kNone, 20}, {10, 15, 20}},
    {"several in a gap are spread", {1, 2, 3, 4}, {100, kNone, kNone, 130}, {100, 110, 120, 130}},
    {"one joins a class", {1, 2, 2}, {5, 6, kNone}, {5, 6, 6}},
    {"one leaves a class upwards", {1, 1, 2}, {5, 5, 5}, {5, 5, 6}},
    {"one leaves a class downwards", {1, 2, 2}, {5, 5, 5}, {1, 5, 5}},
    {"no gap: the fewest are moved", {1, 2, 3, 4}, {1, kNone, 2, 3}, {0, 1, 2, 3}},
    {"no gap: the fewest, from above", {1, 2, 3, 4}, {1, 2, kNone, 3}, {1, 2, 3, 4}},
    {"two classes change places", {2, 1, 3, 4}, {1, 2, 3, 4}, {1, 0, 3, 4}},
    {"the larger class stays", {2, 1, 1}, {1, 2, 2}, {3, 2, 2}},
    {"what most of a class has", {1, 1, 1, 2}, {3, 4, 4, 9}, {4, 4, 4, 9}},
    {"published but too close", {1, 2, 3}, {5, kNone, 6}, {5, 6, 7}},
    {"room at the top is made", {1, 2}, {INT32_MAX, kNone}, {1, 2}},
    {"room at the bottom is made", {1, 2}, {kNone, -INT32_MAX}, {1, 2}},
    {"up to the top", {1, 2}, {INT32_MAX - 1, kNone}, {INT32_MAX - 1, INT32_MAX}},
    {"down to the bottom", {1, 2}, {kNone, 1 - INT32_MAX}, {-INT32_MAX, 1 - INT32_MAX}},
    {"the least number has no negative", {1, 2}, {INT32_MIN, 7}, {1, 7}},
    {"the widest gap", {1, 2, 3}, {-INT32_MAX, kNone, INT32_MAX}, {-INT32_MAX, 2, INT32_MAX}},
};

class SettleValues : public ::testing::TestWithParam<Case> {};

TEST_P(SettleValues, KeepsWhatItCan) {
  const auto& [what, ranks, published, values] = GetParam();
  EXPECT_EQ(settle_values(ranks, published), values) << what;
}

INSTANTIATE_TEST_SUITE_P(Table, SettleValues, ::testing::ValuesIn(kCases));

std::string hash_of(const std::vector<const char*>& uids) {
  testing::World world;
  std::vector<model::Pod> pods;
  for (const char* uid : uids) pods.push_back(world.pod(uid));
  return pod_set_hash(testing::pointers(pods));
}

// Computed independently from the definition. Other programs may compute it, so it never changes.
TEST(PodSetHash, IsTheDocumentedFunction) {
  EXPECT_EQ(hash_of({}), "cbf29ce484222325");
  EXPECT_EQ(hash_of({"a"}), "089bdc07b544e7b2");
  EXPECT_EQ(hash_of({"3c1b7bd8-0fa5-4bbd-a8f1-9a4d6a7e3b21", "b", "a"}), "047c80792654436f");
}

TEST(PodSetHash, DoesNotDependOnTheOrder) {
  EXPECT_EQ(hash_of({"a", "b", "c"}), hash_of({"c", "a", "b"}));
}

TEST(PodSetHash, TellsSetsApart) {
  EXPECT_NE(hash_of({"a", "b"}), hash_of({"a"}));
  EXPECT_NE(hash_of({"a", "b"}), hash_of({"ab"}));
  EXPECT_NE(hash_of({"a", "b"}), hash_of({"a", "c"}));
}

}  // namespace
}  // namespace ebb::ranking
