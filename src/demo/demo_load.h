// The load of the demo: makes its Deployments grow and shrink slowly, like daily traffic, and marks
// some of their pods as an application would, so that scale-downs have hints to use.
//
// A Deployment that another client scales is left alone from then on.
#pragma once  // private to its room

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline_queue.h"
#include "model/api/requests.h"
#include "model/component/component.h"
#include "model/component/outbox.h"

namespace ebb::demo {

// The movement of one Deployment of the demo: between two sizes and back in one period, starting in
// the middle.
struct DemoWave {
  std::string_view name;
  int min_replicas = 0;
  int max_replicas = 0;
  Nanoseconds period_ns = 0;
  bool down_first = false;
};

class DemoLoad : public model::Component {
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
    std::int64_t sent = -1;  // the size last requested
    bool in_flight = false;
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

}  // namespace ebb::demo
