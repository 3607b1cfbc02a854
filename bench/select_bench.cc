// Choosing 10% of the pods of one ReplicaSet on 5,000 nodes: from records to victims, including
// claiming and counting co-location, compared with sorting the same number of random numbers.
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/measure.h"
#include "control/core/claim.h"
#include "model/records/snapshot.h"
#include "order/select.h"

namespace ebb::bench {
namespace {

constexpr auto kNow = Timestamp::from_seconds(1793534400);
constexpr std::size_t kNodes = 5'000;
constexpr int kRounds = 15;

std::string random_uid(std::mt19937_64& random) {
  return fmt::format("{:08x}-{:04x}-4{:03x}-a{:03x}-{:012x}", random() & 0xffffffff,
                     random() & 0xffff, random() & 0xfff, random() & 0xfff,
                     random() & 0xffffffffffff);
}

// A Deployment's ReplicaSet of many pods in a state as found in life: spread over the
// nodes at random, of all ages, some restarted, a few not ready.
model::Snapshot make_snapshot(std::size_t pods) {
  std::mt19937_64 random(1);
  model::Snapshot snapshot;
  const auto intern = [&](std::string_view text) { return snapshot.pool.intern(text); };
  const model::Label app{intern("app"), intern("web")};

  model::ReplicaSet set;
  set.name = intern("web-7d4b9c6f5d");
  set.namespace_name = intern("default");
  set.uid = intern("5b7f4a0e-1111-4222-8333-444455556666");
  set.controller = snapshot.pool.intern(model::ControllerRef{
      intern("apps"), intern("Deployment"), intern("web"), intern("deployment-uid")});
  set.selector.requirements.push_back({app.key, model::Requirement::Operator::kIn, {app.value}});
  set.template_labels = snapshot.pool.intern(std::vector{app});
  set.replicas = static_cast<std::int32_t>(pods);
  snapshot.replica_sets.push_back(set);

  const auto* owner = snapshot.pool.intern(
      model::ControllerRef{intern("apps"), intern("ReplicaSet"), set.name, set.uid});
  std::vector<model::Interned> nodes;
  for (std::size_t i = 0; i < kNodes; ++i) nodes.push_back(intern(fmt::format("node-{}", i)));
  snapshot.pods.reserve(pods);
  for (std::size_t i = 0; i < pods; ++i) {
    model::Pod pod;
    pod.name = intern(fmt::format("web-7d4b9c6f5d-{:06}", i));
    pod.namespace_name = set.namespace_name;
    pod.uid = intern(random_uid(random));
    pod.node = nodes[random() % kNodes];
    pod.labels = set.template_labels;
    pod.controller = owner;
    pod.phase = model::Phase::kRunning;
    pod.ready = random() % 100 != 0;
    pod.created = Timestamp::from_seconds(kNow.since_epoch_ns() / kNanosecondsPerSecond -
                                          static_cast<std::int64_t>(random() % 2'000'000));
    pod.ready_since = pod.created;
    pod.restarts = random() % 10 == 0 ? static_cast<std::int32_t>(random() % 20) : 0;
    snapshot.pods.push_back(pod);
  }
  return snapshot;
}

void choose_tenth(const model::Snapshot& snapshot) {
  const model::ReplicaSet& set = snapshot.replica_sets.front();
  const model::ReplicaSet* const sets[] = {&set};
  std::vector<const model::Pod*> pods;
  pods.reserve(snapshot.pods.size());
  for (const model::Pod& pod : snapshot.pods) pods.push_back(&pod);
  const control::Claim claim = control::claim_pods(set, pods);
  const order::NodeCounts counts = order::count_related(set, sets, pods, claim.active);
  order::Lineup lineup =
      order::line_up({claim.active, counts, kNow, model::FeatureGates(), false, {}, {}});
  lineup.order_first(lineup.size() / 10);
  keep(lineup);
}

std::vector<std::uint64_t> random_numbers(std::size_t count) {
  std::mt19937_64 random(2);
  std::vector<std::uint64_t> numbers(count);
  for (auto& number : numbers) number = random();
  return numbers;
}

double per_pod_seconds(std::size_t pods) {
  const model::Snapshot snapshot = make_snapshot(pods);
  std::vector<double> times;
  for (int round = 0; round < kRounds; ++round) {
    times.push_back(seconds([&] { choose_tenth(snapshot); }));
  }
  return median(times) / static_cast<double>(pods);
}

}  // namespace

void run_select_benchmarks() {
  constexpr std::size_t kPods = 150'000;
  const model::Snapshot snapshot = make_snapshot(kPods);
  const std::vector<std::uint64_t> numbers = random_numbers(kPods);
  std::vector<double> ratios;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<std::uint64_t> copy = numbers;
    const double sorting = seconds([&] { std::sort(copy.begin(), copy.end()); });
    keep(copy);
    ratios.push_back(seconds([&] { choose_tenth(snapshot); }) / sorting);
  }
  print("select_10%_of_150000_vs_sort_of_150000_integers", median(ratios), "times", "<=1");

  const double small = per_pod_seconds(1'000);
  const double medium = per_pod_seconds(10'000);
  const double large = per_pod_seconds(kPods);
  print("select_per_pod_10000_vs_1000", medium / small, "times", "<=2");
  print("select_per_pod_150000_vs_1000", large / small, "times", "<=2");
}

}  // namespace ebb::bench
