// Keeps the PodGroupCost of each ranked ReplicaSet as it should be, one write at a time: made,
// then its spec, then its status; deleted where it is not wanted. One of that name that the ranker
// did not make is left alone.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>

#include "control/group_cost_writes.h"
#include "control/port.h"
#include "control/rank_write.h"
#include "ranking/strategy.h"

namespace ebb::control {

class GroupCostWriter {
 public:
  GroupCostWriter(const ControllerContext& context, RankSlots& slots)
      : context_(context), slots_(slots) {}

  struct Plan {
    bool wrote = false;
    bool foreign = false;  // one of that name is somebody else's
    bool starved = false;  // there was no slot for what is to be written
    Timestamp again{};     // when to look again; zero: when something happens
  };
  // With `recompute`, ranks count only for the very pods that they were worked out for, so that
  // the status follows them; otherwise only a change of order, or a pod that is missing, matters.
  Plan publish(const ReplicaSet& set, ranking::Pods pods, const ranking::Ranks& ranks,
               bool recompute, Now now);
  // Deletes the one of this name, if it is ours.
  Plan withdraw(const Key& group, Now now);

  // Nothing if the call is not one of ours.
  [[nodiscard]] std::optional<RankWriteEnd> answered(CallId id, const Answer& answer, Now now);
  [[nodiscard]] bool idle() const { return sent_.empty(); }

 private:
  struct Sent {
    Key group{};
    // Of a spec that was written: what to say in the status then.
    std::optional<GroupCostStatus> status{};
    bool creates = false;
    std::string deletes{};  // the uid; empty: it does not
  };
  struct Slot {
    RankWrite write{};
    std::string deleted{};  // the uid of one that goes, and may still show
  };

  [[nodiscard]] bool may_write(const Key& group, const GroupCost* cost, Now now, Plan& plan);
  void send(const Key& group, model::ApiRequest request, Sent sent, Plan& plan);

  ControllerContext context_;
  RankSlots& slots_;
  std::map<Key, Slot> writes_;
  std::unordered_map<CallId, Sent> sent_;
};

}  // namespace ebb::control
