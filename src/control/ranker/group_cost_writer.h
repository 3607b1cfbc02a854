// Maintains the PodGroupCost of each ranked ReplicaSet, one write at a time: creates it, then
// writes its spec, then its status; deletes it when it is no longer wanted. A PodGroupCost of the
// same name that the ranker did not create is left alone.
#pragma once  // private to its room

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>

#include "control/controller/controller.h"
#include "control/ranker/group_cost_writes.h"
#include "control/ranker/rank_write.h"
#include "ranking/strategy.h"

namespace ebb::control {

class GroupCostWriter {
 public:
  GroupCostWriter(const ControllerContext& context, RankSlots& slots)
      : context_(context), slots_(slots) {}

  struct Plan {
    bool wrote = false;
    bool foreign = false;  // another client created the one of that name
    bool starved = false;  // there was no slot for the write
    Timestamp again{};     // when to sync again; zero: after a change
  };
  // With `recompute`, ranks are valid only for exactly the pods that they were computed for, so the
  // status follows every change of pods. Otherwise only a changed order or a missing pod matters.
  Plan publish(const ReplicaSet& set, ranking::Pods pods, const ranking::Ranks& ranks,
               bool recompute, Now now);
  // Deletes the one of this name, if the ranker created it.
  Plan withdraw(const Key& group, Now now);

  // Nothing if another part sent the call.
  [[nodiscard]] std::optional<RankWriteResult> answered(CallId id, const Answer& answer, Now now);
  [[nodiscard]] bool idle() const { return sent_.empty(); }

 private:
  struct Sent {
    Key group{};
    // The status that is being written; for a write of the spec: the status to write next.
    std::optional<GroupCostStatus> status{};
    bool spec = false;
    bool creates = false;
    std::string deletes{};  // the uid; empty: not a delete
  };
  struct Slot {
    RankWrite write{};
    std::string deleted{};  // the uid of a deleted one that the cache may still show
    // The last status, and the state of the object at that time. A server that drops the status,
    // because its definition is older, does not get it over and over.
    std::optional<GroupCostStatus> written_status{};
    model::Revision written_at = 0;
  };

  [[nodiscard]] bool may_write(const Key& group, const GroupCost* cost, Now now, Plan& plan);
  void send(const Key& group, model::ApiRequest request, Sent sent, Plan& plan);

  ControllerContext context_;
  RankSlots& slots_;
  std::map<Key, Slot> writes_;
  std::unordered_map<CallId, Sent> sent_;
};

}  // namespace ebb::control
