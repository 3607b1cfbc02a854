// Makes the nodes of the settings and keeps all nodes alive, also those that users add. A node
// that a user deletes stays deleted until the next start, like a machine that is switched off.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/agenda.h"
#include "model/machine.h"
#include "model/outbox.h"
#include "nodes/addresses.h"
#include "nodes/settings.h"

namespace ebb::nodes {

class NodeKeeper : public model::Machine {
 public:
  explicit NodeKeeper(const Settings& settings);

  [[nodiscard]] std::string_view name() const override { return "node-keeper"; }
  [[nodiscard]] std::vector<const schema::Kind*> watched() const override;
  void observe(const model::ObjectEvent& event, Timestamp now) override;
  void synced(Timestamp now) override;
  void answered(model::EffectId id, const model::ApiResponse& response, Timestamp now) override;
  void wake(Timestamp now) override;
  [[nodiscard]] std::vector<model::Effect> take_effects() override { return outbox_.take(); }
  [[nodiscard]] Timestamp wake_at() const override { return agenda_.next(); }

 private:
  struct Node {
    std::string uid{};
    bool exists = false;
    bool request_under_way = false;
    unsigned failures = 0;
    Timestamp retry_at{};
    Timestamp heartbeat_at{};               // when it is due
    boost::json::object status_to_write{};  // empty: none
    boost::json::object labels_to_write{};  // likewise
    boost::json::object taints_to_lift{};   // likewise: a patch
    std::optional<Address> address{};
  };

  [[nodiscard]] const std::string& address_for(Node& node);
  void read(Node& node, const boost::json::object& object, Timestamp now);
  void attend(const std::string& name, Node& node, Timestamp now);

  Settings settings_;
  bool synced_ = false;
  std::map<std::string, NodeSpec> to_create_;
  std::map<std::string, Node> nodes_;
  AddressPool addresses_;
  std::string address_text_;
  Agenda<std::string> agenda_;
  model::Outbox<std::string> outbox_;
};

}  // namespace ebb::nodes
