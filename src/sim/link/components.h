// Runs the components of src/hollow (scheduler, kubelet, garbage collector) in the world. They are
// not under test: at most they are slow, and a request fails occasionally.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "model/component/component_group.h"
#include "sim/core/api.h"
#include "sim/core/random.h"
#include "sim/core/timeline.h"
#include "sim/core/trace.h"

namespace ebb::sim {

struct ComponentFaults {
  double late = 0;     // receives changes up to two seconds late
  double refused = 0;  // a request is answered with 500 and not executed
};

class Components {
 public:
  Components(Timeline& time, Api& api, Trace& trace, std::uint64_t seed);

  void add(std::unique_ptr<model::Component> component);
  // Starts all components, before any object exists.
  void begin();
  void set_faults(const ComponentFaults& faults) { faults_ = faults; }

 private:
  // A component that runs in a process of its own: it receives changes later than others.
  struct ProcessSlot {
    std::string_view name;
    model::ComponentGroup group;
    std::vector<const schema::Kind*> watched;
    std::vector<model::ObjectEvent> unheard;
    bool pump_due = false;
    Timestamp alarm;
  };

  void heard(const model::ObjectEvent& event);
  void pump(ProcessSlot& slot);
  void carry_out(ProcessSlot& slot);
  void set_alarm(ProcessSlot& slot);

  Timeline& time_;
  Api& api_;
  Trace& trace_;
  Random random_;
  ComponentFaults faults_;
  std::vector<std::unique_ptr<ProcessSlot>> slots_;
};

}  // namespace ebb::sim
