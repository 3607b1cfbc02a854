// Moves records from one pool to another. Strings that no record refers to are left behind.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>

#include "model/records/node.h"
#include "model/records/pod.h"
#include "model/records/policy.h"
#include "model/records/pool.h"
#include "model/records/workload.h"

namespace ebb::control {

class PoolCompaction {
 public:
  // Both the old and the new pool must exist while records are moved.
  explicit PoolCompaction(model::Pool& to) : to_(to) {}

  void move(model::Pod& pod);
  void move(model::ReplicaSet& set);
  void move(model::Deployment& deployment);
  void move(model::DownscalePolicy& policy);
  void move(model::Node& node);
  void move(model::PodGroupCost& cost);
  void move(model::DownscaleDecision& decision);

 private:
  void move(model::Interned& text);
  void move(const model::LabelSet*& labels);
  void move(const model::ControllerRef*& owner);
  void move(const model::Placement*& placement);
  void move(model::Selector& selector);

  model::Pool& to_;
  boost::unordered_flat_map<const model::LabelSet*, const model::LabelSet*> label_sets_;
  boost::unordered_flat_map<const model::ControllerRef*, const model::ControllerRef*> owners_;
  boost::unordered_flat_map<const model::Placement*, const model::Placement*> placements_;
};

}  // namespace ebb::control
