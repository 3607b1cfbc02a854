// What a ReplicaSet's own writes change that its cache does not show yet. While anything is
// expected, its pods are neither created nor deleted: the count would be wrong.
//
// A pod that was created is awaited by its uid, a deletion likewise. What nobody knows the outcome
// of stays expected. A deletion is then repeated, which is safe because it names the
// uid; a creation cannot be repeated, so a live list, at a time when the request has landed or
// never will, says which pods there are. The same list clears up what has been expected for five
// minutes in vain.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/now.h"
#include "base/timestamp.h"
#include "control/live_pods.h"
#include "model/api.h"

namespace ebb::control {

inline constexpr Nanoseconds kExpectationsLastNs = 300 * kNanosecondsPerSecond;

struct PodName {
  std::string name;
  std::string uid;
};

class Expectations {
 public:
  // Before the first call goes out. Replaces whatever else was expected.
  void expect_creations(std::size_t count, Now now);
  void expect_deletions(const std::vector<PodName>& pods, Now now);
  // Every call of the round was answered.
  void round_is_over(Now now) { since_ = now.mono; }

  // How one of the creations went. Exists, though perhaps not seen yet:
  void created(std::string uid, model::Revision revision);
  // Certainly do not, and will not:
  void not_created(std::size_t count);
  void creation_unknown(Now now);
  // Was refused because its namespace is going; nothing is to be done before long.
  void creation_pointless();

  // How a deletion went. Is on its way, or was done by somebody else:
  void deletion_granted(std::string_view uid);
  // Certainly was not done, and will not be, unless by an earlier try:
  void deletion_refused(std::string_view uid, Now now);
  void deletion_unknown(std::string_view uid, Now now);
  // It goes out now; so it may happen.
  void deletion_sent(std::string_view uid);

  // What the cache shows.
  void saw_pod(std::string_view uid);
  void saw_pod_leave(std::string_view uid);
  void saw_all_up_to(model::Revision revision);

  // From which revision on the cache has shown every pod that is awaited, or never will; 0: none
  // is, or nobody can tell.
  [[nodiscard]] model::Revision awaited_up_to() const;

  [[nodiscard]] bool satisfied() const;
  // Of pods that the cache may still show as active.
  [[nodiscard]] bool expects_deletion_of(std::string_view uid) const;
  [[nodiscard]] std::size_t deletions() const { return deletions_.size(); }
  // Those that may happen, or have, beside that of this pod.
  [[nodiscard]] std::size_t deletions_sent_besides(std::string_view uid) const;
  // Pods that exist or may exist, and have not been seen.
  [[nodiscard]] std::size_t unseen_creations() const {
    return awaited_.size() + unknown_creations_;
  }

  // What has to be done about it, and when: on the monotonic clock, the zero time for nothing.
  [[nodiscard]] Timestamp next_step() const;
  [[nodiscard]] bool expired(Now now) const;
  // Deletions of unknown outcome whose time has come to be repeated; they are under way then.
  [[nodiscard]] bool has_repeats(Now now) const;
  [[nodiscard]] std::vector<PodName> take_repeats(Now now);
  // They are not repeated any more; a live list says what became of them.
  void give_up_repeating();
  // Whether to list the pods now. The number names the question: an answer to an older one
  // is of no use.
  [[nodiscard]] bool wants_list(Now now) const;
  [[nodiscard]] std::uint64_t list_sent(Now now);
  void list_failed(std::uint64_t question, Now now);
  // `known` says whether the cache has the pod, `counted` whether it takes it for active.
  // False if the answer is of no use.
  using Look = std::function<bool(const std::string& name, const std::string& uid)>;
  bool listed(std::uint64_t question, const LivePods& pods, const Look& known, const Look& counted,
              Now now);

 private:
  struct Deletion {
    enum class State : std::uint8_t { kUnderWay, kGranted, kUnknown, kGivenUp };

    std::string name;
    State state = State::kUnderWay;
    bool sent = false;       // and not only queued
    unsigned unknown = 0;    // so many times
    Timestamp next_try{};    // while unknown
    Timestamp settled_at{};  // what was sent has landed by then, or never will
  };

  using Deletions = std::map<std::string, Deletion, std::less<>>;

  void clear();
  void forget(Deletions::iterator deletion);
  [[nodiscard]] bool anything_under_way() const;
  // When a live list is due, if nothing is under way; the zero time: not at all.
  [[nodiscard]] Timestamp list_at() const;

  std::size_t creations_ = 0;  // to be sent, or sent and not answered
  std::size_t unknown_creations_ = 0;
  std::size_t pointless_creations_ = 0;
  Timestamp creations_settled_at_;
  std::map<std::string, model::Revision, std::less<>> awaited_;  // created, by uid
  Deletions deletions_;                                          // by uid
  std::size_t sent_ = 0;                                         // of them
  Timestamp since_;

  std::uint64_t question_ = 0;
  bool listing_ = false;
  Timestamp listed_at_;  // when the list was sent
  unsigned list_failures_ = 0;
  Timestamp list_not_before_;
};

}  // namespace ebb::control
