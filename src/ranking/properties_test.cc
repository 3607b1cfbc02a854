// Properties of rankings for random groups, strategies and removals. A failure prints its seed
// and a small example; RC_PARAMS="seed=..." runs it again.
#include <algorithm>
#include <map>
#include <numeric>
#include <ostream>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "ranking/publication.h"
#include "ranking/rank_group.h"
#include "schema/core/ranking_rules.h"
#include "support/objects/any_optional.h"
#include "support/ranking/ranking_scene.h"

namespace ebb::ranking {
namespace {

using model::Pod;
using testing::RankingScene;

constexpr int kNodes = 7;  // of which node 0 is none, and the last one is unknown

// The input for a random pod: small numbers, so that many are equal.
struct Draft {
  int node = 0;
  int age = 0;
  int labels = 0;
  int placement = 0;
  std::int32_t number = 0;
  bool ready = true;
  bool other = false;  // of another workload
};

// The name is rapidcheck's.
void showValue(const Draft& draft, std::ostream& out) {  // NOLINT(readability-identifier-naming)
  out << fmt::format("{{node {}, age {}, labels {}, placement {}, number {}, {}{}}}", draft.node,
                     draft.age, draft.labels, draft.placement, draft.number,
                     draft.ready ? "ready" : "not ready", draft.other ? ", other" : "");
}

rc::Gen<std::int32_t> any_number() {
  return rc::gen::weightedOneOf<std::int32_t>(
      {{8, rc::gen::inRange<std::int32_t>(-3, 4)},
       {1, rc::gen::element<std::int32_t>(INT32_MAX, INT32_MAX - 1, INT32_MIN, INT32_MIN + 1)}});
}

rc::Gen<Draft> any_draft() {
  return rc::gen::build<Draft>(
      rc::gen::set(&Draft::node, rc::gen::inRange(0, kNodes)),
      rc::gen::set(&Draft::age, rc::gen::inRange(0, 5)),
      rc::gen::set(&Draft::labels, rc::gen::inRange(0, 3)),
      rc::gen::set(&Draft::placement, rc::gen::inRange(0, 4)),
      rc::gen::set(&Draft::number, any_number()),
      rc::gen::set(&Draft::ready, rc::gen::weightedElement<bool>({{9, true}, {1, false}})),
      rc::gen::set(&Draft::other, rc::gen::weightedElement<bool>({{4, false}, {1, true}})));
}

// Nodes of three zones, of all prices, some tainted, cordoned or not ready; pods that are in each
// other's way.
class Scene : public RankingScene {
 public:
  explicit Scene(const std::vector<Draft>& drafts) {
    make_nodes();
    make_placements();
    for (const Draft& draft : drafts) add(draft);
  }

 private:
  void make_nodes() {
    for (int i = 1; i < kNodes - 1; ++i) {
      const std::string zone = std::to_string(i % 3);
      const std::string price = std::to_string(i % 4);
      Labels labels = {{"price", price}};
      if (i != 1) labels.emplace_back("zone", zone);
      model::Node& made = add_node("node-" + std::to_string(i), std::move(labels));
      made.unschedulable = i == 2;
      made.ready = i != 3;
      if (i % 2 == 0) add_taint(made, "a", model::TaintEffect::kNoSchedule);
      if (i > 3) add_taint(made, "b", model::TaintEffect::kPreferNoSchedule);
    }
  }
  void make_placements() {
    placements_[1] = &add_placement();
    placements_[1]->anti_affinity = {term("zone", "version", "1", 3)};
    placements_[2] = &add_placement();
    placements_[2]->anti_affinity = {term("zone", "version", "2"),
                                     term("kubernetes.io/hostname", "version", "1", 10)};
    placements_[2]->anti_affinity.front().namespaces = {world.intern("default"),
                                                        world.intern("away")};
    placements_[3] = &add_placement();
    placements_[3]->tolerations.push_back({.key = world.intern("a"), .value = {}, .exists = true});
  }
  void add(const Draft& draft) {
    const std::string name = fmt::format("pod-{}", count_++);
    const std::string node = draft.node == 0 ? "" : fmt::format("node-{}", draft.node);
    Pod& pod = draft.other ? add_other_pod(name, node, draft.age % 2 == 0 ? "default" : "away")
                           : add_pod(name, node);
    pod.created = draft.age == 0 ? Timestamp() : testing::ago(draft.age * testing::kHour);
    const std::string version = std::to_string(draft.labels);
    pod.labels = world.labels({{"app", "web"}, {"version", version}});
    pod.placement = placements_.at(static_cast<std::size_t>(draft.placement));
    const std::string number = std::to_string(draft.number);
    pod.numbers = world.labels({{"number", number}});
    pod.ready = draft.ready;
  }

