// The scheduler: binds pods to nodes. placement.h chooses the node; this file holds the queue, the
// bindings in flight, and the conditions and events of unschedulable pods.
//
// A pod counts on its node from the moment the node is chosen until the pod is observed to be gone
// or elsewhere, so that a late or lost response never gives away the same resources twice.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "base/deadline_queue.h"
#include "hollow/cluster_view.h"
#include "hollow/pod_table.h"
#include "hollow/settings.h"
#include "model/component/component.h"
#include "model/component/outbox.h"

namespace ebb::hollow {

class Scheduler : public model::Component {
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
  enum class State : std::uint8_t {
    kQueued,   // to be placed
    kWaiting,  // fits nowhere until the cluster changes
    kGated,    // has scheduling gates, or another schedulerName
    kAssumed,  // node chosen; binding in flight or to be retried
    kBound,
    kOver,  // Succeeded or Failed: uses no resources
  };

  struct Pod : KnownPod {
    State state = State::kGated;
    bool terminating = false;
    bool request_in_flight = false;
    std::int64_t priority = 0;
    Timestamp created{};
    DemandView* demand = nullptr;
    Slot slot = 0;             // of kAssumed and kBound
    unsigned failures = 0;     // of its binding
    std::size_t reported = 0;  // hash of the reason in its status; 0: none
  };

  using Turn = std::tuple<std::int64_t, Timestamp, model::ObjectName, PodSerial>;  // in the queue

  struct Purpose {
    PodSerial pod = 0;
    bool binding = false;  // otherwise: the condition of a waiting pod
  };

  void observe_pod(const model::ObjectEvent& event);
  void observe_node(const model::ObjectEvent& event);
  Pod& pod_for(const boost::json::object& object);
  // Returns true if the demand changed.
  bool read_demand_of(Pod& pod, const boost::json::object& object);
  void read_pending(Pod& pod, const boost::json::object& object, bool changed);
  void settle_on(Pod& pod, std::string_view node);
  void unplace(Pod& pod);
  void forget(Pod& pod);

  [[nodiscard]] static Turn turn_of(const Pod& pod);
  void enqueue(Pod& pod);
  // Places queued pods and retries waiting ones.
  void pump(Timestamp now);
  void try_to_place(Pod& pod, Timestamp now);
  void send_binding(Pod& pod);
  void report_unschedulable(Pod& pod, const std::string& message, Timestamp now);
  void record_event(const Pod& pod, bool warning, std::string_view reason, std::string message,
                    Timestamp now);

  Settings settings_;
  bool synced_ = false;
  std::uint64_t notes_ = 0;
  ClusterView cluster_;
  PodTable<Pod> pods_;
  std::set<Turn> queue_;
  std::set<PodSerial> waiting_;
  std::uint64_t waited_version_ = 0;  // of the cluster, at the last retry of waiting pods
  Timestamp last_attempt_{};
  Timestamp next_attempt_{};
  DeadlineQueue<PodSerial> retries_;
  model::Outbox<Purpose> outbox_;
};

}  // namespace ebb::hollow
