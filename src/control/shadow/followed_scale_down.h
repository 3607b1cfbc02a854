// One scale-down that another controller carries out: the pods at its beginning, and which of them
// went. All records are copies in a pool of its own, because the originals change and go.
//
// The candidates are the pods that were active at the revision at which the ReplicaSet got its
// smaller size, in their state at that revision as far as the watch shows it. Pods that join while
// the scale-down is followed are candidates too: the acting controller counts them as well.
#pragma once  // private to its room

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/now.h"
#include "control/cache/store.h"
#include "control/core/decision.h"
#include "control/core/work_queue.h"
#include "control/scaledown/scale_down.h"
#include "control/shadow/recent_departures.h"
#include "model/records/pool.h"
#include "order/related.h"

namespace ebb::control::shadow {

class FollowedScaleDown {
 public:
  struct Candidate {
    model::Pod pod{};
    model::Revision seen = 0;  // the newest revision that was seen
    // How it left, if it did.
    struct Left {
      model::Revision revision = 0;  // 0: unknown
      bool deleted = false;
      std::uint64_t number = 0;  // in the order in which departures were seen
    };
    std::optional<Left> left{};
    std::int32_t rank = 0;
    model::Verdict verdict = model::Verdict::kUnnamed;
  };

  // `set` got its size `to` at `revision`.
  FollowedScaleDown(const ReplicaSet& set, model::Revision revision, std::int32_t to, Now now);

  // An active pod of the ReplicaSet, new or changed.
  void saw(const Pod& pod);
  // A pod left; ignored if it is not a candidate or left before.
  void saw_leave(const Pod& last, model::Revision revision, bool deleted);
  // A pod that left before the smaller size was seen, but perhaps after it was written.
  void add_departure(const Departure& departure);
  // The size changed again.
  void end_at(model::Revision revision, Timestamp mono);

  [[nodiscard]] const model::ReplicaSet& set() const { return set_; }
  [[nodiscard]] model::Pool& pool() { return pool_; }
  [[nodiscard]] Now began() const { return began_; }
  [[nodiscard]] bool ended() const { return !ended_at_.is_zero(); }
  [[nodiscard]] Timestamp ended_at() const { return ended_at_; }
  [[nodiscard]] model::Revision end_revision() const { return end_revision_; }

  // The candidates, by uid.
  [[nodiscard]] std::vector<Candidate*> candidates();
  // The pods of the candidates.
  [[nodiscard]] std::vector<const model::Pod*> pods();
  // How many of them have to go.
  [[nodiscard]] std::size_t surplus() const;
  // How many really went.
  [[nodiscard]] std::size_t went() const;
  // As many went as have to.
  [[nodiscard]] bool complete() const { return went() >= surplus(); }
  // Those that went, in that order.
  [[nodiscard]] std::vector<const Candidate*> removed() const;
  // The newest known revision at which one of them went; 0 if there is none.
  [[nodiscard]] model::Revision last_departure() const;

  // What influences ebb's choice; ranks and verdicts are those of the candidates.
  struct Influences {
    order::NodeCounts others{};  // related pods by node, without the candidates
    RankAdvice ranks{};
    PickerAdvice picker{};
    bool has_ranks = false;
    bool has_verdicts = false;
  };
  std::optional<Influences> influences{};
  bool awaits_picker = false;
  Timestamp complete_since{};  // zero: not complete
  std::string policy{};        // the policy whose choice is compared; empty: the default order

 private:
  [[nodiscard]] bool belongs(const Candidate& candidate) const;
  [[nodiscard]] bool left_before(const Candidate::Left& left) const;
  [[nodiscard]] bool left_after(const Candidate::Left& left) const;
  [[nodiscard]] bool has_gone(const Candidate& candidate) const;

  model::Pool pool_;
  model::ReplicaSet set_;
  model::Revision revision_;
  Now began_;
  Timestamp ended_at_{};
  model::Revision end_revision_ = 0;
  std::map<std::string, Candidate, std::less<>> pods_;  // by uid
  std::uint64_t departures_ = 0;
};

// The record of the comparison: ebb's choice, and what really went. Requires influences and a
// surplus.
[[nodiscard]] Decision compare(FollowedScaleDown& down, model::FeatureGates gates,
                               Decision::Actual::End end);

}  // namespace ebb::control::shadow
