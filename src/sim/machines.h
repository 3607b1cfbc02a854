// The machines of src/nodes (scheduler, kubelet, garbage collector) at work in the world. They
// are not what is tested here: at most they are slow, and a request of theirs fails now and then.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "model/machine.h"
#include "sim/api.h"
#include "sim/dice.h"
#include "sim/timeline.h"
#include "sim/trace.h"

namespace ebb::sim {

struct MachineFaults {
  double late = 0;     // hears of changes up to two seconds later
  double refused = 0;  // a request is answered with 500 and not carried out
};

class Machines {
 public:
  Machines(Timeline& time, Api& api, Trace& trace, std::uint64_t seed);

  void add(std::unique_ptr<model::Machine> machine);
  // All are there, and there are no objects yet that they would have to be told of.
  void begin();
  void set_faults(const MachineFaults& faults) { faults_ = faults; }

 private:
  struct Seat {
    std::unique_ptr<model::Machine> machine;
    std::vector<const schema::Kind*> watched{};
    std::deque<model::ObjectEvent> unheard{};
    bool pump_due = false;
    Timestamp alarm{};
  };

  void heard(const model::ObjectEvent& event);
  void pump(Seat& seat);
  void carry_out(Seat& seat);
  void set_alarm(Seat& seat);

  Timeline& time_;
  Api& api_;
  Trace& trace_;
  Dice dice_;
  MachineFaults faults_;
  std::vector<std::unique_ptr<Seat>> seats_;
};

}  // namespace ebb::sim
