// Writes ranks onto pods and takes them away again, by the carriers of rank_carriers.h.
//
// What is wanted for a group replaces what was wanted before and is not on its way yet. Groups take
// turns. A pod whose write is under way, or does not show in the cache yet, counts as having that
// rank and is not written again.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>

#include "control/port.h"
#include "control/rank_write.h"
#include "ranking/settings.h"
#include "ranking/strategy.h"

namespace ebb::control {

class PodRankWriter {
 public:
  PodRankWriter(const ControllerContext& context, RankSlots& slots)
      : context_(context), slots_(slots) {}

  struct Plan {
    std::size_t writes = 0;
    std::size_t foreign = 0;  // pods that have somebody else's value, and keep it
    Timestamp again{};        // when something that failed is to be tried again; zero: never
  };
  // Ranks are parallel to the pods of the group. Pods that are on no node yet go before all others
  // whatever their rank is, so nothing is written on them.
  Plan publish(const Key& group, ranking::Publish publish, ranking::Pods pods,
               const ranking::Ranks& ranks, Now now);
  // From all of these pods that carry something of ours.
  Plan withdraw(const Key& group, ranking::Pods pods, Now now);
  void forget(const Key& group);

  // Sends as much as may be under way.
  void send();
  // Nothing if the call is not one of ours.
  [[nodiscard]] std::optional<RankWriteEnd> answered(CallId id, const Answer& answer, Now now);
  [[nodiscard]] bool wants(CallId id) const;
  void stop() { line_.clear(); }
  [[nodiscard]] bool idle() const { return sent_.empty(); }
  // The API server dropped status.cost: it does not know that field. It may have been replaced by
  // one that does, so it is tried again after an hour, or when somebody asks for it anew. Nothing
  // is to be published there before.
  [[nodiscard]] bool status_field_is_missing(Now now) const {
    return field_ == StatusField::kMissing && now.mono < try_field_again_;
  }
  [[nodiscard]] Timestamp try_status_field_again_at() const { return try_field_again_; }
  void try_status_field_again() { try_field_again_ = {}; }
  // It was missing the last time, and has not been seen to be there since.
  [[nodiscard]] bool status_field_was_missing() const { return field_was_missing_; }

 private:
  struct Wanted {
    std::string pod{};
    std::string uid{};
    std::optional<ranking::Publish> publish{};  // nothing: everything is to be taken away,
    std::optional<ranking::Publish> kept{};     // but for somebody else's value that stands there
    std::int32_t rank = 0;
  };
  struct Written {
    RankWrite write{};
    std::optional<std::int32_t> rank{};
  };
  struct Group {
    std::map<std::string, Written, std::less<>> pods{};  // by uid
    std::deque<Wanted> wanted{};
    bool in_line = false;
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
  void line_up(const Key& key, Group& group);
  // False if it has to wait for something else than a slot.
  [[nodiscard]] bool send_one(const Key& key, Group& group);
  void learn_of_status_field(const Sent& sent, const Answer& answer, Now now);

  ControllerContext context_;
  RankSlots& slots_;
  std::map<Key, Group> groups_;
  std::deque<Key> line_;  // of groups that want something, or wanted it
  std::unordered_map<CallId, Sent> sent_;
  StatusField field_ = StatusField::kUntried;
  Timestamp try_field_again_{};
  bool field_was_missing_ = false;
};

}  // namespace ebb::control
