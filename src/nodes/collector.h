// The garbage collector: deletes objects whose owners are all gone, lets owners that are deleted
// in the foreground wait for their dependents, and cuts dependents loose from owners that are
// deleted with orphans.
//
// It deletes nothing that has a living owner: an owner counts as gone only if it was seen to
// go, or if the API server says that it does not exist, and every delete names the state of the
// object for which this was found (uid and resourceVersion).
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/agenda.h"
#include "model/machine.h"
#include "model/outbox.h"
#include "nodes/owner_graph.h"

namespace ebb::nodes {

class Collector : public model::Machine {
 public:
  [[nodiscard]] std::string_view name() const override { return "garbage-collector"; }
  [[nodiscard]] std::vector<const schema::Kind*> watched() const override;
  void observe(const model::ObjectEvent& event, Timestamp now) override;
  void synced(Timestamp now) override;
  void answered(model::EffectId id, const model::ApiResponse& response, Timestamp now) override;
  void wake(Timestamp now) override;
  [[nodiscard]] std::vector<model::Effect> take_effects() override { return outbox_.take(); }
  [[nodiscard]] Timestamp wake_at() const override { return agenda_.next(); }

 private:
  // What an owner means for a dependent.
  enum class Standing : std::uint8_t {
    kSolid,  // it lives, or we cannot know that it does not
    kGone,
    kWaiting,  // it is being deleted and waits for its dependents to go
    kOrphans,  // it is being deleted and leaves its dependents behind
    kAsked,    // never seen: the API server is being asked
  };

  // Whether an owner that was never seen exists, for dependents in a namespace.
  using Question = std::pair<std::string, std::string>;  // uid, namespace
  struct Inquiry {
    bool answered = false;
    bool exists = false;
  };

  struct Purpose {
    std::string uid{};      // of the object acted upon; or of the owner asked for
    std::string version{};  // of the object
    bool question = false;
    std::string namespace_name{};  // of a question
  };

  void attend(const std::string& uid, Timestamp now);
  void attend_dependents(const std::string& uid, Timestamp now);
  void attend_dying(OwnedObject& object);
  void attend_owned(OwnedObject& object);
  // Whether an owner has dependents to whom it means this, so that it cannot go yet.
  [[nodiscard]] bool awaits(const OwnedObject& owner, Standing wanted);
  void forget_inquiries(const std::string& owner);
  [[nodiscard]] Standing standing(const OwnedObject& object, const OwnerReference& reference);
  [[nodiscard]] Standing ask(const OwnedObject& object, const OwnerReference& reference);
  void hear_about_owner(const Purpose& purpose, const model::ApiResponse& response, Timestamp now);

  void cut_loose(OwnedObject& object, const std::vector<Standing>& standings);
  void drop_finalizer(OwnedObject& object, std::string_view finalizer);
  void send(OwnedObject& object, model::ApiRequest request);

  bool synced_ = false;
  OwnerGraph graph_;
  std::map<Question, Inquiry> inquiries_;
  unsigned failed_inquiries_ = 0;
  Agenda<std::string> agenda_;  // uids
  model::Outbox<Purpose> outbox_;
};

}  // namespace ebb::nodes
