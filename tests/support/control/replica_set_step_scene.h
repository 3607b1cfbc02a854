// A ReplicaSet `web` with pods for the pure functions of its sync: no controller, no API server.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "control/replicaset/replica_set_step.h"
#include "support/objects/pods.h"

namespace ebb::testing {

class ReplicaSetStepScene : public ::testing::Test {
 protected:
  using Progress = control::replicasets::Progress;
  using Step = control::replicasets::Step;
  using Texts = std::vector<std::string>;

  ReplicaSetStepScene() {
    static_cast<model::ReplicaSet&>(set_) = world_.replica_set("web", 3);
    set_.generation = 4;
    set_.json = R"({"metadata":{"name":"web","namespace":"default","uid":"web-uid"},)"
                R"("spec":{"template":{"metadata":{"labels":{"app":"web"}},"spec":{}}}})";
    state_.uid = uid_;
    progress_.may_manage = true;
  }

  void add_pods(int count) {
    for (int i = 0; i < count; ++i) pods_.push_back(world_.pod(fmt::format("web-{}", i)));
  }
  model::Pod& add_orphan(std::string_view name) {
    pods_.push_back(world_.pod(name));
    pods_.back().controller = nullptr;
    return pods_.back();
  }
  model::Pod& add_unselected(std::string_view name) {
    pods_.push_back(world_.pod(name));
    pods_.back().labels = world_.labels({{"app", "other"}});
    return pods_.back();
  }

  [[nodiscard]] control::replicasets::SyncContext context() {
    return {.key = key_,
            .uid = uid_,
            .state = state_,
            .store = store_,
            .safeguards = safeguards_,
            .budget = budget_,
            .now = now_,
            .stopping = stopping_};
  }
  [[nodiscard]] Step next() {
    return next_step(control::replicasets::take_snapshot(set_, pointers(pods_), progress_.adopted),
                     progress_, context());
  }
  [[nodiscard]] Step next_without_set() { return next_step({}, progress_, context()); }

  // `PATCH pods/a`.
  [[nodiscard]] static Texts words(const Step& step) {
    constexpr std::string_view kMethods[] = {"GET", "POST", "PUT", "PATCH", "DELETE"};
    Texts texts;
    for (const auto& call : step.calls) {
      const std::string& path = call.request.path;
      texts.push_back(fmt::format("{} {}", kMethods[static_cast<int>(call.request.method)],
                                  path.substr(path.find("/default/") + 9)));
    }
    return texts;
  }

  [[nodiscard]] static control::Answer answer(int code, std::string body = "{}") {
    control::Answer made;
    made.response.code = code;
    made.response.body = Bytes(std::move(body));
    return made;
  }
  [[nodiscard]] static control::Answer unanswered(control::Answer::Outcome outcome) {
    return {.outcome = outcome, .error = "no answer"};
  }

  World world_;
  control::ReplicaSet set_;
  std::vector<model::Pod> pods_;
  const control::Key key_{.namespace_name = "default", .name = "web"};
  const std::string uid_ = "web-uid";
  control::ReplicaSetState state_;
  control::Store store_;
  control::Safeguards safeguards_;
  control::WorkBudget budget_;
  Now now_{.wall = kNow, .mono = Timestamp::from_seconds(1'000)};
  bool stopping_ = false;
  Progress progress_;
};

}  // namespace ebb::testing
