// The kubelets of all nodes as one component, without containers: bound pods start, become ready,
// crash, complete (pod_lifecycle.h) and, when they terminate, go. It also does the work of two
// controllers: it evicts pods from nodes with NoExecute taints that they do not tolerate, and
// deletes pods whose node is gone.
//
// It reads a pod's lifecycle from the pod's status once, when it first sees the pod. From then on
// its own record is authoritative, and the status follows.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/deadline_queue.h"
#include "hollow/addresses.h"
#include "hollow/pod_lifecycle.h"
#include "hollow/pod_table.h"
#include "hollow/settings.h"
#include "hollow/shared_values.h"
#include "model/component/component.h"
#include "model/component/outbox.h"

namespace ebb::hollow {

class Kubelet : public model::Component {
 public:
  explicit Kubelet(const Settings& settings);

  [[nodiscard]] std::string_view name() const override { return "kubelet"; }
  [[nodiscard]] std::vector<const schema::Kind*> watched() const override;
  void observe(const model::ObjectEvent& event, Timestamp now) override;
  void synced(Timestamp now) override;
  void answered(model::EffectId id, const model::ApiResponse& response, Timestamp now) override;
  void wake(Timestamp now) override;
  [[nodiscard]] std::vector<model::Effect> take_effects() override { return outbox_.take(); }
  [[nodiscard]] Timestamp wake_at() const override { return deadlines_.next(); }

 private:
  struct Pod : KnownPod {
    std::uint64_t random = 0;
    std::string node{};  // empty: not bound
    Timestamp bound{};   // first seen on its node
    std::shared_ptr<const PodPlan> plan{};
    std::optional<PodLifecycle> life{};
    std::optional<Address> address{};

    bool status_owed = false;
    bool request_in_flight = false;
    bool removed = false;  // our delete was accepted: only finalizers keep it
    unsigned failures = 0;
    Timestamp retry_at{};             // after a failure; nothing is sent before
    std::int64_t grace_seconds = -1;  // -1: not terminating
    Timestamp remove_at{};            // terminating: when it goes
    Timestamp evict_at{};             // NoExecute taints: when it must leave
    Timestamp lost_at{};              // its node is unknown: when it is deleted
  };

  struct Node {
    bool exists = false;
    std::string address{};
    std::vector<Taint> taints{};  // NoExecute only, with the time they were first seen
    std::set<PodSerial> pods{};
  };

  enum class Task : std::uint8_t { kStatus, kRemove, kEvict };
  struct Purpose {
    PodSerial pod = 0;
    Task task = Task::kStatus;
  };

  void observe_pod(const model::ObjectEvent& event, Timestamp now);
  void observe_node(const model::ObjectEvent& event, Timestamp now);
  Pod& pod_for(const boost::json::object& object);
  void bind(Pod& pod, const boost::json::object& object, Timestamp now);
  void note_deletion(Pod& pod, const boost::json::object& object, Timestamp now);
  void forget(Pod& pod);

  // Does the work that is due for the pod and schedules the next sync.
  void reconcile(Pod& pod, Timestamp now);
  void live(Pod& pod, Timestamp now);
  void record_step_events(const Pod& pod, Stage before, Timestamp now);
  void send(Pod& pod, Task task, model::ApiRequest request);
  void send_status(Pod& pod, const Node& node);
  void record_event(const Pod& pod, bool warning, std::string_view reason, std::string message,
                    Timestamp now, std::string_view component = "kubelet");
  [[nodiscard]] Timestamp deadline(const Pod& pod) const;

  Settings settings_;
  bool synced_ = false;
  std::uint64_t notes_ = 0;
  PodTable<Pod> pods_;
  std::map<std::string, Node, std::less<>> nodes_;
  SharedValues<PodPlan> plans_;
  AddressPool addresses_;
  DeadlineQueue<PodSerial> deadlines_;
  model::Outbox<Purpose> outbox_;
};

}  // namespace ebb::hollow
