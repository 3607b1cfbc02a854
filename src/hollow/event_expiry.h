// Deletes expired events, and the oldest ones if there are too many.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/deadline_queue.h"
#include "hollow/settings.h"
#include "model/api/requests.h"
#include "model/component/component.h"
#include "model/component/outbox.h"

namespace ebb::hollow {

class EventExpiry : public model::Component {
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
  DeadlineQueue<model::ObjectName> expiries_;
  Timestamp pause_until_{};  // after a failure
  unsigned failures_ = 0;
  model::Outbox<model::ObjectName> outbox_;
};

}  // namespace ebb::hollow
