// Shadow mode: a process that only watches writes nothing but statuses of policies, records and its
// lease, and its records name only pods that really went. In runs without faults, they name all of
// them, each pod once.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "control/core/call.h"
#include "control/core/decision.h"
#include "model/api/api.h"
#include "model/component/component.h"
#include "sim/core/truth.h"
#include "sim/rules/invariants.h"

namespace ebb::sim {

class ShadowRules {
 public:
  ShadowRules(const Truth& truth, Invariants& invariants)
      : truth_(truth), invariants_(invariants) {}

  // Nothing fails in this run.
  void demand_everything() { demands_everything_ = true; }
  // Must be called before the truth changes.
  void apply(const model::ObjectEvent& event, model::Revision revision);
  // A process that only watches sends a call.
  void sent(const control::Call& call);
  void decided(const control::Decision& decision);

 private:
  struct Departure {
    std::string set{};             // uid of the ReplicaSet
    model::Revision revision = 0;  // of its deletion
    bool counted = false;          // it counted against the size until then
  };
  struct Resize {
    model::Revision revision = 0;
    std::int64_t to = 0;
  };

  void check_everything(const control::Decision& decision, model::Revision first,
                        model::Revision last);

  const Truth& truth_;
  Invariants& invariants_;
  bool demands_everything_ = false;
  std::map<std::string, Departure> departures_;         // by uid of the pod
  std::map<std::string, std::vector<Resize>> resizes_;  // by uid of the ReplicaSet
  std::set<std::string> recorded_;                      // uids of pods
};

}  // namespace ebb::sim
