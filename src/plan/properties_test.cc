// Properties of plans on random snapshots: pods of this ReplicaSet and of others, orphans, pods
// in other namespaces, finished and terminating pods, pods whose labels have changed; with and
// without a Deployment.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "plan/plan.h"
#include "support/objects/pods.h"

namespace ebb::plan {
namespace {

using ebb::testing::ago;
using ebb::testing::kHour;
using ebb::testing::kNow;
using ebb::testing::World;
using model::Pod;

template <class T>
T pick(std::vector<T> choices) {
  return choices[*rc::gen::inRange<std::size_t>(0, choices.size())];
}

bool chance(int percent) { return *rc::gen::inRange(0, 100) < percent; }

// `own` pods belong to the ReplicaSet `web`; strangers do not and are not related to it.
Pod random_pod(World& world, const std::string& name, bool stranger) {
  Pod pod = world.pod(name);
  pod.node = world.intern(pick<std::string>({"", "node-1", "node-2", "node-3"}));
  pod.phase =
      pick<model::Phase>({model::Phase::kRunning, model::Phase::kRunning, model::Phase::kPending,
                          model::Phase::kFailed, model::Phase::kSucceeded, model::Phase::kUnknown});
  pod.ready = chance(70);
  pod.deleting = chance(10);
  pod.created = pick<Timestamp>({Timestamp(), ago(kHour), ago(5 * kHour), ago(-kHour)});
  pod.ready_since = pod.created;
  pod.deletion_cost = pick<std::int32_t>({-1, 0, 0, 0, 7});
  pod.restarts = pick<std::int32_t>({0, 0, 3});
  if (stranger) {
    // Another owner and other labels, or another namespace.
    if (chance(50)) {
      pod.controller = world.owner("ReplicaSet", "other", "other-uid");
      pod.labels = world.labels({{"app", "other"}});
    } else {
      pod.namespace_name = world.intern("elsewhere");
    }
  } else if (chance(10)) {
    pod.controller = nullptr;
  } else if (chance(10)) {
    pod.labels = world.labels({{"app", "renamed"}});
  }
  return pod;
}

struct Scene {
  World world;
  Request request;

  Scene() {
    model::ReplicaSet set = world.replica_set("web");
    if (chance(50)) set.controller = world.owner("Deployment", "web", "deployment-uid");
    world.snapshot.replica_sets.push_back(set);
    const int own = *rc::gen::inRange(0, 15);
    for (int i = 0; i < own; ++i) {
      world.snapshot.pods.push_back(random_pod(world, "own-" + std::to_string(i), false));
    }
    request.namespace_name = "default";
    request.name = "web";
    request.replicas = *rc::gen::inRange(0, 12);
    request.now = kNow;
  }

  SetPlan plan() const {
    auto plan = make_plan(world.snapshot, request);
    RC_ASSERT(plan.has_value());
    return std::move(plan->sets.front());
  }

  // The pods that the ReplicaSet claims, computed without the code under test.
  std::set<std::string> claimed() const {
    std::set<std::string> names;
    for (const Pod& pod : world.snapshot.pods) {
      const bool ours = pod.controller == nullptr || pod.controller->uid.view() == "web-uid";
      if (ours && pod.namespace_name.view() == "default" && !pod.deleting &&
          pod.phase != model::Phase::kFailed && pod.phase != model::Phase::kSucceeded &&
          pod.labels->labels.front().value.view() == "web") {
        names.emplace(pod.name.view());
      }
    }
    return names;
  }
};

std::string describe(const SetPlan& plan) {
  std::string text;
  for (const auto* entries : {&plan.remove, &plan.keep}) {
    for (const Entry& entry : *entries) {
      text += std::string(entry.candidate.pod->name.view()) + ": " + entry.reason.because + '\n';
    }
    text += "--\n";
  }
  for (const auto& [pod, because] : plan.ignored) {
    text += std::string(pod->name.view()) + ": " + std::string(because) + '\n';
  }
  for (const std::string& warning : plan.warnings) text += warning + '\n';
  return text;
}

RC_GTEST_PROP(PlanProperties, VictimsAreClaimedActivePodsAndExactlyTheSurplus, ()) {
  Scene scene;
  for (int i = 0; i < 5; ++i) {
    scene.world.snapshot.pods.push_back(
        random_pod(scene.world, "stranger-" + std::to_string(i), true));
  }
  const std::set<std::string> claimed = scene.claimed();
  const SetPlan plan = scene.plan();
  const auto wanted = static_cast<std::size_t>(scene.request.replicas);
  RC_ASSERT(plan.active == claimed.size());
  RC_ASSERT(plan.remove.size() == (claimed.size() > wanted ? claimed.size() - wanted : 0));
  std::set<std::string> seen;
  for (const auto* entries : {&plan.remove, &plan.keep}) {
    for (const Entry& entry : *entries) {
      const std::string name(entry.candidate.pod->name.view());
      RC_ASSERT(claimed.contains(name));
      RC_ASSERT(seen.insert(name).second);
    }
  }
  RC_ASSERT(seen == claimed);
}

RC_GTEST_PROP(PlanProperties, StrangersAndTheOrderOfTheInputChangeNothing, ()) {
  Scene scene;
  const std::string before = describe(scene.plan());
  auto& pods = scene.world.snapshot.pods;
  const int strangers = *rc::gen::inRange(0, 8);
  for (int i = 0; i < strangers; ++i) {
    pods.push_back(random_pod(scene.world, "stranger-" + std::to_string(i), true));
  }
  for (std::size_t i = pods.size(); i > 1; --i) {
    std::swap(pods[i - 1], pods[*rc::gen::inRange<std::size_t>(0, i)]);
  }
  RC_ASSERT(describe(scene.plan()) == before);
}

}  // namespace
}  // namespace ebb::plan
