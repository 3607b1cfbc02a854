// Moves records from one pool to another. What no record refers to stays behind.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>

#include "model/node.h"
#include "model/pod.h"
#include "model/policy.h"
#include "model/pool.h"
#include "model/workload.h"

namespace ebb::control {

class Rehousing {
 public:
  // Both the records' own pool and the new one must be there while records are moved.
  explicit Rehousing(model::Pool& to) : to_(to) {}

  void move(model::Pod& pod);
  void move(model::ReplicaSet& set);
  void move(model::Deployment& deployment);
  void move(model::DownscalePolicy& policy);
  void move(model::Node& node);
  void move(model::PodGroupCost& cost);

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