  std::array<model::Placement*, 4> placements_{};
  int count_ = 0;
};

struct WeighedDraft {
  std::size_t strategy = 0;
  std::int32_t weight = 1;
  std::optional<std::int32_t> threshold;
};

constexpr std::pair<std::string_view, std::string_view> kStrategies[] = {
    {"TopologySpread", R"({"topologyKey": "zone"})"},
    {"TopologySpread", R"({"topologyKey": "kubernetes.io/hostname"})"},
    {"UntoleratedTaints", R"({"count": "all"})"},
    {"UntoleratedTaints", R"({"count": "preferred"})"},
    {"AntiAffinity", "{}"},
    {"Youngest", "{}"},
    {"Oldest", "{}"},
    {"NodeCost", R"({"label": "price"})"},
    {"Pack", "{}"},
    {"NodeLeaving", "{}"},
    {"Weight", R"({"annotation": "number"})"},
    {"Weight", R"({"label": "version"})"},
};

// NOLINTNEXTLINE(readability-identifier-naming)
void showValue(const WeighedDraft& draft, std::ostream& out) {
  out << fmt::format("{} {} x{}", kStrategies[draft.strategy].first,
                     kStrategies[draft.strategy].second, draft.weight);
  if (draft.threshold) out << " up to " << *draft.threshold;
}

rc::Gen<WeighedDraft> any_weighed() {
  constexpr std::int32_t kMax = schema::kMaxStrategyWeight;
  return rc::gen::build<WeighedDraft>(
      rc::gen::set(&WeighedDraft::strategy,
                   rc::gen::inRange<std::size_t>(0, std::size(kStrategies))),
      rc::gen::set(&WeighedDraft::weight,
                   rc::gen::weightedOneOf<std::int32_t>(
                       {{5, rc::gen::inRange<std::int32_t>(1, 5)},
                        {1, rc::gen::elementOf(std::vector{kMax, kMax - 1, 0, -1, -kMax})}})),
      rc::gen::set(&WeighedDraft::threshold, testing::any_optional(any_number())));
}

rc::Gen<std::vector<WeighedDraft>> any_strategies() {
  return rc::gen::mapcat(
      rc::gen::inRange<std::size_t>(1, schema::kMaxStrategies + 1), [](std::size_t count) {
        return rc::gen::container<std::vector<WeighedDraft>>(count, any_weighed());
      });
}

Settings settings_of(const std::vector<WeighedDraft>& drafts, bool exact) {
  Settings settings;
  settings.exact = exact;
  for (const WeighedDraft& draft : drafts) {
    const auto& [name, args] = kStrategies[draft.strategy];
    settings.strategies.push_back(testing::weighed(name, args, draft.weight, draft.threshold));
  }
  return settings;
}

// The next pod to go, by the definition: one of the remaining pods, as they are ranked now.
std::size_t next_of(const std::vector<const Pod*>& pods, const Ranks& ranks) {
  const auto key = [&](std::size_t i) {
    const Pod& pod = *pods[i];
    // Zero time counts as the youngest.
    const std::int64_t created = pod.created.is_zero() ? INT64_MAX : pod.created.since_epoch_ns();
    return std::tuple(!pod.node.empty(), pod.ready, -std::int64_t{ranks[i]}, -created,
                      pod.uid.view());
  };
  std::size_t next = 0;
  for (std::size_t i = 1; i < pods.size(); ++i) {
    if (key(i) < key(next)) next = i;
  }
  return next;
}

RC_GTEST_PROP(Ranking, ExactRanksAreTheOrderInWhichPodsGoOneByOneAndAreRankedAnew, ()) {
  const auto drafts = *rc::gen::container<std::vector<Draft>>(any_draft());
  const auto strategies = *any_strategies();
  const Scene scene(drafts);
  const auto group = scene.group();
  const Ranks exact = rank_group(settings_of(strategies, true), group, scene).of_pods;

  const Settings settings = settings_of(strategies, false);
  testing::Without cluster(scene);
  std::vector<const Pod*> left = group;
  std::map<std::string_view, std::int32_t> expected;
  while (!left.empty()) {
    const std::size_t next = next_of(left, rank_group(settings, left, cluster).of_pods);
    expected[left[next]->uid.view()] = static_cast<std::int32_t>(left.size());
    cluster.remove(*left[next]);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(next));
  }
  for (std::size_t i = 0; i < group.size(); ++i) {
    RC_ASSERT(exact[i] == expected.at(group[i]->uid.view()));
  }
}

RC_GTEST_PROP(Ranking, DoesNotDependOnTheOrderInWhichPodsAreGiven, ()) {
  const auto drafts = *rc::gen::container<std::vector<Draft>>(any_draft());
  const Settings settings = settings_of(*any_strategies(), *rc::gen::arbitrary<bool>());
  const Scene scene(drafts);
  const auto group = scene.group();
  std::vector<const Pod*> shuffled = group;
  std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937_64(*rc::gen::arbitrary<unsigned>()));
  const Ranks ranks = rank_group(settings, group, scene).of_pods;
  const Ranks ranks_of_shuffled = rank_group(settings, shuffled, scene).of_pods;
  std::map<const Pod*, std::int32_t> by_pod;
  for (std::size_t i = 0; i < group.size(); ++i) by_pod[group[i]] = ranks[i];
  for (std::size_t i = 0; i < group.size(); ++i) {
    RC_ASSERT(by_pod.at(shuffled[i]) == ranks_of_shuffled[i]);
  }
}

