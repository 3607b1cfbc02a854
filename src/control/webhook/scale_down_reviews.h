// Decides scale-downs while the API server waits: chooses the pods, lowers their deletion costs,
// and lets the smaller size pass.
//
// A review is held until the costs are written, and never longer than its budget. Several reviews
// may share one decision: an update that lost a conflict is admitted again, and a smaller size
// covers a larger one that is not decided yet. If a picker is slow, the Deployment controller is
// asked to try again, within the limits of call_limits.h, and the answer is kept for that; all
// others get the choice that is possible without the picker.
#pragma once  // private to its room

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "control/controller/controller.h"
#include "control/controller/process_settings.h"
#include "control/controller/webhook_settings.h"
#include "control/core/work_budget.h"
#include "control/picker/picker_sessions.h"
#include "control/scaledown/scale_down.h"
#include "control/webhook/admission_review.h"
#include "control/webhook/call_limits.h"
#include "control/webhook/followed_decisions.h"
#include "control/webhook/known_decisions.h"
#include "control/webhook/open_reviews.h"

namespace ebb::control {

class ScaleDownReviews {
 public:
  // How long a decision counts for further reviews of the same size.
  static constexpr Nanoseconds kReuseNs = 10 * kNanosecondsPerSecond;
  // How long a picker's answer is kept after its call was asked to try again.
  static constexpr Nanoseconds kKeepNs = 30 * kNanosecondsPerSecond;
  // The part of the budget that remains for writing costs when a picker is late: a quarter, and at
  // most this.
  static constexpr Nanoseconds kMaxWriteReserveNs = 500 * kMillisecond;
  // How often a cost is written again because another client changed it meanwhile.
  static constexpr int kMaxTries = 3;

  struct Parts {
    OpenReviews& reviews;
    KnownDecisions& known;
    FollowedDecisions& followed;
  };
  // All of these must outlive it.
  ScaleDownReviews(const ControllerContext& context, const WebhookSettings& settings,
                   const Safeguards& safeguards, Parts parts);

  // The review must be open and have a resize.
  void review(ReviewId id, const AdmissionReview& review, Now now);
  void drop(ReviewId id, Now now);
  // Whether the call is its own.
  bool answered(CallId id, const Answer& answer, Now now);
  void replied(picker::CallId id, const picker::Reply& reply, Now now);
  [[nodiscard]] bool still_wants(CallId id) const;
  void run(Now now);
  // Withdraws all picker calls. The reviews have been answered.
  void stop();
  [[nodiscard]] Timestamp wake_at() const;
  [[nodiscard]] bool idle() const { return writes_.empty(); }

 private:
  struct Waiting {
    ReviewId id = 0;
    Timestamp deadline{};
    Timestamp pick_until{};      // the picker has to have answered by then
    bool by_deployment = false;  // it is a call of the Deployment controller
    bool may_refuse = false;     // and one that it retries
    bool has_place = false;      // counts as held
    Timestamp moment_until{};    // counts as held for a moment; zero: does not
    bool over = false;           // it has been answered or dropped
  };
  enum class Phase : std::uint8_t { kPicking, kWriting, kWritten };
  struct InProgress {
    Key key{};
    SetId id{};
    std::int32_t size = 0;
    Phase phase = Phase::kPicking;
    bool asks_picker = false;
    std::vector<Waiting> waiting{};
    Timestamp keep_until{};  // without waiting reviews; zero: not kept
    // From phase kWriting on.
    ScaleDown down{};
    std::int32_t cost = 0;
    Timestamp decided{};
    std::size_t next = 0;  // index of the next victim to write
    std::size_t in_flight = 0;
    std::size_t written = 0;
    bool timed_out = false;  // the picker did
  };
  using Number = std::uint64_t;
  struct Write {
    Number decision = 0;
    std::size_t victim = 0;
    int tries = 1;
    std::int32_t replaced = 0;  // the cost that it replaces
    bool is_first = false;      // there was none
  };
  // The ReplicaSet at its new size, and the pods that it claims.
  struct Asked {
    ReplicaSet set{};
    std::vector<const Pod*> active{};
    std::size_t surplus = 0;
  };

  [[nodiscard]] const ReplicaSet* find_set(const Key& key, std::string_view uid) const;
  [[nodiscard]] Asked ask(const ReplicaSet& set, std::int32_t size) const;
  // The same for a decision that is not made yet, on what is known now. Nothing if there is nothing
  // left to decide: then everything that waits is let go, and the decision is erased.
  [[nodiscard]] std::optional<Asked> ask_again(Number number, Now now);
  // Why no policy wants a decision; nothing: one does.
  [[nodiscard]] std::optional<std::string_view> why_not_by_policy(const ReplicaSet& set) const;
  // Why no decision is needed; nothing: one is.
  [[nodiscard]] std::optional<std::string_view> why_not(const AdmissionReview& review,
                                                        const ReplicaSet* set) const;
  [[nodiscard]] Waiting waiting_for(ReviewId id, const AdmissionReview& review,
                                    const ReplicaSet& set, Now now) const;
  [[nodiscard]] bool is_by_deployment(const AdmissionReview& review) const;
  // The decision that this review can share; null: none.
  [[nodiscard]] InProgress* shared_with(const SetId& id, std::int32_t size, const Asked& asked,
                                        Now now);
  [[nodiscard]] bool still_suffices(const InProgress& one, const Asked& asked) const;
  // Goes on with a decision that is being picked; may erase it.
  void advance(Number number, Now now);
  // Goes on with those whose picker has answered or failed.
  void advance_picked(Now now);
  // Do what is due.
  void check_picking(Number number, Now now);
  void check_writing(Number number, Now now);
  void hold(Number number, Now now);
  // Whether a call of the Deployment controller may be held any longer.
  [[nodiscard]] bool may_hold(Waiting& waiting, Now now);
  void refuse_or_let_go(InProgress& one, Waiting& waiting, Now now);
  void decide(Number number, const Asked& asked, RankAdvice ranks, PickerAdvice picker_advice,
              Now now);
  void decide_without_picker(Number number, Now now);
  void report_advice(const Advice& advice, FollowedDecision& followed);
  void note_lower_survivors(const Asked& asked, std::int32_t cost, Decision& decision) const;
  void send_writes(Number number, Now now);
  void write(Number number, std::size_t victim, int tries);
  void end_writing(Number number, Now now);
  // The caller removes it then. An empty outcome: the review has been answered or dropped.
  void end_waiting(Waiting& waiting, std::string_view outcome, Now now);
  static void remove_answered(InProgress& one);
  void let_all_go(InProgress& one, std::string_view outcome, Now now);
  void erase(Number number);

  ControllerContext context_;
  const WebhookSettings& settings_;
  Safeguards safeguards_;
  Parts parts_;
  PickerSessions sessions_;
  CallLimits limits_;
  WorkBudget budget_;
  std::map<Number, InProgress> decisions_;
  Number next_ = 1;
  std::uint64_t decided_ = 0;
  std::unordered_map<CallId, Write> writes_;
};

}  // namespace ebb::control
