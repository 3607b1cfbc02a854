// What must hold where pickers are asked: I3 and I5 of the design, and what is promised to whoever
// runs a picker.
//
// A picker says who goes first and never how many: what a decision record names is compared with
// what the removal order gives for the pods that its process saw at that moment and for the last
// answer that it got. And whatever a picker does, no question is open when its time is up.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "control/decision.h"
#include "control/process.h"
#include "control/store.h"
#include "model/feature_gates.h"
#include "picker/call.h"
#include "sim/invariants.h"
#include "sim/pickers.h"
#include "sim/timeline.h"

namespace ebb::sim {

class PickerRules {
 public:
  using ProcessId = Invariants::ProcessId;

  // What takes no time, takes no longer than this.
  static constexpr Nanoseconds kAtOnce = 100 * kMillisecond;

  PickerRules(Timeline& time, Invariants& invariants) : time_(time), invariants_(invariants) {}

  // What a process sees, and how it is set.
  struct View {
    ProcessId process = 0;
    const control::Store& store;
    const control::ProcessSettings& settings;
  };

  void asked(const View& view, const picker::Call& call);
  void replied(ProcessId process, picker::CallId id, const picker::Reply& reply);
  void withdrawn(ProcessId process, picker::CallId id);
  // It stands still, or cannot decide anything because its caches show no state that ever was: what
  // it does late is not held against it.
  void held_up(ProcessId process);
  void ended(ProcessId process);

  // It has just decided about one or more ReplicaSets, seeing this.
  void deciding(const View& view, Timestamp wall);
  // What it says about one of those decisions, once that is carried out.
  void decided(const control::Decision& decision) { told_.push_back(decision); }
  // Looks at what was told in this step.
  void check_told();

  // The budget of the consultation about this ReplicaSet that began after `since`; 0: none did.
  [[nodiscard]] Nanoseconds budget_since(ProcessId process, const std::string& set_uid,
                                         Timestamp since) const;

 private:
  // All attempts for one decision.
  struct Consultation {
    ProcessId process = 0;
    std::string set_uid{};  // empty: none of its candidates was there any more
    std::string body{};
    HeardQuestion question{};
    std::map<std::string, std::string, std::less<>> uids{};  // of candidates, by name
    Timestamp began{};
    Nanoseconds budget_ns = 0;
    int attempts = 0;
    std::optional<picker::CallId> open{};
    std::optional<picker::Reply> last{};
    Timestamp not_before{};  // the picker asked for patience
    bool held_up = false;    // its process was
    bool over = false;       // decided
  };
  // The removal order as it was when somebody decided.
  struct Moment {
    Timestamp when{};
    std::size_t surplus = 0;
    std::vector<std::string> by_default{};  // uids
    std::vector<std::string> by_answer{};   // likewise; empty: there was no answer
    std::string key{};                      // whose answer that is
  };

  Consultation& begin(const View& view, const picker::Call& call);
  void check_candidates(const View& view, const Consultation& one, bool at_once);
  void check_attempt(const Consultation& one, const picker::Call& call);
  void close(ProcessId process, picker::CallId id);
  [[nodiscard]] Moment look_at(const View& view, const control::ReplicaSet& set,
                               const std::vector<const control::Pod*>& seen, Timestamp wall) const;
  // What is wrong with the victims; empty: nothing.
  [[nodiscard]] Violation judge_victims(const control::Decision& decision,
                                        const Moment& moment) const;
  void check_consultation(const control::Decision& decision);

  void check_decision(const control::Decision& decision);

  Timeline& time_;
  Invariants& invariants_;
  std::map<std::string, Consultation> consultations_;  // by idempotency key
  std::map<std::pair<ProcessId, picker::CallId>, std::string> calls_;
  std::map<std::pair<ProcessId, std::string>, std::string> latest_;  // by ReplicaSet
  // By ReplicaSet and wall clock. Several steps may be taken at one moment.
  std::map<std::pair<std::string, Timestamp>, std::vector<Moment>> moments_;
  std::vector<control::Decision> told_;
};

}  // namespace ebb::sim
