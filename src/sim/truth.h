// What is really so at the API server, as far as invariants ask: pods and workloads, those that
// are gone included.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json/value.hpp>

#include "model/machine.h"

namespace ebb::sim {

using Labels = std::map<std::string, std::string>;

struct PodTruth {
  std::string name_space{};
  std::string name{};
  std::string uid{};
  std::string controller{};  // uid; empty: an orphan
  Labels labels{};
  bool gone = false;
  bool deleting = false;
  bool finished = false;
  bool ready = false;
  // Whether a controller process made it, and whether one (and nobody before it) ended it.
  bool made_by_controller = false;
  bool ended_by_controller = false;

  [[nodiscard]] bool active() const { return !gone && !deleting && !finished; }
};

struct SetTruth {
  std::string name_space{};
  std::string name{};
  std::string uid{};
  std::string controller{};
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
  std::string name_space{};
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
  std::string name_space{};
  std::string name{};
  std::string uid{};
  std::string target{};   // `Deployment/web`
  std::string created{};  // by the second
  bool gone = false;
  bool deleting = false;
  std::int64_t generation = 0;
  std::int64_t observed_generation = 0;
  std::string conflicting{};  // as its status has it: True, False, or nothing
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
  // The one of this name that exists; null if there is none.
  [[nodiscard]] const PodTruth* pod(std::string_view name_space, std::string_view name) const;
  [[nodiscard]] const SetTruth* set(std::string_view uid) const;

  // Whether the pod fills a place of the set.
  [[nodiscard]] bool counts(const PodTruth& pod, const SetTruth& set) const;
  [[nodiscard]] std::vector<const PodTruth*> pods_of(const SetTruth& set) const;

  void note_made_by_controller(std::string_view uid);
  void note_ended_by_controller(std::string_view uid);

 private:
  std::map<std::string, PodTruth, std::less<>> pods_;
  std::map<std::pair<std::string, std::string>, std::string> names_;  // to uids
  std::map<std::string, SetTruth, std::less<>> sets_;
  std::map<std::string, DeploymentTruth, std::less<>> deployments_;
  std::map<std::string, PolicyTruth, std::less<>> policies_;
};

[[nodiscard]] bool selects(const Labels& selector, const Labels& labels);

}  // namespace ebb::sim
