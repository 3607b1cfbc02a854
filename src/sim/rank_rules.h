// What must hold where pods are ranked.
//
// Of decisions: ranks say who goes first, never how many. Either they are complete, of one carrier
// and, where they have to be worked out anew after each removal, of the very pods that are there;
// or the default order decides, and the decision record says why. Who goes is judged with
// everything else that counts in picker_rules.h; here, what the record says about ranks, that
// such pods go one at a time, and that ranks were waited for as long as they are worth it.
//
// Of writes: a ranker deletes and creates no pods, and changes nothing that is somebody else's.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "control/call.h"
#include "control/decision.h"
#include "sim/invariants.h"
#include "sim/inventory.h"
#include "sim/link.h"
#include "sim/picker_rules.h"
#include "sim/rank_reading.h"
#include "sim/timeline.h"

namespace ebb::sim {

class RankRules : public LinkWitness {
 public:
  using ProcessId = Invariants::ProcessId;
  using View = PickerRules::View;

  RankRules(const Timeline& time, Invariants& invariants, const Inventory& inventory)
      : time_(time), invariants_(invariants), inventory_(inventory) {}

  // A process has just decided about one or more ReplicaSets, seeing this.
  void deciding(const View& view, Timestamp wall);
  // What it says about one of those decisions, once that is carried out.
  void decided(const control::Decision& decision) { told_.push_back(decision); }
  // Looks at what was told in this step.
  void check_told();

  // A call leaves a process.
  void sent(Invariants::Tag tag, ProcessId process, const control::Call& call);
  void executing(std::uint64_t tag) override;
  void executed(std::uint64_t tag, const model::ApiResponse& response) override;

 private:
  struct Moment {
    Timestamp when{};
    RankReading reading{};
    std::int64_t replicas = 0;
    std::set<std::string> serving{};  // uids
  };
  // A write that may change what somebody else has published.
  struct Write {
    const schema::Kind* kind = nullptr;
    std::string name{};
    bool creates = false;
    Inventory::Object before{};  // between executing and executed
  };

  void check_decision(const control::Decision& decision);
  void check_pace(const control::Decision& decision, const Moment& moment);
  void check_pod_kept(const boost::json::object& before, const boost::json::object& after);

  const Timeline& time_;
  Invariants& invariants_;
  const Inventory& inventory_;
  // By ReplicaSet and wall clock, as in PickerRules.
  std::map<std::pair<std::string, Timestamp>, std::vector<Moment>> moments_;
  std::vector<control::Decision> told_;
  // When a pod of a ReplicaSet last went whose removal makes all ranks worthless.
  std::map<std::string, Timestamp> removed_;
  std::map<Invariants::Tag, Write> writes_;
};

}  // namespace ebb::sim
