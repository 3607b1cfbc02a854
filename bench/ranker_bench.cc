// The ranker on a store of 150,000 pods on 5,000 nodes in 3,000 groups. Its API server executes
// writes without delay, and the watch shows them at once.
#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include "base/deadline_queue.h"
#include "bench/measure.h"
#include "bench/require.h"
#include "bench/resident_memory.h"
#include "control/ranker/ranker.h"
#include "model/api/requests.h"
#include "schema/core/json.h"

namespace ebb::bench {
namespace {

using control::Resource;

constexpr int kNodes = 5'000;
constexpr int kGroups = 3'000;
constexpr int kPodsPerGroup = 50;
constexpr int kPods = kGroups * kPodsPerGroup;
constexpr Timestamp kNow = Timestamp::from_seconds(1793534400);

struct BenchPod {
  int group = 0;
  int number = 0;
  int node = 0;
  std::optional<std::int32_t> cost{};  // as published

  [[nodiscard]] std::string name() const { return fmt::format("app-{}-{}", group, number); }

  // Later pods are younger.
  [[nodiscard]] Timestamp created() const {
    return later_by(kNow, (number - 10 * kPods) * kNanosecondsPerSecond);
  }

  [[nodiscard]] std::string json(std::int64_t revision) const {
    const std::string annotations =
        cost ? fmt::format(R"(,"annotations":{{"controller.kubernetes.io/pod-deletion-cost":"{0}",)"
                           R"("ebb.dev/published-cost":"PodDeletionCost={0}"}})",
                           *cost)
             : std::string();
    return fmt::format(
        R"({{"metadata":{{"name":"{0}","namespace":"shop","uid":"pod-{0}","resourceVersion":"{1}",)"
        R"("creationTimestamp":"{2}","labels":{{"app":"app-{3}"}}{4},)"
        R"("ownerReferences":[{{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"app-{3}",)"
        R"("uid":"set-{3}","controller":true}}]}},"spec":{{"nodeName":"node-{5}"}},)"
        R"("status":{{"phase":"Running","conditions":[{{"type":"Ready","status":"True",)"
        R"("lastTransitionTime":"2026-10-31T12:00:00Z"}}]}}}})",
        name(), revision, model::time_text(created()), group, annotations, node);
  }
};

class RankedCluster : private control::CallSink, private control::Telemetry {
 public:
  RankedCluster() {
    for (int i = 0; i < kNodes; ++i) {
      tell(Resource::kNodes,
           fmt::format(R"({{"metadata":{{"name":"node-{}","resourceVersion":"{}","labels":)"
                       R"({{"topology.kubernetes.io/zone":"zone-{}"}}}}}})",
                       i, ++revision_, i % 3));
    }
    for (int i = 0; i < kGroups; ++i) {
      tell(Resource::kReplicaSets, set_json(i));
      tell(Resource::kPolicies, policy_json(i));
      for (int number = 0; number < kPodsPerGroup; ++number) add(i);
    }
  }

  // A new process on the same cluster.
  void start() {
    ranker_ =
        control::make_ranker({.store = store_, .sink = *this, .telemetry = *this, .gates = {}},
                             std::make_shared<control::PolicyReports>());
    // It observes all objects, as from its first lists.
    for (int i = 0; i < kGroups; ++i) {
      const control::Policy* policy = store_.policy("shop", fmt::format("app-{}", i));
      ranker_->policy_changed({.before = nullptr, .after = policy});
    }
    if (!listening_) store_.listen(events_);
    listening_ = true;
  }

  // Runs until nothing is left to do; how many writes that took.
  std::size_t settle() {
    std::size_t writes = 0;
    for (;;) {
      run();
      if (sent_.empty() && !later()) return writes;
      writes += sent_.size();
      carry_out();
    }
  }
  // Runs until something is written, or nothing is left to do before time goes by.
  void run_at_once() {
    while (sent_.empty() && due()) run();
  }

  BenchPod& add(int group) {
    BenchPod& pod = pods_.emplace_back(BenchPod{.group = group,
                                                .number = static_cast<int>(pods_.size()),
                                                .node = static_cast<int>(random_() % kNodes)});
    tell(Resource::kPods, pod.json(++revision_));
    return pod;
  }
  void remove(const BenchPod& pod) {
    require(store_.remove(Resource::kPods, kJson, pod.json(++revision_)).has_value(),
            "a pod could not be removed");
  }
  [[nodiscard]] std::vector<const control::Pod*> pods_of(int group) const {
    const std::string name = fmt::format("app-{}", group);
    const std::string uid = fmt::format("set-{}", group);
    return store_.pods_of({"shop", "ReplicaSet", name, uid});
  }
  // The pod of a group that a controller would remove first.
  [[nodiscard]] const BenchPod& first_to_go(int group) const {
    const control::Pod* lowest = nullptr;
    for (const control::Pod* pod : pods_of(group)) {
      if (lowest == nullptr || pod->deletion_cost < lowest->deletion_cost) lowest = pod;
    }
    require(lowest != nullptr, "a group without pods");
    return named(lowest->name.view());
  }
  // Since the last time. The lease has to wait for so long.
  [[nodiscard]] double take_longest_turn() { return std::exchange(longest_turn_, 0); }
  void pass_seconds(int count) { now_.mono = later_by(now_.mono, count * kNanosecondsPerSecond); }

 private:
  static constexpr auto kJson = control::Store::Format::kJson;

  // The ranker is replaced while the store goes on.
  struct Events : control::StoreListener {
    explicit Events(RankedCluster& its_cluster) : cluster(its_cluster) {}
    void pod_changed(const control::Change<control::Pod>& change) override {
      cluster.ranker_->pod_changed(change);
    }
    RankedCluster& cluster;
  };

