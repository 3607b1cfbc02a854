// Renews the lease of every node in kube-node-lease, as kubelets do: by it a node lifecycle
// controller tells the living from the dead. Wanted where such a controller may run; the
// embedded cluster has none and is spared the writes.
//
// Leases are not watched: a renewal that finds none makes one, owned by its node.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/agenda.h"
#include "model/machine.h"
#include "model/outbox.h"
#include "nodes/settings.h"

namespace ebb::nodes {

class NodeLeases : public model::Machine {
 public:
  explicit NodeLeases(const Settings& settings) : seed_(settings.seed) {}

  [[nodiscard]] std::string_view name() const override { return "node-leases"; }
  [[nodiscard]] std::vector<const schema::Kind*> watched() const override;
  void observe(const model::ObjectEvent& event, Timestamp now) override;
  void synced(Timestamp /*now*/) override {}
  void answered(model::EffectId id, const model::ApiResponse& response, Timestamp now) override;
  void wake(Timestamp now) override;
  [[nodiscard]] std::vector<model::Effect> take_effects() override { return outbox_.take(); }
  [[nodiscard]] Timestamp wake_at() const override { return agenda_.next(); }

 private:
  struct Node {
    std::string uid{};
    bool request_under_way = false;
    bool make_it = false;  // there is no lease to renew
    unsigned failures = 0;
  };

  void attend(const std::string& name, Node& node, Timestamp now);

  std::uint64_t seed_;
  std::map<std::string, Node> nodes_;
  Agenda<std::string> agenda_;
  model::Outbox<std::string> outbox_;
};

}  // namespace ebb::nodes
