// Deletes events that are old, and the oldest where there are too many.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/agenda.h"
#include "model/machine.h"
#include "model/outbox.h"
#include "model/requests.h"
#include "nodes/settings.h"

namespace ebb::nodes {

class EventExpiry : public model::Machine {
 public:
  explicit EventExpiry(const Settings& settings) : settings_(settings) {}

  [[nodiscard]] std::string_view name() const override { return "event-expiry"; }
  [[nodiscard]] std::vector<const schema::Kind*> watched() const override;
  void observe(const model::ObjectEvent& event, Timestamp now) override;
  void synced(Timestamp now) override;
  void answered(model::EffectId id, const model::ApiResponse& response, Timestamp now) override;
  void wake(Timestamp now) override;
  [[nodiscard]] std::vector<model::Effect> take_effects() override { return outbox_.take(); }
  [[nodiscard]] Timestamp wake_at() const override;

 private:
  void expire(Timestamp now);

  Settings settings_;
  bool synced_ = false;
  Agenda<model::ObjectName> expiries_;
  Timestamp pause_until_{};  // after a failure
  unsigned failures_ = 0;
  model::Outbox<model::ObjectName> outbox_;
};

}  // namespace ebb::nodes
