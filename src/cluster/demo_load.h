// The load of the demo: makes its Deployments grow and shrink slowly, as if people came and
// went, and marks some of their pods as an application would, so that scale-downs have something
// to decide by.
//
// A Deployment that somebody else scales is left alone from then on.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/agenda.h"
#include "model/machine.h"
#include "model/outbox.h"
#include "model/requests.h"

namespace ebb::cluster {

// How one Deployment of the demo moves: between two sizes, there and back in a period, from the
// middle.
struct DemoWave {
  std::string_view name;
  int least = 0;
  int most = 0;
  Nanoseconds period_ns = 0;
  bool down_first = false;
};

class DemoLoad : public model::Machine {
 public:
  DemoLoad(std::string_view namespace_name, const std::vector<DemoWave>& waves);

  [[nodiscard]] std::string_view name() const override { return "demo-load"; }
  [[nodiscard]] std::vector<const schema::Kind*> watched() const override;
  void observe(const model::ObjectEvent& event, Timestamp now) override;
  void synced(Timestamp now) override;
  void answered(model::EffectId id, const model::ApiResponse& response, Timestamp now) override;
  void wake(Timestamp now) override;
  [[nodiscard]] std::vector<model::Effect> take_effects() override { return outbox_.take(); }
  [[nodiscard]] Timestamp wake_at() const override { return next_step_; }

 private:
  struct Workload {
    DemoWave wave;
    std::string uid{};  // empty: there is none
    std::int64_t replicas = 0;
    std::int64_t sent = -1;  // the size that we asked for last
    bool under_way = false;
    bool left_alone = false;
  };

  void observe_deployment(const model::ObjectEvent& event);
  void observe_pod(const model::ObjectEvent& event);
  void mark(std::string_view app, const boost::json::object& pod);
  void step(Timestamp now);

  std::string namespace_;
  std::map<std::string, Workload, std::less<>> workloads_;
  Timestamp began_{};
  Timestamp next_step_{};
  model::Outbox<std::string> outbox_;  // purpose: the workload's name
};

}  // namespace ebb::cluster
