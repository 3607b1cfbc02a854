// Creates the configured nodes and keeps all nodes alive, including those that users add. A node
// that a user deletes stays deleted until the next start, like a machine that is switched off.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/deadline_queue.h"
#include "hollow/addresses.h"
#include "hollow/settings.h"
#include "model/component/component.h"
#include "model/component/outbox.h"

namespace ebb::hollow {

class NodeRegistrar : public model::Component {
 public:
  explicit NodeRegistrar(const Settings& settings);

  [[nodiscard]] std::string_view name() const override { return "node-registrar"; }
  [[nodiscard]] std::vector<const schema::Kind*> watched() const override;
  void observe(const model::ObjectEvent& event, Timestamp now) override;
  void synced(Timestamp now) override;
  void answered(model::EffectId id, const model::ApiResponse& response, Timestamp now) override;
  void wake(Timestamp now) override;
  [[nodiscard]] std::vector<model::Effect> take_effects() override { return outbox_.take(); }
  [[nodiscard]] Timestamp wake_at() const override { return deadlines_.next(); }

 private:
  struct Node {
    std::string uid{};
    bool exists = false;
    bool request_in_flight = false;
    unsigned failures = 0;
    Timestamp retry_at{};
    Timestamp heartbeat_at{};               // when it is due
    boost::json::object status_to_write{};  // empty: none
    boost::json::object labels_to_write{};  // likewise
    boost::json::object taints_to_lift{};   // likewise; a patch
    std::optional<Address> address{};
  };

  [[nodiscard]] const std::string& address_for(Node& node);
  void read(Node& node, const boost::json::object& object, Timestamp now);
  void reconcile(const std::string& name, Node& node, Timestamp now);

  Settings settings_;
  bool synced_ = false;
  std::map<std::string, NodeSpec> to_create_;
  std::map<std::string, Node> nodes_;
  AddressPool addresses_;
  std::string address_text_;
  DeadlineQueue<std::string> deadlines_;
  model::Outbox<std::string> outbox_;
};

}  // namespace ebb::hollow
