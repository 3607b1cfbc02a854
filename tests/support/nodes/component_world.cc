#include "support/nodes/component_world.h"

#include <algorithm>
#include <utility>

#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/check.h"
#include "schema/core/json.h"

namespace ebb::testing {

ComponentWorld::ComponentWorld(Backend backend, Timestamp start)
    : backend_(std::move(backend)), now_(start) {}

void ComponentWorld::add(model::Component& component,
                         const std::vector<model::ObjectEvent>& existing) {
  slots_.push_back({&component, {}});
  ProcessSlot& slot = slots_.back();
  const auto watched = component.watched();
  for (const model::ObjectEvent& event : existing) {
    if (std::find(watched.begin(), watched.end(), event.kind) == watched.end()) continue;
    component.observe(event, now_);
    carry_out(slot);
  }
  component.synced(now_);
  carry_out(slot);
}

void ComponentWorld::set_faults(const Faults& faults) {
  faults_ = faults;
  random_.seed(faults.seed);
}

bool ComponentWorld::chance(double probability) {
  if (faults_.seed == 0) return false;
  return static_cast<double>(random_() >> 11U) * 0x1p-53 < probability;
}

model::ApiResponse ComponentWorld::request(const model::ApiRequest& request) {
  model::ApiResponse response = backend_.handle(request, now_);
  spread_changes();
  return response;
}

void ComponentWorld::create(std::string_view text) {
  boost::json::error_code error;
  const boost::json::value object = boost::json::parse(text, error);
  EBB_CHECK(!error && object.is_object());
  const boost::json::object& given = object.get_object();
  const schema::Kind* kind =
      schema::find_kind(schema::text_at(given, {"apiVersion"}), schema::text_at(given, {"kind"}));
  EBB_CHECK(kind != nullptr);
  std::string_view namespace_name = schema::text_at(given, {"metadata", "namespace"});
  if (namespace_name.empty()) namespace_name = "default";
  const std::string root = kind->group.empty() ? "/api/v1" : "/apis/" + kind->api_version();
  const std::string place = kind->namespaced
                                ? fmt::format("/namespaces/{}/{}", namespace_name, kind->plural)
                                : fmt::format("/{}", kind->plural);
  const model::ApiResponse response = request({.method = model::Method::kPost,
                                               .path = root + place,
                                               .content_type = "application/json",
                                               .body = std::string(text)});
  EXPECT_EQ(response.code, 201) << text << "\n" << response.body.str();
}

void ComponentWorld::spread_changes() {
  for (const model::ObjectEvent& event : backend_.take_events(now_)) {
    if (on_change) on_change(event);
    for (ProcessSlot& slot : slots_) {
      const auto watched = slot.component->watched();
      if (std::find(watched.begin(), watched.end(), event.kind) != watched.end()) {
        slot.unheard.push_back(event);
      }
    }
  }
}

void ComponentWorld::carry_out(ProcessSlot& slot) {
  for (;;) {
    std::vector<model::Effect> todo = slot.component->take_effects();
    if (todo.empty()) return;
    for (const model::Effect& effect : todo) {
      ++effects_;
      if (on_effect) on_effect(*slot.component, effect.request);
      model::ApiResponse response;
      if (chance(faults_.refused)) {
        response.code = 500;
      } else {
        response = backend_.handle(effect.request, now_);
        spread_changes();
        if (chance(faults_.unknown)) {
          response = {};
          response.code = 0;
        }
      }
      // A change can be observed before the answer to the request that made it.
      while (!slot.unheard.empty() && chance(faults_.late)) {
        const model::ObjectEvent event = std::move(slot.unheard.front());
        slot.unheard.pop_front();
        slot.component->observe(event, now_);
      }
      slot.component->answered(effect.id, response, now_);
    }
  }
}

// Delivers the waiting events to a component; false if there were none.
bool ComponentWorld::hear(ProcessSlot& slot) {
  if (slot.unheard.empty() || chance(faults_.late)) return false;
  while (!slot.unheard.empty()) {
    const model::ObjectEvent event = std::move(slot.unheard.front());
    slot.unheard.pop_front();
    slot.component->observe(event, now_);
    carry_out(slot);
  }
  return true;
}

// Until nothing is left to do at this moment.
bool ComponentWorld::settle() {
  bool any = false;
  for (int round = 0; round < 10'000; ++round) {
    spread_changes();
    bool busy = false;
    for (ProcessSlot& slot : slots_) {
      busy = hear(slot) || busy;
      const Timestamp wake = slot.component->wake_at();
      if (!wake.is_zero() && wake <= now_) {
        slot.component->wake(now_);
        carry_out(slot);
        busy = true;
      }
    }
    if (!busy) return any;
    any = true;
  }
  ADD_FAILURE() << "the machines do not come to rest";
  return any;
}

void ComponentWorld::run_for(Nanoseconds duration) {
  const Timestamp end = Timestamp::from_nanoseconds(now_.since_epoch_ns() + duration);
  for (;;) {
    settle();
    Timestamp next = end;
    for (const ProcessSlot& slot : slots_) {
      const Timestamp wake = slot.component->wake_at();
      if (!wake.is_zero()) next = std::min(next, wake);
      // Late events are delivered a little later.
      if (!slot.unheard.empty()) {
        next = std::min(next, Timestamp::from_nanoseconds(now_.since_epoch_ns() + kSecond / 10));
      }
    }
    if (now_ >= end) return;
    now_ = std::max(next, now_);
  }
}

model::ApiRequest delete_request(std::string path, std::string body) {
  return {.method = model::Method::kDelete,
          .path = std::move(path),
          .content_type = "application/json",
          .body = std::move(body)};
}

model::ApiRequest merge_request(std::string path, std::string body) {
  return {.method = model::Method::kPatch,
          .path = std::move(path),
          .content_type = "application/merge-patch+json",
          .body = std::move(body)};
}

}  // namespace ebb::testing
