// The garbage collector: deletes objects whose owners are all gone, makes owners that are deleted
// in the foreground wait for their dependents, and removes owner references to owners that are
// deleted with orphaning.
//
// It never deletes an object with a living owner. An owner counts as gone only if its deletion was
// observed, or if the API server says that it does not exist. Every delete has the uid and the
// resourceVersion of the checked object as preconditions.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/deadline_queue.h"
#include "hollow/owner_graph.h"
#include "model/component/component.h"
#include "model/component/outbox.h"

namespace ebb::hollow {

class GarbageCollector : public model::Component {
 public:
  [[nodiscard]] std::string_view name() const override { return "garbage-collector"; }
  [[nodiscard]] std::vector<const schema::Kind*> watched() const override;
  void observe(const model::ObjectEvent& event, Timestamp now) override;
  void synced(Timestamp now) override;
  void answered(model::EffectId id, const model::ApiResponse& response, Timestamp now) override;
  void wake(Timestamp now) override;
  [[nodiscard]] std::vector<model::Effect> take_effects() override { return outbox_.take(); }
  [[nodiscard]] Timestamp wake_at() const override { return deadlines_.next(); }

 private:
  // The state of an owner, for a dependent.
  enum class OwnerState : std::uint8_t {
    kSolid,  // it exists, or may exist
    kGone,
    kWaiting,  // being deleted; waits for its dependents to go
    kOrphans,  // being deleted; orphans its dependents
    kAsked,    // never seen: a request to the API server is in flight
  };

  // An existence check for an owner that was never seen, for dependents in a namespace.
  using LookupKey = std::pair<std::string, std::string>;  // uid, namespace
  struct OwnerLookup {
    bool answered = false;
    bool exists = false;
  };

  struct Purpose {
    std::string uid{};      // the changed object, or the owner to check
    std::string version{};  // of the object
    bool owner_lookup = false;
    std::string namespace_name{};  // of a check
  };

  void reconcile(const std::string& uid, Timestamp now);
  void reconcile_dependents(const std::string& uid, Timestamp now);
  void reconcile_dying(OwnedObject& object);
  void reconcile_owned(OwnedObject& object);
  // Returns true if an owner has dependents for which it has this state, so that it cannot go yet.
  [[nodiscard]] bool awaits(const OwnedObject& owner, OwnerState wanted);
  void forget_lookups(const std::string& owner);
  [[nodiscard]] OwnerState owner_state(const OwnedObject& object, const OwnerReference& reference);
  [[nodiscard]] OwnerState ask(const OwnedObject& object, const OwnerReference& reference);
  void hear_about_owner(const Purpose& purpose, const model::ApiResponse& response, Timestamp now);

  void cut_loose(OwnedObject& object, const std::vector<OwnerState>& standings);
  void drop_finalizer(OwnedObject& object, std::string_view finalizer);
  void send(OwnedObject& object, model::ApiRequest request);

  bool synced_ = false;
  OwnerGraph graph_;
  std::map<LookupKey, OwnerLookup> owner_lookups_;
  unsigned failed_lookups_ = 0;
  DeadlineQueue<std::string> deadlines_;  // uids
  model::Outbox<Purpose> outbox_;
};

}  // namespace ebb::hollow
