#include "sim/machines.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/wording.h"

namespace ebb::sim {

Machines::Machines(Timeline& time, Api& api, Trace& trace, std::uint64_t seed)
    : time_(time), api_(api), trace_(trace), dice_(seed) {
  api_.listen([this](const model::ObjectEvent& event, model::Revision) { heard(event); });
}

void Machines::add(std::unique_ptr<model::Machine> machine) {
  seats_.push_back(std::make_unique<Seat>(Seat{.machine = std::move(machine)}));
  seats_.back()->watched = seats_.back()->machine->watched();
}

void Machines::begin() {
  for (const auto& seat : seats_) {
    seat->machine->synced(time_.now());
    carry_out(*seat);
  }
}

void Machines::heard(const model::ObjectEvent& event) {
  for (const auto& seat : seats_) {
    if (std::find(seat->watched.begin(), seat->watched.end(), event.kind) == seat->watched.end()) {
      continue;
    }
    seat->unheard.push_back(event);
    if (std::exchange(seat->pump_due, true)) continue;
    auto delay = static_cast<Nanoseconds>(1 + dice_.below(5)) * kMillisecond;
    if (dice_.chance(faults_.late)) {
      delay = static_cast<Nanoseconds>(dice_.below(2000)) * kMillisecond;
    }
    time_.after(delay, [this, raw = seat.get()] { pump(*raw); });
  }
}

void Machines::pump(Seat& seat) {
  seat.pump_due = false;
  while (!seat.unheard.empty()) {
    const model::ObjectEvent event = std::move(seat.unheard.front());
    seat.unheard.pop_front();
    seat.machine->observe(event, time_.now());
  }
  carry_out(seat);
}

void Machines::carry_out(Seat& seat) {
  for (;;) {
    const std::vector<model::Effect> effects = seat.machine->take_effects();
    if (effects.empty()) break;
    for (const model::Effect& effect : effects) {
      model::ApiResponse response;
      response.code = 500;
      if (!dice_.chance(faults_.refused)) response = api_.request(effect.request);
      trace_.line(seat.machine->name(), describe(effect.request, response));
      seat.machine->answered(effect.id, response, time_.now());
    }
  }
  set_alarm(seat);
}

void Machines::set_alarm(Seat& seat) {
  const Timestamp wake = seat.machine->wake_at();
  if (wake.is_zero() || wake == seat.alarm) return;
  seat.alarm = wake;
  time_.at(wake, [this, raw = &seat, wake] {
    if (raw->alarm != wake) return;  // another one was set since
    raw->alarm = {};
    raw->machine->wake(time_.now());
    carry_out(*raw);
  });
}

}  // namespace ebb::sim
