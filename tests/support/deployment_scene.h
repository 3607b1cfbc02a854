// The Deployment controller on a real API server (without HTTP), with a cache that a test can
// hold back, requests that can get lost, and a stand-in for the ReplicaSet controller.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "control/deployment_controller.h"
#include "control/store.h"
#include "support/served.h"

namespace ebb::testing {

class DeploymentScene final : private control::Port, private control::Telemetry {
 public:
  // What becomes of a request.
  enum class Fate { kCarriedOut, kLostOnTheWay, kAnswerLost, kServerFails };

  explicit DeploymentScene(const model::FeatureGates& gates = {});

  // Targets are `deployments/web`, in the namespace default. Each edit comes a second later, so
  // that what follows from it is younger than what was there.
  boost::json::object create(std::string_view plural, std::string_view json);
  boost::json::object edit(std::string_view target, std::string_view merge_patch);
  [[nodiscard]] boost::json::object read(std::string_view target);
  void remove(std::string_view target);

  // Its ReplicaSets, the oldest first; `size` of each as `3 0 2`.
  [[nodiscard]] std::vector<boost::json::object> sets();
  [[nodiscard]] std::string sizes();
  [[nodiscard]] std::string set_name(std::size_t index);
  // `True NewReplicaSetAvailable`, or nothing.
  [[nodiscard]] std::string condition(std::string_view type, std::string_view deployment = "web");

  // What the ReplicaSet controller would report once all is done; at most so many pods of each
  // become available.
  void settle(std::int64_t most_available = 1'000'000);
  void set_status(std::string_view set, std::int64_t replicas, std::int64_t available);

  // Lets the controller work until it has nothing to do at this time.
  void run();
  void pass_seconds(std::int64_t seconds);
  // Runs, settles, and again, until nothing changes. Calls `check` after each.
  void roll(const std::function<void()>& check = [] {});
  // Tells the cache what has happened so far.
  void watch();
  // A new controller process in the place of this one: it knows nothing but the cluster.
  void restart(const model::FeatureGates& gates = {});

  // `PUT deployments/web/status`, and what was told: `Normal ScalingReplicaSet Scaled up ...`.
  std::vector<std::string> calls;
  std::vector<std::string> notes;
  std::vector<model::ApiRequest> requests;
  std::function<Fate(const model::ApiRequest&)> fate;
  std::function<void(const model::ApiRequest&)> before_each;
  bool blind = false;          // the cache hears nothing
  bool blind_to_sets = false;  // the cache hears nothing of ReplicaSets
  Served api;

  [[nodiscard]] std::size_t written() const;  // calls that are no reads
  [[nodiscard]] std::int64_t counted(control::Count what) const;
  [[nodiscard]] control::Controller& controller() { return *controller_; }
  [[nodiscard]] Now now() const { return {api.now, api.now}; }

 private:
  control::CallId send(control::Call::Kind kind, model::ApiRequest request) override;
  // Deployments do not shrink ReplicaSets pod by pod.
  picker::CallId ask(picker::Call) override { return 0; }
  void withdraw(picker::CallId) override {}
  void note(control::Note note, Now now) override;
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

// A Deployment `web` of so many replicas. `more` are further members of its spec.
[[nodiscard]] std::string deployment_json(int replicas, std::string_view more = "",
                                          std::string_view image = "web:1");
// A merge patch to another image.
[[nodiscard]] std::string image_patch(std::string_view image);

}  // namespace ebb::testing
