// The components of a process as one state machine. It passes each change to the components that
// watch its kind, wakes components when their time comes, queues their requests, and returns each
// response to the component that sent the request.
//
// Like a component, a group never blocks, reads no clock and owns no thread. Its host provides the
// time, gets the changes from an API server, and sends the requests.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/component/component.h"

namespace ebb::model {

class ComponentGroup {
 public:
  void add(std::unique_ptr<Component> component);

  // Every kind that a component watches, once.
  [[nodiscard]] std::vector<const schema::Kind*> watched() const;

  // Call this once, after the last add() and before the calls below.
  void start(Timestamp now);
  void observe(const ObjectEvent& event, Timestamp now);
  // All objects of this kind that existed at the start have been observed. A component is synced
  // once this holds for all kinds that it watches. Repeated calls have no effect.
  void synced(const schema::Kind& kind, Timestamp now);
  // Each effect is answered exactly once, with code 0 if the outcome is unknown.
  void answered(EffectId id, const ApiResponse& response, Timestamp now);
  // Wakes the components whose time has come.
  void wake(Timestamp now);

  // The next request to send, in the order in which the components issued them. The id is unique
  // in the group.
  [[nodiscard]] std::optional<Effect> next_effect();
  // The effects that were taken and not yet answered.
  [[nodiscard]] std::size_t in_flight() const { return in_flight_.size(); }
  // The zero time: no wake-up is needed.
  [[nodiscard]] Timestamp wake_at() const;
  // Returns true if every component is synced and none of their requests is unanswered.
  [[nodiscard]] bool is_settled() const;

 private:
  struct Member {
    std::unique_ptr<Component> component;
    std::size_t unsynced_kinds = 0;
  };
  struct WatchedKind {
    const schema::Kind* kind = nullptr;
    std::vector<std::size_t> watchers{};
    bool synced = false;
  };
  struct Sender {
    std::size_t member = 0;
    EffectId id = 0;  // the member's own id of the effect
  };

  [[nodiscard]] WatchedKind* find(const schema::Kind& kind);
  void notify_synced(std::size_t member, Timestamp now);
  void collect(std::size_t member);

  std::vector<Member> members_;
  std::vector<WatchedKind> kinds_;
  std::size_t synced_members_ = 0;
  EffectId last_id_ = 0;
  std::deque<std::pair<Sender, ApiRequest>> waiting_;
  std::unordered_map<EffectId, Sender> in_flight_;
};

}  // namespace ebb::model
