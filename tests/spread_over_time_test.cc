// The story of KEP-2185, repeated: 2N pods in two domains, scaled up to 3N when a third domain is
// added, down to 2N, and again. The test computes the sizes of the domains with the removal order
// and the ranks, and compares them with the table in docs/spread-over-time.md. EBB_UPDATE_DOCS=1
// rewrites the table.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "order/select.h"
#include "ranking/rank_group.h"
#include "support/ranking/ranking_scene.h"

namespace ebb {
namespace {

using model::Pod;

constexpr std::size_t kN = 300;
constexpr int kCycles = 10;
constexpr std::string_view kDomains[] = {"a", "b", "c"};

using Sizes = std::array<std::size_t, 3>;

enum class Chooser { kExactTimes, kBuckets, kRanks };

struct Times {
  Nanoseconds before;  // how old the first 2N pods are when the third domain comes
  Nanoseconds up;      // how long there are 3N
  Nanoseconds down;    // how long there are 2N before it begins again
};

class Story {
 public:
  Story(Chooser chooser, const Times& times) : chooser_(chooser), times_(times) {
    for (std::size_t i = 0; i < kN; ++i) {
      add(0);
      add(1);
    }
    now_ns_ += times.before;
  }

  // One scale-up and one scale-down; the scheduler puts pods where there are fewest.
  Sizes play_cycle() {
    for (std::size_t i = 0; i < kN; ++i) {
      const Sizes now = sizes();
      add(static_cast<std::size_t>(std::min_element(now.begin(), now.end()) - now.begin()));
    }
    now_ns_ += times_.up;
    shrink();
    const Sizes result = sizes();
    now_ns_ += times_.down;
    return result;
  }

 private:
  // Every pod has a node of its own, so that nothing but the domain tells nodes apart. Ten pods
  // are made a second.
  void add(std::size_t domain) {
    const std::string uid = random_uid();
    const std::string node = fmt::format("node-{}", uid);
    scene_.add_node(node, {{"topology.kubernetes.io/zone", kDomains[domain]}});
    Pod& pod = scene_.add_pod(fmt::format("web-{}", uid), node);
    pod.uid = scene_.world.intern(uid);
    pod.created = pod.ready_since =
        Timestamp::from_nanoseconds(testing::kNow.since_epoch_ns() + now_ns_ +
                                    static_cast<Nanoseconds>(made_++ / 10) * kSecond);
    pods_.push_back({&pod, domain});
  }

  void shrink() {
    std::vector<const Pod*> candidates;
    order::NodeCounts counts;
    for (const auto& [pod, domain] : pods_) {
      candidates.push_back(pod);
      ++counts[pod->node];
    }
    ranking::Ranks ranks;
    if (chooser_ == Chooser::kRanks) {
      const ranking::Settings settings{
          .strategies = {testing::weighed("TopologySpread",
                                          R"({"topologyKey": "topology.kubernetes.io/zone"})")}};
      ranks = ranking::rank_group(settings, candidates, scene_).of_pods;
    }
    model::FeatureGates gates;
    gates.set(model::Gate::kLogarithmicScaleDown, chooser_ != Chooser::kExactTimes);
    order::Lineup lineup = order::line_up(
        {.candidates = candidates,
         .co_located = counts,
         .now = Timestamp::from_nanoseconds(testing::kNow.since_epoch_ns() + now_ns_),
         .gates = gates,
         .prefer_label_in_template = false,
         .cost_ranks = ranks,
         .verdicts = {}});
    lineup.order_first(kN);
    for (std::size_t i = 0; i < kN; ++i) {
      const Pod* victim = lineup[i].pod;
      std::erase_if(pods_, [&](const Placed& placed) { return placed.pod == victim; });
    }
  }

  [[nodiscard]] Sizes sizes() const {
    Sizes sizes{};
    for (const Placed& placed : pods_) ++sizes[placed.domain];
    return sizes;
  }

