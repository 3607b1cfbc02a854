// A controller that sees a pod of a ReplicaSet that none of its creations can have made leaves this
// ReplicaSet alone for a while: a second controller may be acting, which its canary will show.
// Checked after each input of a guarded process, where it is certain what the process knows: it
// must not decide on a scale-down in the step that reports such a pod.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "control/cache/store.h"
#include "control/core/sole_controller.h"
#include "sim/core/timeline.h"
#include "sim/core/truth.h"
#include "sim/rules/invariants.h"

namespace ebb::sim {

class EvidenceRule {
 public:
  EvidenceRule(const Timeline& time, const Truth& truth, Invariants& invariants)
      : time_(time), truth_(truth), invariants_(invariants) {}

  struct Input {
    Invariants::ProcessId process = 0;
    const control::Store& store;
    const control::SoleControllerOptions& options;
    bool acting_before = false;  // of its ReplicaSet controller, before the input and after it
    bool acting_after = false;
    bool decided = false;   // on a scale-down
    bool reported = false;  // that another client has written what only controllers write
  };
  // A guarded process has handled an input.
  void handled(const Input& input);

 private:
  using Uids = std::set<std::string, std::less<>>;
  // What a process knows after an input.
  struct Known {
    Uids pods{};
    std::map<std::string, std::uint64_t> sets{};  // their revisions, by uid
    bool mixed = false;                           // its store is
    // When it last reported something that may concern the set, by uid; all sets, if it is not
    // certain which.
    std::map<std::string, Timestamp> reports{};
    Timestamp report_of_any{};
  };

  void check(const Input& input, const Known& before, const std::string& set_uid) const;
  // The sets that are new or changed, or have new pods, since then.
  [[nodiscard]] static Uids changed_sets(const control::Store& store, const Known& before);
  // The only ReplicaSet that a decision can be about, or null if it is not certain.
  [[nodiscard]] const control::ReplicaSet* only_surplus(const Input& input) const;

  const Timeline& time_;
  const Truth& truth_;
  Invariants& invariants_;
  std::map<Invariants::ProcessId, Known> known_;
};

}  // namespace ebb::sim