// In numbers of any size: the published ranks have the order of the true sums.
RC_GTEST_PROP(Ranking, NoSumOverflows, ()) {
  const auto drafts = *rc::gen::container<std::vector<Draft>>(any_draft());
  const auto strategies = *any_strategies();
  const Scene scene(drafts);
  const Settings settings = settings_of(strategies, false);
  const auto group = scene.group();
  const GroupRanks ranks = rank_group(settings, group, scene);
  std::vector<long double> sums(group.size(), 0);  // exact up to 2^64
  for (std::size_t s = 0; s < settings.strategies.size(); ++s) {
    const auto& [strategy, args, weight, threshold] = settings.strategies[s];
    for (std::size_t i = 0; i < group.size(); ++i) {
      const std::int32_t rank = ranks.by_strategy[s][i];
      sums[i] +=
          static_cast<long double>(threshold && *threshold < rank ? *threshold : rank) * weight;
    }
  }
  for (std::size_t i = 0; i < group.size(); ++i) {
    RC_ASSERT(ranks.of_pods[i] != INT32_MIN);
    for (std::size_t j = 0; j < group.size(); ++j) {
      RC_ASSERT((sums[i] < sums[j]) == (ranks.of_pods[i] < ranks.of_pods[j]));
    }
  }
}

std::int64_t skew_of(const std::map<int, std::int64_t>& sizes) {
  const auto [least, most] = std::minmax_element(
      sizes.begin(), sizes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most->second - least->second;
}

// Whichever of the highest-ranked pods goes, and however many.
RC_GTEST_PROP(Ranking, RemovalsByTopologySpreadKeepTheSkewOrMakeItOne, ()) {
  const auto zones =
      *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 4)));
  RankingScene scene;
  for (int zone = 0; zone < 4; ++zone) {
    const std::string name = std::to_string(zone);
    scene.add_node(name, {{"zone", name}});
  }
  std::map<int, std::int64_t> sizes;
  for (const int zone : zones) {
    scene.add_pod(fmt::format("pod-{}", scene.group().size()), std::to_string(zone)).created =
        testing::ago(*rc::gen::inRange(1, 9) * testing::kHour);
    ++sizes[zone];
  }
  const std::int64_t limit = std::max<std::int64_t>(1, skew_of(sizes));
  const Settings settings{
      .strategies = {testing::weighed("TopologySpread", R"({"topologyKey": "zone"})")},
      .exact = *rc::gen::arbitrary<bool>()};
  const Ranks ranks = rank_group(settings, scene.group(), scene).of_pods;
  std::vector<std::size_t> order(zones.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), std::mt19937_64(*rc::gen::arbitrary<unsigned>()));
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return ranks[a] > ranks[b]; });
  for (const std::size_t victim : order) {
    --sizes[zones[victim]];
    RC_ASSERT(skew_of(sizes) <= limit);
  }
}

}  // namespace
}  // namespace ebb::ranking
