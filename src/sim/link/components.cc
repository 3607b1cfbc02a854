#include "sim/link/components.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "sim/link/wording.h"

namespace ebb::sim {

Components::Components(Timeline& time, Api& api, Trace& trace, std::uint64_t seed)
    : time_(time), api_(api), trace_(trace), random_(seed) {
  api_.listen([this](const model::ObjectEvent& event, model::Revision) { heard(event); });
}

void Components::add(std::unique_ptr<model::Component> component) {
  ProcessSlot& slot = *slots_.emplace_back(std::make_unique<ProcessSlot>());
  slot.name = component->name();
  slot.group.add(std::move(component));
  slot.watched = slot.group.watched();
}

void Components::begin() {
  for (const auto& slot : slots_) {
    slot->group.start(time_.now());
    for (const schema::Kind* kind : slot->watched) slot->group.synced(*kind, time_.now());
    carry_out(*slot);
  }
}

void Components::heard(const model::ObjectEvent& event) {
  for (const auto& slot : slots_) {
    if (std::find(slot->watched.begin(), slot->watched.end(), event.kind) == slot->watched.end()) {
      continue;
    }
    slot->unheard.push_back(event);
    if (std::exchange(slot->pump_due, true)) continue;
    auto delay = static_cast<Nanoseconds>(1 + random_.below(5)) * kMillisecond;
    if (random_.chance(faults_.late)) {
      delay = static_cast<Nanoseconds>(random_.below(2000)) * kMillisecond;
    }
    time_.after(delay, [this, raw = slot.get()] { pump(*raw); });
  }
}

void Components::pump(ProcessSlot& slot) {
  slot.pump_due = false;
  for (const model::ObjectEvent& event : std::exchange(slot.unheard, {})) {
    slot.group.observe(event, time_.now());
  }
  carry_out(slot);
}

void Components::carry_out(ProcessSlot& slot) {
  while (const std::optional<model::Effect> effect = slot.group.next_effect()) {
    model::ApiResponse response;
    response.code = 500;
    if (!random_.chance(faults_.refused)) response = api_.request(effect->request);
    trace_.line(slot.name, describe(effect->request, response));
    slot.group.answered(effect->id, response, time_.now());
  }
  set_alarm(slot);
}

void Components::set_alarm(ProcessSlot& slot) {
  const Timestamp wake = slot.group.wake_at();
  if (wake.is_zero() || wake == slot.alarm) return;
  slot.alarm = wake;
  time_.at(wake, [this, raw = &slot, wake] {
    if (raw->alarm != wake) return;  // another alarm was set since
    raw->alarm = {};
    raw->group.wake(time_.now());
    carry_out(*raw);
  });
}

}  // namespace ebb::sim
