// Renews the lease of every node in kube-node-lease, as kubelets do: a node lifecycle controller
// detects dead nodes by their leases. Enabled where such a controller may run; the embedded cluster
// has none and saves the writes.
//
// Leases are not watched. If a renewal finds no lease, it creates one, owned by its node.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/deadline_queue.h"
#include "hollow/settings.h"
#include "model/component/component.h"
#include "model/component/outbox.h"

namespace ebb::hollow {

class NodeLeases : public model::Component {
 public:
  explicit NodeLeases(const Settings& settings) : seed_(settings.seed) {}

  [[nodiscard]] std::string_view name() const override { return "node-leases"; }
  [[nodiscard]] std::vector<const schema::Kind*> watched() const override;
  void observe(const model::ObjectEvent& event, Timestamp now) override;
  void synced(Timestamp /*now*/) override {}
  void answered(model::EffectId id, const model::ApiResponse& response, Timestamp now) override;
  void wake(Timestamp now) override;
  [[nodiscard]] std::vector<model::Effect> take_effects() override { return outbox_.take(); }
  [[nodiscard]] Timestamp wake_at() const override { return deadlines_.next(); }

 private:
  struct Node {
    std::string uid{};
    bool request_in_flight = false;
    bool make_it = false;  // the lease must be created
    unsigned failures = 0;
  };

  void reconcile(const std::string& name, Node& node, Timestamp now);

  std::uint64_t seed_;
  std::map<std::string, Node> nodes_;
  DeadlineQueue<std::string> deadlines_;
  model::Outbox<std::string> outbox_;
};

}  // namespace ebb::hollow