  std::string random_uid() {
    const std::uint64_t high = random_();
    const std::uint64_t low = random_();
    return fmt::format("{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}", high >> 32, high >> 16 & 0xffff,
                       high & 0xfff, (low >> 48 & 0x3fff) | 0x8000, low & 0xffff'ffff'ffff);
  }

  struct Placed {
    const Pod* pod;
    std::size_t domain;
  };
  Chooser chooser_;
  Times times_;
  testing::RankingScene scene_;
  std::mt19937_64 random_{2185};
  std::vector<Placed> pods_;
  Nanoseconds now_ns_ = 0;
  std::size_t made_ = 0;
};

std::size_t skew_of(const Sizes& sizes) {
  const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
  return *most - *least;
}

// Of an age, and much older: 7 h against 5 h are in one bucket, 30 days against 5 h are not.
constexpr Times kOfAnAge = {2 * kHour, 5 * kHour, kHour};
constexpr Times kMuchOlder = {30 * 24 * kHour, 5 * kHour, kHour};

std::vector<Sizes> play(Chooser chooser, const Times& times) {
  Story story(chooser, times);
  std::vector<Sizes> results;
  for (int cycle = 0; cycle < kCycles; ++cycle) results.push_back(story.play_cycle());
  return results;
}

std::string row(std::string_view who, std::string_view ages, const std::vector<Sizes>& cycles) {
  std::string row = fmt::format("| {} | {} |", who, ages);
  for (const std::size_t cycle : {0, 1, kCycles - 1}) {
    const auto& [a, b, c] = cycles[cycle];
    row += fmt::format(" {}, {}, {} |", a, b, c);
  }
  std::size_t worst = 0;
  for (const Sizes& sizes : cycles) worst = std::max(worst, skew_of(sizes));
  return row + fmt::format(" {} |\n", worst);
}

std::string table() {
  std::string text = fmt::format(
      "| goes first | the first pods are | after 1 cycle | after 2 | after {} | largest skew "
      "|\n"
      "|---|---|---|---|---|---|\n",
      kCycles);
  const std::tuple<const char*, Chooser> choosers[] = {
      {"youngest, by exact times", Chooser::kExactTimes},
      {"youngest, in log buckets (KEP-2185)", Chooser::kBuckets},
      {"highest rank by `TopologySpread`", Chooser::kRanks},
  };
  for (const auto& [name, chooser] : choosers) {
    text += row(name, "2 h older", play(chooser, kOfAnAge));
    text += row(name, "30 days older", play(chooser, kMuchOlder));
  }
  return text;
}

std::string read(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(SpreadOverTime, IsAsTheDocumentSays) {
  const std::string path = std::string(EBB_SOURCE_DIR) + "/docs/spread-over-time.md";
  constexpr std::string_view kBegin = "<!-- table -->\n";
  constexpr std::string_view kEnd = "<!-- end -->\n";
  const std::string text = read(path);
  const std::size_t begin = text.find(kBegin);
  const std::size_t end = text.find(kEnd);
  ASSERT_NE(begin, std::string::npos);
  ASSERT_NE(end, std::string::npos);
  const std::string expected = text.substr(0, begin + kBegin.size()) + table() + text.substr(end);
  if (std::getenv("EBB_UPDATE_DOCS") != nullptr) std::ofstream(path) << expected;
  EXPECT_EQ(read(path), expected) << "run with EBB_UPDATE_DOCS=1 and look at the difference";
}

// The conclusions of the table.
TEST(SpreadOverTime, RanksKeepDomainsBalancedWhateverTheAges) {
  for (const Times& times : {kOfAnAge, kMuchOlder}) {
    for (const Sizes& sizes : play(Chooser::kRanks, times)) EXPECT_LE(skew_of(sizes), 1U);
  }
}

TEST(SpreadOverTime, WithExactTimesTheNewestDomainIsEmptiedEveryTime) {
  for (const Times& times : {kOfAnAge, kMuchOlder}) {
    for (const Sizes& sizes : play(Chooser::kExactTimes, times)) {
      EXPECT_EQ(sizes, (Sizes{kN, kN, 0}));
    }
  }
}

}  // namespace
}  // namespace ebb
