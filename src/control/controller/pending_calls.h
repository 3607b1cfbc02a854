// The in-flight calls of the ReplicaSet controller, and the purpose of each. Namespaces share a
// limit fairly: a tenant with many calls does not keep others from starting.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "control/controller/controller.h"
#include "control/core/fair_share.h"
#include "control/core/work_queue.h"

namespace ebb::control {

struct PendingCall {
  enum class What : std::uint8_t {
    // Sent by a sync.
    kReadOwner,
    kAdopt,
    kRelease,
    kCreate,
    kDelete,
    kWriteStatus,
    kReadForStatus,
    // Sent between syncs.
    kRepeatDelete,
    kListPods,
  };

  What what = What::kCreate;
  Key key{};              // of the ReplicaSet
  std::string set_uid{};  // and its uid
  std::string pod{};      // name and uid of the pod, if the call is about one
  std::string pod_uid{};
  std::uint64_t number = 0;  // index of the victim, or number of the list request
  // Set when its turn came: it was still wanted and sent, or it was not and is never sent.
  bool confirmed = false;
  bool withdrawn = false;
};

class PendingCalls {
 public:
  PendingCalls(CallSink& sink, std::size_t limit) : sink_(sink), share_(limit) {}

  void send(Call::Kind kind, model::ApiRequest request, PendingCall pending) {
    share_.take(pending.key.namespace_name);
    in_flight_.emplace(sink_.send(kind, std::move(request)), std::move(pending));
  }
  // Nothing if the call is not in this table.
  [[nodiscard]] std::optional<PendingCall> answered(CallId id) {
    const auto found = in_flight_.find(id);
    if (found == in_flight_.end()) return std::nullopt;
    std::optional<PendingCall> pending = std::move(found->second);
    in_flight_.erase(found);
    share_.give_back(pending->key.namespace_name);
    return pending;
  }
  [[nodiscard]] PendingCall* find(CallId id) {
    const auto found = in_flight_.find(id);
    return found == in_flight_.end() ? nullptr : &found->second;
  }
  // Whether the namespace has less than its share of the limit in flight.
  [[nodiscard]] bool has_room(const std::string& namespace_name) const {
    return share_.has_room(namespace_name);
  }
  [[nodiscard]] bool empty() const { return in_flight_.empty(); }

 private:
  CallSink& sink_;
  FairShare share_;
  std::unordered_map<CallId, PendingCall> in_flight_;
};

}  // namespace ebb::control
