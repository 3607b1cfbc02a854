// Rules for picker calls: I3 and I5 (docs/invariants.md), and the promises to authors of pickers.
//
// A picker decides which pods go first, never how many: the victims in a decision record are
// compared with the removal order for the pods that the process saw at that moment and the last
// answer it got. Whatever a picker does, no call is open when its time budget is used up.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "control/cache/store.h"
#include "control/core/decision.h"
#include "control/process/process.h"
#include "model/records/feature_gates.h"
#include "picker/call.h"
#include "sim/core/timeline.h"
#include "sim/pickers/pickers.h"
#include "sim/rules/invariants.h"

namespace ebb::sim {

class PickerRules {
 public:
  using ProcessId = Invariants::ProcessId;

  // The tolerance for steps that take no time.
  static constexpr Nanoseconds kAtOnce = 100 * kMillisecond;

  PickerRules(Timeline& time, Invariants& invariants) : time_(time), invariants_(invariants) {}

  // A process's view of the cluster, and its settings.
  struct View {
    ProcessId process = 0;
    const control::Store& store;
    const control::ProcessSettings& settings;
  };

  void asked(const View& view, const picker::Call& call);
  void replied(ProcessId process, picker::CallId id, const picker::Reply& reply);
  void withdrawn(ProcessId process, picker::CallId id);
  // The process is paused, or cannot decide because its caches show a state that never existed:
  // delays are excused.
  void held_up(ProcessId process);
  void ended(ProcessId process);

  // The process has just decided about one or more ReplicaSets, with this view.
  void deciding(const View& view, Timestamp wall);
  // The record of one of those decisions, once it is carried out.
  void decided(const control::Decision& decision) { unchecked_.push_back(decision); }
  // Checks the records of this step.
  void check_decisions();

  // The time budget of the session for this ReplicaSet that began after `since`; 0 if there is
  // none.
  [[nodiscard]] Nanoseconds budget_since(ProcessId process, const std::string& set_uid,
                                         Timestamp since) const;

 private:
  // All attempts for one decision.
  struct Session {
    ProcessId process = 0;
    std::string set_uid{};  // empty: all of its candidates were gone
    std::string body{};
    ReceivedRequest request{};
    std::map<std::string, std::string, std::less<>> uids{};  // of candidates, by name
    Timestamp began{};
    Nanoseconds budget_ns = 0;
    int attempts = 0;
    std::optional<picker::CallId> open{};
    std::optional<picker::Reply> last{};
    Timestamp not_before{};  // the picker's Retry-After
    bool held_up = false;    // its process was held up
    bool over = false;       // decided
  };
  // The removal order at the time of a decision.
  struct Moment {
    Timestamp when{};
    std::size_t surplus = 0;
    std::vector<std::string> by_default{};  // uids
    std::vector<std::string> by_answer{};   // likewise; empty: there was no answer
    std::string key{};                      // the idempotency key of that answer
  };

  Session& begin(const View& view, const picker::Call& call);
  void check_candidates(const View& view, const Session& one, bool at_once);
  void check_attempt(const Session& one, const picker::Call& call);
  void close(ProcessId process, picker::CallId id);
  [[nodiscard]] Moment inspect(const View& view, const control::ReplicaSet& set,
                               const std::vector<const control::Pod*>& seen, Timestamp wall) const;
  // Returns what is wrong with the victims; empty if nothing.
  [[nodiscard]] Violation judge_victims(const control::Decision& decision,
                                        const Moment& moment) const;
  void check_session(const control::Decision& decision);

  void check_decision(const control::Decision& decision);

  Timeline& time_;
  Invariants& invariants_;
  std::map<std::string, Session> sessions_;  // by idempotency key
  std::map<std::pair<ProcessId, picker::CallId>, std::string> calls_;
  std::map<std::pair<ProcessId, std::string>, std::string> latest_;  // by ReplicaSet
  // By ReplicaSet and wall clock. Several steps may happen at one moment.
  std::map<std::pair<std::string, Timestamp>, std::vector<Moment>> moments_;
  std::vector<control::Decision> unchecked_;
};

}  // namespace ebb::sim
