// Writes ranks onto pods and removes them, with the carriers of rank_carriers.h.
//
// A new plan for a group replaces the writes that were planned before and are not in flight yet.
// Groups take turns. A pod whose write is in flight, or not visible in the cache yet, counts as
// having that rank and is not written again. A pod whose deletion cost the webhook has lowered
// (scale_down_mark.h) is not written either; the value before that counts as published.
#pragma once  // private to its room

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>

#include "control/controller/controller.h"
#include "control/ranker/rank_write.h"
#include "ranking/settings.h"
#include "ranking/strategy.h"

namespace ebb::control {

class PodRankWriter {
 public:
  PodRankWriter(const ControllerContext& context, RankSlots& slots)
      : context_(context), slots_(slots) {}

  struct Plan {
    std::size_t writes = 0;
    std::size_t foreign = 0;  // pods with another client's value, which they keep
    Timestamp again{};        // when to retry a failed write; zero: never
  };
  // `ranks` are parallel to the pods of the group. Pods without a node go before all others
  // whatever their rank, so nothing is written on them.
  Plan publish(const Key& group, ranking::Publish publish, ranking::Pods pods,
               const ranking::Ranks& ranks, Now now);
  // Removes everything that the ranker wrote on these pods.
  Plan withdraw(const Key& group, ranking::Pods pods, Now now);
  void forget(const Key& group);

  // Sends as many writes as may be in flight.
  void send();
  // Nothing if another part sent the call.
  [[nodiscard]] std::optional<RankWriteResult> answered(CallId id, const Answer& answer, Now now);
  [[nodiscard]] bool wants(CallId id) const;
  void stop() { queue_.clear(); }
  [[nodiscard]] bool idle() const { return sent_.empty(); }
  // The API server dropped status.cost: it does not know that field. A newer server may replace it,
  // so the field is tested again after an hour, or when a policy starts to ask for it. Nothing may
  // be published there before.
  [[nodiscard]] bool status_field_is_missing(Now now) const {
    return field_ == StatusField::kMissing && now.mono < try_field_again_;
  }
  [[nodiscard]] Timestamp try_status_field_again_at() const { return try_field_again_; }
  void try_status_field_again() { try_field_again_ = {}; }
  // It was missing the last time, and has not been seen since.
  [[nodiscard]] bool status_field_was_missing() const { return field_was_missing_; }

 private:
  struct Wanted {
    std::string pod{};
    std::string uid{};
    std::optional<ranking::Publish> publish{};  // nothing: remove everything,
    std::optional<ranking::Publish> kept{};     // except another client's value in this carrier
    std::int32_t rank = 0;
  };
  struct Written {
    RankWrite write{};
    std::optional<std::int32_t> rank{};
  };
  struct Group {
    std::map<std::string, Written, std::less<>> pods{};  // by uid
    std::deque<Wanted> wanted{};
    bool queued = false;
  };
  struct Sent {
    Key group{};
    Wanted wanted{};
    model::Revision made_from = 0;
  };
  enum class StatusField : std::uint8_t { kUntried, kTried, kThere, kMissing };

  struct Survey;
  [[nodiscard]] Survey survey(Group& group, ranking::Publish publish, ranking::Pods pods, Now now,
                              Plan& plan);
  Group& refresh(const Key& key, ranking::Pods pods);
  void enqueue(const Key& key, Group& group);
  // False if it has to wait for something other than a slot.
  [[nodiscard]] bool send_one(const Key& key, Group& group);
  void learn_of_status_field(const Sent& sent, const Answer& answer, Now now);

  ControllerContext context_;
  RankSlots& slots_;
  std::map<Key, Group> groups_;
  std::deque<Key> queue_;  // groups with planned writes; may contain groups without
  std::unordered_map<CallId, Sent> sent_;
  StatusField field_ = StatusField::kUntried;
  Timestamp try_field_again_{};
  bool field_was_missing_ = false;
};

}  // namespace ebb::control
