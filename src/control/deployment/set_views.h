// The fields of each ReplicaSet that the syncs of its Deployment need, read once per version.
//
// A tenant can keep hundreds of ReplicaSets of a megabyte each in the history of one Deployment, in
// their templates or elsewhere. So a document is parsed when it changes, not in every sync, and
// only the small view of it is kept.
#pragma once  // private to its room

#include <cstddef>
#include <string>
#include <unordered_map>

#include "control/cache/store.h"
#include "control/core/work_budget.h"
#include "control/deployment/deployment_view.h"

namespace ebb::control::deployments {

class SetViews {
 public:
  // Whether its current version has been read.
  [[nodiscard]] bool knows(const ReplicaSet& set) const { return find(set) != nullptr; }
  // A view without the document; null if it cannot be parsed. Spends what it costs.
  [[nodiscard]] const SetView* read(const ReplicaSet& set, WorkBudget& budget);
  void forget(const ReplicaSet& set) { views_.erase(std::string(set.uid.view())); }

 private:
  [[nodiscard]] const SetView* find(const ReplicaSet& set) const;

  std::unordered_map<std::string, SetView> views_;  // by uid
};

}  // namespace ebb::control::deployments
