// Rules for rankings.
//
// For decisions: ranks decide which pods go first, never how many. Either the ranks are complete,
// from one carrier and, if they are recomputed after each removal, computed for exactly the current
// pods; or the default order decides, and the decision record says why. picker_rules.h checks the
// victims, together with everything else that counts; this file checks what the record says about
// ranks, that such pods go one at a time, and that the decision waited for ranks as long as it
// should.
//
// For writes: a ranker deletes and creates no pods, and changes nothing that others own.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "control/core/call.h"
#include "control/core/decision.h"
#include "sim/core/rank_reading.h"
#include "sim/core/timeline.h"
#include "sim/link/link.h"
#include "sim/rules/invariants.h"
#include "sim/rules/inventory.h"
#include "sim/rules/picker_rules.h"

namespace ebb::sim {

class RankRules : public LinkObserver {
 public:
  using ProcessId = Invariants::ProcessId;
  using View = PickerRules::View;

  RankRules(const Timeline& time, Invariants& invariants, const Inventory& inventory)
      : time_(time), invariants_(invariants), inventory_(inventory) {}

  // A process has just decided about one or more ReplicaSets, with this view.
  void deciding(const View& view, Timestamp wall);
  // The record of one of those decisions, once it is carried out.
  void decided(const control::Decision& decision) { unchecked_.push_back(decision); }
  // Checks the records of this step.
  void check_decisions();

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
  // A write that may change what others have published.
  struct Write {
    const schema::Kind* kind = nullptr;
    std::string name{};
    bool creates = false;
    Inventory::Object before{};  // valid between executing and executed
  };

  void check_decision(const control::Decision& decision);
  void check_pace(const control::Decision& decision, const Moment& moment);
  void check_pod_kept(const boost::json::object& before, const boost::json::object& after);

  const Timeline& time_;
  Invariants& invariants_;
  const Inventory& inventory_;
  // By ReplicaSet and wall clock, as in PickerRules.
  std::map<std::pair<std::string, Timestamp>, std::vector<Moment>> moments_;
  std::vector<control::Decision> unchecked_;
  // When a pod whose removal invalidates all ranks of its ReplicaSet last went.
  std::map<std::string, Timestamp> removed_;
  std::map<Invariants::Tag, Write> writes_;
};

}  // namespace ebb::sim
