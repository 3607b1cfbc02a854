// Binds pods to nodes. Which node is placement.h's business; here is who waits, what has been
// promised to whom, and what is told about pods that fit nowhere.
//
// A pod counts on its node from the moment the node is chosen until the pod is seen to be gone
// or elsewhere, so that an answer that is late or lost never gives the same room away twice.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "base/agenda.h"
#include "model/machine.h"
#include "model/outbox.h"
#include "model/requests.h"
#include "nodes/cluster_view.h"
#include "nodes/settings.h"

namespace ebb::nodes {

class Scheduler : public model::Machine {
 public:
  explicit Scheduler(const Settings& settings) : settings_(settings) {}

  [[nodiscard]] std::string_view name() const override { return "scheduler"; }
  [[nodiscard]] std::vector<const schema::Kind*> watched() const override;
  void observe(const model::ObjectEvent& event, Timestamp now) override;
  void synced(Timestamp now) override;
  void answered(model::EffectId id, const model::ApiResponse& response, Timestamp now) override;
  void wake(Timestamp now) override;
  [[nodiscard]] std::vector<model::Effect> take_effects() override { return outbox_.take(); }
  [[nodiscard]] Timestamp wake_at() const override;

 private:
  using Serial = std::uint64_t;  // of a pod, in the order of first sight

  enum class State : std::uint8_t {
    kQueued,   // to be placed
    kWaiting,  // fits nowhere, until something changes
    kGated,    // has scheduling gates, or is not ours
    kAssumed,  // a node was chosen; the binding is under way or to be repeated
    kBound,
    kOver,  // Succeeded or Failed: takes no room
  };

  struct Pod {
    Serial serial = 0;
    model::ObjectName name{};
    std::string uid{};
    State state = State::kGated;
    bool terminating = false;
    bool request_under_way = false;
    std::int64_t priority = 0;
    Timestamp created{};
    DemandView* demand = nullptr;
    Slot slot = 0;          // of kAssumed and kBound
    unsigned failures = 0;  // of its binding
    std::size_t told = 0;   // a hash of what its status says why it waits; 0: nothing
  };

  using Turn = std::tuple<std::int64_t, Timestamp, model::ObjectName, Serial>;  // in the queue

  struct Purpose {
    Serial pod = 0;
    bool binding = false;  // else: the condition of a pod that waits
  };

  void observe_pod(const model::ObjectEvent& event);
  void observe_node(const model::ObjectEvent& event);
  Pod& pod_for(const boost::json::object& object);
  // Whether it asks for something else than before.
  bool read_demand_of(Pod& pod, const boost::json::object& object);
  void read_pending(Pod& pod, const boost::json::object& object, bool changed);
  void settle_on(Pod& pod, std::string_view node);
  void unplace(Pod& pod);
  void forget(Serial serial);

  [[nodiscard]] static Turn turn_of(const Pod& pod);
  void enqueue(Pod& pod);
  // Places whoever is queued, and has another look at those who wait.
  void pump(Timestamp now);
  void try_to_place(Pod& pod, Timestamp now);
  void send_binding(Pod& pod);
  void tell_why(Pod& pod, const std::string& message, Timestamp now);
  void tell(const Pod& pod, bool warning, std::string_view reason, std::string message,
            Timestamp now);

  Settings settings_;
  bool synced_ = false;
  Serial next_serial_ = 1;
  std::uint64_t notes_ = 0;
  ClusterView cluster_;
  std::map<Serial, Pod> pods_;
  std::map<model::ObjectName, Serial> serials_;
  std::set<Turn> queue_;
  std::set<Serial> waiting_;
  std::uint64_t waited_version_ = 0;  // of the cluster, at the last look at those who wait
  Timestamp last_look_{};
  Timestamp next_look_{};
  Agenda<Serial> retries_;
  model::Outbox<Purpose> outbox_;
};

}  // namespace ebb::nodes
