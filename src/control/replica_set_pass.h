// One look at a ReplicaSet, from its pods to its status, with all the calls on the way.
//
// In this order: pods are adopted and released; missing ones are created, or surplus ones deleted,
// unless earlier writes are not seen yet, or ranks or a picker are awaited; the status is written.
// Between two steps anything may have happened: nothing of the store is kept, and everything is
// looked up again.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "control/counsel.h"
#include "control/decision.h"
#include "control/errands.h"
#include "control/expectations.h"
#include "control/picker_desk.h"
#include "control/policy_reports.h"
#include "control/port.h"
#include "control/process.h"
#include "control/replica_set_status.h"
#include "control/scale_down.h"
#include "control/settlement.h"
#include "control/slow_start.h"
#include "control/work_queue.h"
#include "control/written_revisions.h"

namespace ebb::control {

// How long a scale-down has waited for ranks. It is forgotten when the scale-down is over.
struct RankWait {
  Timestamp since{};   // on the monotonic clock; the zero time: nothing was missing yet
  bool waits = false;  // a pass ended because of it
  // What people were told of it. It stands as a condition until the scale-down is over, also
  // between two waits.
  std::optional<ConditionWords> told{};
};

// What is remembered of a ReplicaSet from pass to pass. It begins anew with the uid.
struct SetMemory {
  std::string uid;
  Expectations expectations;
  WrittenRevisions written;
  std::uint64_t decisions = 0;
  // A live read has shown that it is gone, and the cache will show it later: whatever is made for
  // it until then would be collected as garbage at once, and made again.
  bool gone = false;
  UnsettledDeletes unsettled;
  RankWait rank_wait;
  bool told_of_costs = false;  // that both a picker and deletion costs are in use
  Timestamp refusal_told{};    // when the log last said that a pod was refused
};

class ReplicaSetPass {
 public:
  struct Surroundings {
    const ControllerContext& context;
    const Safeguards& safeguards;
    Errands& errands;
    PickerDesk& desk;
    PolicyReports& reports;
    const bool& stopping;  // then no further batch of creations is begun
    bool& protobuf;        // for new pods, until the API server refuses it
  };

  // `memory` must stay where it is; its uid changes if the ReplicaSet is replaced.
  ReplicaSetPass(Key key, SetMemory& memory, Surroundings around);

  void begin(Now now);
  // Whether an errand of this pass is still wanted, now that it is about to be sent. `epoch` counts
  // the changes of the store.
  [[nodiscard]] bool still_wants(const Errand& errand, std::uint64_t epoch);
  // Of an errand of this pass.
  void answered(const Errand& errand, const Answer& answer, Now now);

  [[nodiscard]] bool over() const { return over_; }
  // Of a pass that is over: why it has to be repeated, if it has to.
  [[nodiscard]] const std::optional<std::string>& error() const { return error_; }
  // ... and when to look again although nothing happens, if that is needed.
  [[nodiscard]] std::optional<Nanoseconds> again_after_ns(Now now) const;

 private:
  struct Claimed {
    std::vector<const model::Pod*> active;
    std::vector<Claim::Ignored> ignored;
  };
  enum class Owner : std::uint8_t { kNotLookedAt, kMayAdopt, kMustNot };

  // The ReplicaSet, if it is still the one that the pass is about.
  [[nodiscard]] const ReplicaSet* set() const;
  // What is remembered of it, likewise.
  [[nodiscard]] SetMemory* memory() const;
  [[nodiscard]] std::vector<const model::Pod*> possible_pods(const ReplicaSet& set) const;

  // Claiming.
  void claim(Now now);
  std::size_t send_patches(const Claim& claim);
  void owner_answered(const Answer& answer, Now now);
  void patch_answered(const Errand& errand, const Answer& answer, Now now);
  [[nodiscard]] Claimed claimed_pods(const ReplicaSet& set) const;
  void claiming_is_over(Now now);

  // Creating and deleting.
  void manage(const ReplicaSet& set, const Claimed& pods, Now now);
  void scale_up(const ReplicaSet& set, std::size_t missing, Now now);
  void send_creations(Now now);
  void create_answered(const Errand& errand, const Answer& answer, Now now);
  // When the next Ready pod counts as available, if one is to.
  [[nodiscard]] std::optional<Nanoseconds> next_available_after_ns(Now now) const;
  // How many pods are active at this moment.
  [[nodiscard]] std::size_t count_active(const ReplicaSet& set) const;
  [[nodiscard]] std::size_t active_now(const ReplicaSet& set, std::uint64_t epoch);
  [[nodiscard]] bool still_claims(const ReplicaSet& set, const Errand& errand) const;
  bool judge_creation(const Answer& answer, Now now);
  void tell_refusal(SetMemory& mine, std::string_view error, Now now);
  void scale_down(const ReplicaSet& set, const Claimed& pods, std::size_t surplus, Now now);
  // Whether the pass ends here, because better ranks are worth waiting for; else how many may go
  // is in `ranks`.
  [[nodiscard]] bool must_await_ranks(RankAdvice& ranks, Now now);
  void tell_rank_wait(const RankAdvice& ranks, Now now);
  void tell_ranks(const RankAdvice& ranks, Nanoseconds waited_ns, Now now);
  void delete_victims(ScaleDown down, Now now);
  void tell_counsel(const Counsel& counsel, const Claimed& pods, Now now);
  void tell_of_costs(const Claimed& pods, Now now);
  void report_to_policy();
  void delete_answered(const Errand& errand, const Answer& answer, Now now);
  void tell_decision(Now now);
  void managing_is_over(Now now);

  // The status.
  void write_status(Now now);
  void send_status(boost::json::object object);
  void status_answered(const Answer& answer, Now now);
  void status_read(const Answer& answer, Now now);

  void send(Call::Kind kind, Errand::What what, model::ApiRequest request);
  void send(Call::Kind kind, model::ApiRequest request, Errand errand);
  void note(bool warning, std::string_view reason, std::string message, Now now,
            std::string_view component = "replicaset-controller");
  void finish() { over_ = true; }
  void fail(std::string error);

  Key key_;
  std::string uid_;
  SetMemory& memory_;
  Surroundings around_;
  std::size_t under_way_ = 0;
  bool over_ = false;
  std::optional<std::string> error_;

  bool may_manage_ = false;
  Owner owner_ = Owner::kNotLookedAt;
  std::optional<std::string> claim_error_;
  std::set<std::string, std::less<>> adopted_;  // uids; the cache may not show it yet

  StatusCounts counts_;
  std::int32_t min_ready_seconds_ = 0;
  std::optional<SlowStart> slow_start_;
  std::size_t creations_in_flight_ = 0;
  std::optional<std::size_t> active_now_;  // as of this epoch
  std::uint64_t active_epoch_ = 0;
  model::ApiRequest create_request_;
  std::optional<Decision> decision_;
  Timestamp ranks_due_;  // when the wait for ranks is over, if there is one
  std::string policy_;   // whose picker had a say in it
  bool breaker_open_ = false;
  std::optional<ConditionWords> failure_;

  boost::json::object status_;  // being written
  bool status_retried_ = false;
};

}  // namespace ebb::control
