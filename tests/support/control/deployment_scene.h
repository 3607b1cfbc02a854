// The Deployment controller on a real API server (without HTTP), with a cache that a test can hold
// back, requests that can be lost, and a simple ReplicaSet controller.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "control/cache/store.h"
#include "control/deployment/deployment_controller.h"
#include "support/apiserver/api_server_scene.h"

namespace ebb::testing {

class DeploymentScene final : private control::CallSink, private control::Telemetry {
 public:
  // The fate of a request.
  enum class Fate { kCarriedOut, kLostOnTheWay, kAnswerLost, kServerFails };

  explicit DeploymentScene(const model::FeatureGates& gates = {});

  // Targets are `deployments/web`, in the namespace default. Each edit is a second later than the
  // last, so that its consequences are younger than existing objects.
  boost::json::object create(std::string_view plural, std::string_view json);
  boost::json::object edit(std::string_view target, std::string_view merge_patch);
  [[nodiscard]] boost::json::object read(std::string_view target);
  void remove(std::string_view target);

  // Its ReplicaSets, the oldest first; `size` prints the size of each as `3 0 2`.
  [[nodiscard]] std::vector<boost::json::object> sets();
  [[nodiscard]] std::string sizes();
  [[nodiscard]] std::string set_name(std::size_t index);
  // `True NewReplicaSetAvailable`, or empty.
  [[nodiscard]] std::string condition(std::string_view type, std::string_view deployment = "web");

  // Writes the status that the ReplicaSet controller would report in the end; at most this many
  // pods of each set become available.
  void settle(std::int64_t max_available = 1'000'000);
  void set_status(std::string_view set, std::int64_t replicas, std::int64_t available);

  // Runs the controller until it has nothing to do at this time.
  void run();
  void pass_seconds(std::int64_t seconds);
  // Runs and settles repeatedly until nothing changes. Calls `check` after each step.
  void roll(const std::function<void()>& check = [] {});
  // Delivers all events so far to the cache.
  void watch();
  // Replaces the controller process by a new one, which knows only the cluster.
  void restart(const model::FeatureGates& gates = {});

  // `PUT deployments/web/status`, and the recorded events: `Normal ScalingReplicaSet Scaled up
  // ...`.
  std::vector<std::string> calls;
  std::vector<std::string> events;
  std::vector<model::ApiRequest> requests;
  std::function<Fate(const model::ApiRequest&)> fate;
  std::function<void(const model::ApiRequest&)> before_each;
  bool blind = false;          // the cache receives nothing
  bool blind_to_sets = false;  // the cache receives nothing about ReplicaSets
  ApiServerScene api;

  [[nodiscard]] std::size_t written() const;  // calls that are not reads
  [[nodiscard]] std::int64_t counted(control::Count what) const;
  [[nodiscard]] control::Controller& controller() { return *controller_; }
  [[nodiscard]] Now now() const { return {api.now, api.now}; }

 private:
  control::CallId send(control::Call::Kind kind, model::ApiRequest request) override;
  // The Deployment controller calls no pickers.
  picker::CallId ask(picker::Call) override { return 0; }
  void withdraw(picker::CallId) override {}
  void record_event(control::Event event, Now now) override;
  void count(control::Count what, std::string_view label, std::int64_t by) override;

  bool answer_next();

  struct Feed {
    control::Resource resource;
    std::shared_ptr<apiserver::WatchCursor> cursor;
  };

  std::unique_ptr<control::Store> store_;
  std::unique_ptr<control::Controller> controller_;
  std::vector<Feed> feeds_;
  std::deque<std::pair<control::CallId, model::ApiRequest>> waiting_;
  control::CallId last_ = 0;
  std::map<control::Count, std::int64_t> counts_;
};

// A Deployment `web` with this many replicas. `more` contains further members of its spec.
[[nodiscard]] std::string deployment_json(int replicas, std::string_view more = "",
                                          std::string_view image = "web:1");
// A merge patch that changes the image.
[[nodiscard]] std::string image_patch(std::string_view image);

}  // namespace ebb::testing
