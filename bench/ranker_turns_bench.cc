// The longest turn of the ranker while a tenant makes its work as large as it can. The same thread
// renews the lease, so a renewal has to wait for a whole turn: reading the group, ranking it, and
// preparing what is published.
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include "bench/measure.h"
#include "bench/require.h"
#include "control/ranker/ranker.h"
#include "support/objects/wire_encoder.h"

namespace ebb::bench {
namespace {

namespace json = boost::json;
using control::Resource;
using control::Store;

constexpr std::size_t kNodes = 5'000;
constexpr int kChanges = 5;
constexpr Timestamp kNow = Timestamp::from_seconds(1793534400);

// The parts of a template that differ between its pods, all of the same length.
constexpr std::string_view kNumber = "NNNNN";
constexpr std::string_view kNode = "DDDD";
constexpr std::string_view kRevision = "RRRRRRR";

// A pod in protobuf, of which every pod of the template is a copy.
std::string pod_template(json::object affinity) {
  json::object pod =
      json::parse(R"({"metadata":{"namespace":"shop","labels":{"app":"web"},"ownerReferences":[{)"
                  R"("apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":"set",)"
                  R"("controller":true}],"creationTimestamp":"2026-10-31T12:00:00Z"},"spec":{},)"
                  R"("status":{"phase":"Running","conditions":[{"type":"Ready","status":"True",)"
                  R"("lastTransitionTime":"2026-10-31T12:00:00Z"}]}})")
          .as_object();
  json::object& metadata = pod["metadata"].as_object();
  metadata["name"] = fmt::format("web-{}", kNumber);
  metadata["uid"] = fmt::format("uid-{}", kNumber);
  metadata["resourceVersion"] = kRevision;
  pod["spec"].as_object()["nodeName"] = fmt::format("node-{}", kNode);
  if (!affinity.empty()) pod["spec"].as_object()["affinity"] = std::move(affinity);
  return testing::encode_pod(pod);
}

json::object hostile_affinity() {
  constexpr int kTerms = 300;
  constexpr int kNamespaces = 300;
  json::array namespaces{"shop"};
  for (int i = 1; i < kNamespaces; ++i) namespaces.emplace_back(fmt::format("n{}", i));
  json::array terms;
  for (int i = 0; i < kTerms; ++i) {
    terms.push_back({{"weight", i % 100 + 1},
                     {"podAffinityTerm",
                      {{"topologyKey", "topology.kubernetes.io/zone"},
                       {"labelSelector", json::object()},
                       {"namespaces", namespaces}}}});
  }
  return {{"podAntiAffinity", {{"preferredDuringSchedulingIgnoredDuringExecution", terms}}}};
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
  }
}

// One ReplicaSet, all of whose pods have the same template, and the ranker. Writes are not
// answered.
class OneGroup : private control::CallSink, private control::Telemetry {
 public:
  OneGroup(std::string of_pod, std::size_t pods) : pod_(std::move(of_pod)), pods_(pods) {
    for (std::size_t i = 0; i < kNodes; ++i) {
      tell(Resource::kNodes, Store::Format::kJson,
           fmt::format(R"({{"metadata":{{"name":"node-{:04}","resourceVersion":"{}","labels":{{)"
                       R"("topology.kubernetes.io/zone":"zone-{}"}}}}}})",
                       i, ++revision_, i % 3));
    }
    tell(Resource::kReplicaSets, Store::Format::kJson,
         fmt::format(
             R"({{"metadata":{{"name":"web","namespace":"shop","uid":"set",)"
             R"("resourceVersion":"{}"}},"spec":{{"replicas":1,"selector":{{"matchLabels":)"
             R"({{"app":"web"}}}},"template":{{"metadata":{{"labels":{{"app":"web"}}}}}}}}}})",
             ++revision_));
    for (std::size_t i = 0; i < pods_; ++i) {
      tell(Resource::kPods, Store::Format::kProtobuf, pod(i));
    }
  }