  std::string set_json(int group) {
    return fmt::format(
        R"({{"metadata":{{"name":"app-{0}","namespace":"shop","uid":"set-{0}",)"
        R"("resourceVersion":"{1}"}},"spec":{{"replicas":50,"selector":{{"matchLabels":)"
        R"({{"app":"app-{0}"}}}},"template":{{"metadata":{{"labels":{{"app":"app-{0}"}}}}}}}}}})",
        group, ++revision_);
  }
  std::string policy_json(int group) {
    return fmt::format(
        R"({{"metadata":{{"name":"app-{0}","namespace":"shop","uid":"policy-{0}","generation":1,)"
        R"("resourceVersion":"{1}"}},"spec":{{"targetRef":{{"kind":"ReplicaSet",)"
        R"("name":"app-{0}"}},"ranking":{{"publish":"PodDeletionCost","strategies":)"
        R"([{{"name":"TopologySpread","args":{{"topologyKey":"topology.kubernetes.io/zone"}}}}]}}}}}})",
        group, ++revision_);
  }
  void tell(Resource resource, const std::string& text) {
    require(store_.upsert(resource, kJson, text).has_value(), "an object could not be read");
  }
  [[nodiscard]] const BenchPod& named(std::string_view name) const {
    return pods_[number_in(name)];
  }
  static std::size_t number_in(std::string_view name) {
    return std::stoul(std::string(name.substr(name.rfind('-') + 1)));
  }

  void run() {
    now_.mono = std::max(now_.mono, ranker_->wake_at());
    longest_turn_ = std::max(longest_turn_, seconds([&] { ranker_->run(now_); }));
  }
  [[nodiscard]] bool later() const { return !ranker_->wake_at().is_zero(); }
  [[nodiscard]] bool due() const { return later() && ranker_->wake_at() <= now_.mono; }

  void carry_out() {
    for (auto& [id, request] : std::exchange(sent_, {})) {
      const auto patch = boost::json::parse(request.body).as_object();
      const std::string_view cost = schema::text_at(
          patch, {"metadata", "annotations", "controller.kubernetes.io/pod-deletion-cost"});
      BenchPod& pod = pods_[number_in(request.path)];
      pod.cost = std::stoi(std::string(cost));
      const std::string text = pod.json(++revision_);
      tell(Resource::kPods, text);
      control::Answer answer;
      answer.response.code = 200;
      answer.response.body = Bytes(text);
      ranker_->answered(id, answer, now_);
    }
  }

  control::CallId send(control::Call::Kind, model::ApiRequest request) override {
    sent_.emplace_back(++last_id_, std::move(request));
    return last_id_;
  }
  picker::CallId ask(picker::Call) override { return 0; }
  void withdraw(picker::CallId) override {}
  void record_event(control::Event, Now) override {}

  Now now_{.wall = kNow, .mono = Timestamp::from_seconds(5'000)};
  std::mt19937_64 random_{6};
  double longest_turn_ = 0;
  std::int64_t revision_ = 0;
  control::CallId last_id_ = 0;
  control::Store store_;
  Events events_{*this};
  bool listening_ = false;
  std::deque<BenchPod> pods_;
  std::vector<std::pair<control::CallId, model::ApiRequest>> sent_;
  std::unique_ptr<control::Controller> ranker_;
};

// A pod comes to a group or the first one of it goes: how long until the ranker has ranked the
// group and says what to write, and how many writes that takes in the end.
void measure_events(RankedCluster& cluster) {
  constexpr int kEvents = 1'000;
  std::vector<double> times;
  std::size_t added = 0;
  std::size_t removed = 0;
  for (int event = 0; event < kEvents; ++event) {
    const int group = event % kGroups;
    times.push_back(seconds([&] {
      cluster.add(group);
      cluster.run_at_once();
    }));
    added += cluster.settle();
    cluster.pass_seconds(2);
    const BenchPod& first = cluster.first_to_go(group);
    times.push_back(seconds([&] {
      cluster.remove(first);
      cluster.run_at_once();
    }));
    removed += cluster.settle();
    cluster.pass_seconds(2);
  }
  std::sort(times.begin(), times.end());
  print("ranker_event_to_writes_p50", times[times.size() / 2] * 1e6, "us", "<=1000");
  print("ranker_event_to_writes_p99", times[times.size() * 99 / 100] * 1e6, "us", "<=1000");
  print("ranker_api_writes_per_added_pod", static_cast<double>(added) / kEvents, "writes", "<=1");
  print("ranker_api_writes_per_removed_pod", static_cast<double>(removed) / kEvents, "writes",
        "<=0");
}

}  // namespace

void run_ranker_benchmarks() {
  announce("150,000 pods for the ranker");
  RankedCluster cluster;
  cluster.start();
  const std::size_t writes = cluster.settle();
  print("ranker_first_writes", static_cast<double>(writes) / kPods, "per pod", "<=1");
  print("ranker_memory_with_150000_pods", static_cast<double>(resident_bytes()) / kPods,
        "bytes/pod", "<=1000");
  // Everything is published: the next process has to rank all, and to write nothing.
  std::size_t again = 0;
  (void)cluster.take_longest_turn();
  const double restart = seconds([&] {
    cluster.start();
    again = cluster.settle();
  });
  require(again == 0, "a restarted ranker wrote what was written already");
  print("ranker_restart_150000_pods", restart * 1e3, "ms", "<=1000");
  const double turn = cluster.take_longest_turn();
  print("ranker_longest_turn_150000_pods", turn * 1e3, "ms", "<=20");
  print("ranker_longest_turn_150000_pods_vs_restart", turn / restart, "times", "<=0.1");
  measure_events(cluster);
}

}  // namespace ebb::bench
