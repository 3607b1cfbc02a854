// Answers reviews of pod deletes by the rules of fence_rules.h.
//
// API servers spread reviews over the replicas of the webhook, so the decision may be one of
// another replica, of which this one has seen nothing yet, or the marks of some victims only.
// Before it lets a delete pass that further marks would forbid, it lists the pods of the
// ReplicaSet, once for all deletes that wait, and for a short time only. A delete waits for a list
// that was sent after it arrived: the marks were on the pods by then.
#pragma once  // private to its room

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "control/controller/controller.h"
#include "control/controller/process_settings.h"
#include "control/controller/webhook_settings.h"
#include "control/webhook/admission_review.h"
#include "control/webhook/fence_rules.h"
#include "control/webhook/known_decisions.h"
#include "control/webhook/open_reviews.h"

namespace ebb::control {

class Fence {
 public:
  // How long deletes wait for a list, and how long its result counts.
  static constexpr Nanoseconds kListWithinNs = 300 * kMillisecond;
  static constexpr Nanoseconds kListCountsNs = kNanosecondsPerSecond;
  // How long an allowed delete may take until the cache shows it.
  static constexpr Nanoseconds kDeleteWithinNs = 5 * kNanosecondsPerSecond;

  // All of these must outlive it.
  Fence(const ControllerContext& context, const WebhookSettings& settings,
        const Safeguards& safeguards, OpenReviews& reviews, KnownDecisions& decisions)
      : context_(context),
        settings_(settings),
        safeguards_(safeguards),
        reviews_(reviews),
        decisions_(decisions) {}

  // The review must be open and have a removal.
  void review(ReviewId id, const AdmissionReview& review, Now now);
  // The size of a ReplicaSet has changed, or a new decision was seen: there may be more marks than
  // the last list shows.
  void outdate(const SetId& set);
  // Whether the call is its own.
  bool answered(CallId id, const Answer& answer, Now now);
  void run(Now now);
  [[nodiscard]] Timestamp wake_at() const;
  [[nodiscard]] bool owns(CallId id) const { return calls_.contains(id); }
  [[nodiscard]] bool idle() const { return calls_.empty(); }

 private:
  struct Waiting {
    ReviewId id = 0;
    model::ObjectName set{};
    ReviewedDelete removal{};
  };
  struct Listing {
    std::optional<CallId> call{};  // in flight
    std::vector<Waiting> waiting{};
    Timestamp deadline{};
    // Those that arrived while the list was in flight wait for the next one.
    std::vector<Waiting> next{};
    Timestamp next_deadline{};
    Timestamp sent{};
    bool outdated = false;  // since it was sent
    Timestamp listed{};     // when the last one was sent whose answer counts
  };

  [[nodiscard]] bool is_controller(const AdmissionReview& review) const;
  // The ReplicaSet, if an active policy targets it; else null.
  [[nodiscard]] const ReplicaSet* targeted_set(const model::ObjectName& name,
                                               std::string_view uid) const;
  [[nodiscard]] bool needs_list(const SetId& set, Now now) const;
  void wait_for_list(const SetId& set, Waiting one, Now now);
  void send_list(const SetId& set, Listing& listing, Now now);
  [[nodiscard]] FenceVerdict judge(const Waiting& one, Now now);
  void answer(const Waiting& one, FenceVerdict verdict, Now now);
  [[nodiscard]] std::size_t count_others(const ReplicaSet& set, const SetId& id,
                                         const KnownDecision& decision, Now now);
  void allow(ReviewId id, FenceVerdict verdict, Now now);
  void list_ended(const SetId& set, Now now);

  ControllerContext context_;
  const WebhookSettings& settings_;
  Safeguards safeguards_;
  OpenReviews& reviews_;
  KnownDecisions& decisions_;
  std::map<SetId, Listing> listings_;
  struct ListedSet {
    SetId id{};
    model::ObjectName name{};
  };
  std::unordered_map<CallId, ListedSet> calls_;
  // Deletes of pods that were not chosen, by uid, which were allowed and are perhaps not visible
  // yet; and when.
  std::map<SetId, std::map<std::string, Timestamp, std::less<>>> allowed_;
};

}  // namespace ebb::control