  // The longest turn, in seconds: for the first ranks, and after each of a few changes.
  double longest_turn(std::string_view strategy, bool exact, std::string_view publish) {
    tell(Resource::kPolicies, Store::Format::kJson,
         fmt::format(R"({{"metadata":{{"name":"web","namespace":"shop","uid":"policy",)"
                     R"("generation":{0},"resourceVersion":"{0}"}},"spec":{{"targetRef":{{"kind":)"
                     R"("ReplicaSet","name":"web"}},"ranking":{{"strategies":[{1}],"exact":{2},)"
                     R"("publish":"{3}"}}}}}})",
                     ++revision_, strategy, exact, publish));
    ranker_ =
        control::make_ranker({.store = store_, .sink = *this, .telemetry = *this, .gates = {}},
                             std::make_shared<control::PolicyReports>());
    const control::Policy* policy = store_.policy("shop", "web");
    require(policy != nullptr, "no policy");
    ranker_->policy_changed({.before = nullptr, .after = policy});
    rankings_ = 0;
    double longest = run();
    for (int change = 0; change < kChanges; ++change) {
      const control::Pod* changed = store_.pod("shop", fmt::format("web-{:05}", change));
      require(changed != nullptr, "no pod");
      ranker_->pod_changed({.before = nullptr, .after = changed});
      now_.mono = later_by(now_.mono, 2 * kNanosecondsPerSecond);
      longest = std::max(longest, run());
    }
    require(rankings_ > kChanges, "the group was not ranked");
    return longest;
  }

 private:
  void tell(Resource resource, Store::Format format, const std::string& object) {
    require(store_.upsert(resource, format, object).has_value(), "an object could not be read");
  }
  std::string pod(std::size_t number) {
    std::string copy = pod_;
    replace_all(copy, kNumber, fmt::format("{:05}", number));
    replace_all(copy, kNode, fmt::format("{:04}", number * 7919 % kNodes));
    replace_all(copy, kRevision, fmt::format("{:07}", 1'000'000 + ++revision_));
    return copy;
  }
  // Until nothing is due any more.
  double run() {
    double longest = 0;
    for (;;) {
      const Timestamp wake = ranker_->wake_at();
      if (wake.is_zero() || wake > later_by(now_.mono, kNanosecondsPerSecond / 10)) return longest;
      now_.mono = std::max(now_.mono, wake);
      longest = std::max(longest, seconds([&] { ranker_->run(now_); }));
    }
  }

  control::CallId send(control::Call::Kind, model::ApiRequest) override { return ++last_id_; }
  picker::CallId ask(picker::Call) override { return 0; }
  void withdraw(picker::CallId) override {}
  void record_event(control::Event, Now) override {}
  void count(control::Count what, std::string_view /*label*/, std::int64_t by) override {
    if (what == control::Count::kRankings) rankings_ += by;
  }

  std::string pod_;
  std::size_t pods_;
  Now now_{.wall = kNow, .mono = Timestamp::from_seconds(5'000)};
  std::int64_t revision_ = 0;
  control::CallId last_id_ = 0;
  std::int64_t rankings_ = 0;
  Store store_;
  std::unique_ptr<control::Controller> ranker_;
};

constexpr std::array<std::string_view, 3> kPublish = {"PodGroupCost", "PodDeletionCost",
                                                      "Annotation"};

void measure_hostile_terms() {
  std::string pod = pod_template(hostile_affinity());
  require(pod.size() > 300UL * 300 * 4, "terms are missing");
  OneGroup group(std::move(pod), 20'000);
  // With an exact order asked for, which such a group is too large for, pods can carry the ranks.
  double longest = group.longest_turn(R"({"name":"AntiAffinity"})", false, "PodGroupCost");
  for (const std::string_view publish : kPublish) {
    longest = std::max(longest, group.longest_turn(R"({"name":"AntiAffinity"})", true, publish));
  }
  print("ranker_longest_turn_20000_pods_300_terms", longest * 1e3, "ms", "<=100");
}

// As many pods as an exact order of one strategy may have. Where the strategy itself takes more
// steps, fewer pods are the worst.
void measure_exact_order() {
  constexpr std::array<std::string_view, 4> kStrategies = {
      R"({"name":"TopologySpread","args":{"topologyKey":"topology.kubernetes.io/zone"}})",
      R"({"name":"Pack"})", R"({"name":"Youngest"})", R"({"name":"Oldest"})"};
  double longest = 0;
  for (const std::size_t pods : {7'071U, 5'000U, 4'000U}) {
    OneGroup group(pod_template({}), pods);
    for (const std::string_view strategy : kStrategies) {
      for (const std::string_view publish : kPublish) {
        longest = std::max(longest, group.longest_turn(strategy, true, publish));
      }
    }
  }
  print("ranker_longest_turn_exact", longest * 1e3, "ms", "<=100");
}

}  // namespace

void run_ranker_turn_benchmarks() {
  announce("20,000 pods with 300 anti-affinity terms of 300 namespaces each");
  measure_hostile_terms();
  announce("the largest groups that have an exact order");
  measure_exact_order();
}

}  // namespace ebb::bench
