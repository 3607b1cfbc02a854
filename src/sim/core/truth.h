// The true state of the API server as far as invariants need it: pods and workloads, including
// deleted ones.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json/value.hpp>

#include "model/component/component.h"

namespace ebb::sim {

using Labels = std::map<std::string, std::string>;

struct PodTruth {
  std::string namespace_name{};
  std::string name{};
  std::string uid{};
  // The uid of the ReplicaSet that controls the pod; empty for an orphan. A reference that refers
  // to no ReplicaSet of the namespace is kept as text that equals no uid.
  std::string controller{};
  Labels labels{};
  bool gone = false;
  bool deleting = false;
  bool finished = false;
  bool ready = false;
  // Whether a controller process created the pod.
  bool made_by_controller = false;
  // The uid of the ReplicaSet for which a controller process was the first to end the pod. The pod
  // may have belonged to another ReplicaSet before, because users relabel pods.
  std::string ended_for{};
  // When a second controller (rival.h) created or ended the pod; the zero time: it did not.
  Timestamp made_by_rival{};
  Timestamp ended_by_rival{};

  [[nodiscard]] bool active() const { return !gone && !deleting && !finished; }
};

struct SetTruth {
  std::string namespace_name{};
  std::string name{};
  std::string uid{};
  std::string controller{};  // the uid of its Deployment, likewise
  bool forged = false;       // its controller does not exist: the garbage collector deletes it
  Labels selector{};
  boost::json::value picker{};  // spec.downscalePodPicker; null: none
  bool gone = false;
  bool deleting = false;
  std::int64_t replicas = 0;
  std::int64_t generation = 0;
  std::int64_t observed_generation = 0;
  std::int64_t status_replicas = 0;
  std::int64_t status_ready = 0;
};

struct DeploymentTruth {
  std::string namespace_name{};
  std::string name{};
  std::string uid{};
  boost::json::value picker{};
  bool gone = false;
  bool deleting = false;
  bool paused = false;
  std::int64_t replicas = 0;
  std::int64_t generation = 0;
  std::int64_t observed_generation = 0;
  std::int64_t status_replicas = 0;
  std::int64_t updated = 0;
  std::int64_t available = 0;
};

struct PolicyTruth {
  std::string namespace_name{};
  std::string name{};
  std::string uid{};
  std::string target{};   // `Deployment/web`
  std::string created{};  // by the second
  bool gone = false;
  bool deleting = false;
  std::int64_t generation = 0;
  std::int64_t observed_generation = 0;
  std::string conflicting{};  // from its status: True, False, or empty
  std::string target_found{};
};

class Truth {
 public:
  void apply(const model::ObjectEvent& event);

  // By uid.
  [[nodiscard]] const std::map<std::string, PodTruth, std::less<>>& pods() const { return pods_; }
  [[nodiscard]] const std::map<std::string, SetTruth, std::less<>>& sets() const { return sets_; }
  [[nodiscard]] const std::map<std::string, DeploymentTruth, std::less<>>& deployments() const {
    return deployments_;
  }
  [[nodiscard]] const std::map<std::string, PolicyTruth, std::less<>>& policies() const {
    return policies_;
  }
  [[nodiscard]] const PodTruth* pod(std::string_view uid) const;
  // The existing object of this name; null if there is none.
  [[nodiscard]] const PodTruth* pod(std::string_view namespace_name, std::string_view name) const;
  [[nodiscard]] const SetTruth* set(std::string_view uid) const;

  // Whether the pod counts against the set's replicas.
  [[nodiscard]] bool counts(const PodTruth& pod, const SetTruth& set) const;
  [[nodiscard]] std::vector<const PodTruth*> pods_of(const SetTruth& set) const;

  void note_made_by_controller(std::string_view uid);
  void note_ended_by_controller(std::string_view uid, std::string_view set_uid);
  void note_made_by_rival(std::string_view uid, Timestamp when);
  void note_ended_by_rival(std::string_view uid, Timestamp when);

 private:
  std::map<std::string, PodTruth, std::less<>> pods_;
  std::map<std::pair<std::string, std::string>, std::string> names_;  // to uids
  std::map<std::string, SetTruth, std::less<>> sets_;
  std::map<std::string, DeploymentTruth, std::less<>> deployments_;
  std::map<std::string, PolicyTruth, std::less<>> policies_;
};

[[nodiscard]] bool selects(const Labels& selector, const Labels& labels);

}  // namespace ebb::sim
