// Tracks the effects of a ReplicaSet's own writes that its cache does not show yet. While any are
// expected, no pods are created or deleted: the count would be wrong.
//
// Created and deleted pods are awaited by uid. Writes of unknown outcome stay expected. A delete is
// then repeated, which is safe because it names the uid. A create cannot be repeated; instead, once
// the request has landed or never will, a live list shows which pods exist. The same list resolves
// expectations that are five minutes old.
#pragma once  // private to its room

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/now.h"
#include "base/timestamp.h"
#include "control/cache/live_pods.h"
#include "control/core/pod_name.h"
#include "model/api/api.h"

namespace ebb::control {

inline constexpr Nanoseconds kExpectationsLastNs = 300 * kNanosecondsPerSecond;
// After the API server answers a delete with "not found", the cache has this long to show that the
// pod is gone. Then a live list decides.
inline constexpr Nanoseconds kMissedConfirmedAfterNs = 5 * kNanosecondsPerSecond;

class Expectations {
 public:
  // Call before the first request goes out. Replaces all earlier expectations.
  void expect_creations(std::size_t count, Now now);
  void expect_deletions(const std::vector<PodName>& pods, Now now);
  // Every call of the round has been answered.
  void round_is_over(Now now) { since_ = now.mono; }

  // The pod exists, but the cache may not show it yet.
  void created(std::string uid, model::Revision revision);
  // These pods do not exist and will not be created.
  void not_created(std::size_t count);
  void creation_unknown(Now now);
  // The create was refused because the namespace is terminating; retrying soon is pointless.
  void creation_pointless();

  // The pod is being deleted.
  void deletion_granted(std::string_view uid);
  // The API server says that the pod is gone. A proxy in between may have made that up, so a live
  // list confirms it unless the cache does.
  void deletion_missed(std::string_view uid, Now now);
  // This attempt was not carried out and will not be; an earlier one may have been.
  void deletion_refused(std::string_view uid, Now now);
  void deletion_unknown(std::string_view uid, Now now);
  // The delete is being sent, so it may happen from now on.
  void deletion_sent(std::string_view uid);

  // The following report what the cache shows.
  void saw_pod(std::string_view uid);
  void saw_pod_leave(std::string_view uid);
  // The pods in `uids` are gone. Returns whether the deletion of any of them was expected.
  bool saw_pods_leave(const std::set<std::string>& uids);
  void saw_all_up_to(model::Revision revision);

  // The revision at which the cache has shown every awaited pod or never will; 0 if no pod is
  // awaited or the revision is unknown.
  [[nodiscard]] model::Revision awaited_up_to() const;

  [[nodiscard]] bool satisfied() const;
  // For pods that the cache may still show as active.
  [[nodiscard]] bool expects_deletion_of(std::string_view uid) const;
  [[nodiscard]] bool missed_deletion_of(std::string_view uid) const;
  [[nodiscard]] std::size_t deletions() const { return deletions_.size(); }
  // Deletes that may happen or have happened, not counting this pod's.
  [[nodiscard]] std::size_t deletions_sent_besides(std::string_view uid) const;
  // Whether the pod may be one of those that were created, as far as their answers tell.
  [[nodiscard]] bool may_have_created(std::string_view uid) const {
    return creations_ > 0 || unknown_creations_ > 0 || awaited_.contains(uid);
  }
  // Pods that exist or may exist, but that the cache has not shown.
  [[nodiscard]] std::size_t unseen_creations() const {
    return awaited_.size() + unknown_creations_;
  }

  // When something has to be done about the expectations, on the monotonic clock; the zero time:
  // never.
  [[nodiscard]] Timestamp next_step() const;
  [[nodiscard]] bool expired(Now now) const;
  // Deletes of unknown outcome that are due to be repeated; taking them marks them as in flight.
  [[nodiscard]] bool has_repeats(Now now) const;
  [[nodiscard]] std::vector<PodName> take_repeats(Now now);
  // Stops repeating deletes; a live list shows what became of them.
  void give_up_repeating();
  // Whether to list the pods now. The number identifies the list request: answers to older ones are
  // ignored.
  [[nodiscard]] bool wants_list(Now now) const;
  [[nodiscard]] std::uint64_t list_sent(Now now);
  void list_failed(std::uint64_t list_id, Now now);
  // `known` says whether the cache has the pod, `counted` whether the cache counts it as active.
  // Returns false if the answer is ignored.
  using PodPredicate = std::function<bool(const std::string& name, const std::string& uid)>;
  bool listed(std::uint64_t list_id, const LivePods& pods, const PodPredicate& known,
              const PodPredicate& counted, Now now);

 private:
  struct Deletion {
    enum class State : std::uint8_t { kInFlight, kGranted, kMissed, kUnknown, kGivenUp };

    std::string name;
    State state = State::kInFlight;
    bool sent = false;       // and not just queued
    unsigned unknown = 0;    // number of attempts of unknown outcome
    Timestamp next_try{};    // while unknown
    Timestamp settled_at{};  // what was sent has landed by then, or never will
  };

  using Deletions = std::map<std::string, Deletion, std::less<>>;

  void clear();
  void forget(Deletions::iterator deletion);
  [[nodiscard]] bool anything_in_flight() const;
  // When a live list is due, if nothing is in flight; the zero time: never.
  [[nodiscard]] Timestamp list_at() const;

  std::size_t creations_ = 0;  // not sent yet, or not answered yet
  std::size_t unknown_creations_ = 0;
  std::size_t pointless_creations_ = 0;
  Timestamp creations_settled_at_;
  std::map<std::string, model::Revision, std::less<>> awaited_;  // created pods, by uid
  Deletions deletions_;                                          // by uid
  std::size_t sent_ = 0;  // number of deletions_ that were sent
  Timestamp since_;

  std::uint64_t list_id_ = 0;
  bool listing_ = false;
  Timestamp listed_at_;  // when the list was sent
  unsigned list_failures_ = 0;
  Timestamp list_not_before_;
};

}  // namespace ebb::control
