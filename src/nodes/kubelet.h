// The kubelets of all nodes, as one machine without containers: bound pods start, become
// ready, crash, complete (pod_life.h) and, when they terminate, go. It also does what in
// Kubernetes others do for it: pods leave nodes with NoExecute taints that they do not
// tolerate, and pods whose node is gone are deleted.
//
// What it knows of a pod's life it learns from the pod's status once, when it first sees it;
// from then on its own record counts, and the status follows.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/agenda.h"
#include "model/machine.h"
#include "model/outbox.h"
#include "model/requests.h"
#include "nodes/addresses.h"
#include "nodes/pod_life.h"
#include "nodes/settings.h"
#include "nodes/shared_values.h"

namespace ebb::nodes {

class Kubelet : public model::Machine {
 public:
  explicit Kubelet(const Settings& settings);

  [[nodiscard]] std::string_view name() const override { return "kubelet"; }
  [[nodiscard]] std::vector<const schema::Kind*> watched() const override;
  void observe(const model::ObjectEvent& event, Timestamp now) override;
  void synced(Timestamp now) override;
  void answered(model::EffectId id, const model::ApiResponse& response, Timestamp now) override;
  void wake(Timestamp now) override;
  [[nodiscard]] std::vector<model::Effect> take_effects() override { return outbox_.take(); }
  [[nodiscard]] Timestamp wake_at() const override { return agenda_.next(); }

 private:
  using Serial = std::uint64_t;  // of a pod, in the order of first sight

  struct Pod {
    Serial serial = 0;
    model::ObjectName name{};
    std::string uid{};
    std::uint64_t luck = 0;
    std::string node{};  // empty: not bound
    Timestamp bound{};   // first seen on its node
    std::shared_ptr<const PodPlan> plan{};
    std::optional<PodLife> life{};
    std::optional<Address> address{};

    bool status_owed = false;
    bool request_under_way = false;
    bool removed = false;  // our last delete was accepted: only finalizers keep it
    unsigned failures = 0;
    Timestamp retry_at{};             // after a failure, before which nothing is sent
    std::int64_t grace_seconds = -1;  // -1: not terminating
    Timestamp remove_at{};            // terminating: when it goes
    Timestamp evict_at{};             // NoExecute taints: when it has to leave
    Timestamp lost_at{};              // its node is unknown: when it is given up
  };

  struct Node {
    bool exists = false;
    std::string address{};
    std::vector<Taint> taints{};  // NoExecute only, with the time they were first seen
    std::set<Serial> pods{};
  };

  enum class Task : std::uint8_t { kStatus, kRemove, kEvict };
  struct Purpose {
    Serial pod = 0;
    Task task = Task::kStatus;
  };

  void observe_pod(const model::ObjectEvent& event, Timestamp now);
  void observe_node(const model::ObjectEvent& event, Timestamp now);
  Pod& pod_for(const boost::json::object& object);
  void bind(Pod& pod, const boost::json::object& object, Timestamp now);
  void note_deletion(Pod& pod, const boost::json::object& object, Timestamp now);
  void forget(Serial serial);

  // Does what is due for the pod and says when to look again.
  void attend(Pod& pod, Timestamp now);
  void live(Pod& pod, Timestamp now);
  void tell_step(const Pod& pod, Stage before, Timestamp now);
  void send(Pod& pod, Task task, model::ApiRequest request);
  void send_status(Pod& pod, const Node& node);
  void tell(const Pod& pod, bool warning, std::string_view reason, std::string message,
            Timestamp now, std::string_view component = "kubelet");
  [[nodiscard]] Timestamp deadline(const Pod& pod) const;

  Settings settings_;
  bool synced_ = false;
  Serial next_serial_ = 1;
  std::uint64_t notes_ = 0;
  std::map<Serial, Pod> pods_;
  std::map<model::ObjectName, Serial> serials_;
  std::map<std::string, Node, std::less<>> nodes_;
  SharedValues<PodPlan> plans_;
  AddressPool addresses_;
  Agenda<Serial> agenda_;
  model::Outbox<Purpose> outbox_;
};

}  // namespace ebb::nodes
