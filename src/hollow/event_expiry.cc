#include "hollow/event_expiry.h"

#include <algorithm>

#include "schema/core/json.h"

namespace ebb::hollow {
namespace {

// The limit of concurrent deletes. They are not urgent.
constexpr std::size_t kMaxInFlight = 20;

// The time of the last occurrence. Events in the newer format have it in another field.
Timestamp last_time(const boost::json::object& event) {
  Timestamp last = model::time_at(event, {"metadata", "creationTimestamp"});
  last = std::max(last, model::time_at(event, {"lastTimestamp"}));
  last = std::max(last, model::time_at(event, {"series", "lastObservedTime"}));
  return last;
}

}  // namespace

std::vector<const schema::Kind*> EventExpiry::watched() const { return {model::event_kind()}; }

void EventExpiry::observe(const model::ObjectEvent& event, Timestamp now) {
  model::ObjectName name = model::name_of(*event.object);
  if (event.type == model::ObjectEvent::Type::kDeleted) {
    expiries_.erase(name);
  } else {
    const Timestamp last = last_time(*event.object);
    // A time in the future does not keep an event forever.
    expiries_.set(name,
                  later_by(last.is_zero() ? now : std::min(last, now), settings_.event_age_ns));
  }
  expire(now);
}

void EventExpiry::synced(Timestamp now) {
  synced_ = true;
  expire(now);
}

void EventExpiry::wake(Timestamp now) { expire(now); }

void EventExpiry::expire(Timestamp now) {
  if (!synced_ || pause_until_ > now) return;
  while (outbox_.in_flight() < kMaxInFlight) {
    // Above the limit, the oldest event is deleted whatever its age.
    const bool too_many = expiries_.size() > settings_.max_events;
    const std::vector<model::ObjectName> next =
        expiries_.take_due(too_many ? expiries_.next() : now, 1);
    if (next.empty()) return;
    outbox_.send(model::delete_request(model::object_path(*model::event_kind(), next.front()), {}),
                 next.front());
  }
}

void EventExpiry::answered(model::EffectId id, const model::ApiResponse& response, Timestamp now) {
  const std::optional<model::ObjectName> name = outbox_.answered(id);
  if (!name.has_value()) return;
  if (model::succeeded(response) || response.code == 404) {
    failures_ = 0;
  } else {
    pause_until_ = later_by(now, retry_delay_ns(failures_++));
    expiries_.set(*name, now);
  }
  expire(now);
}

Timestamp EventExpiry::wake_at() const {
  if (!synced_ || outbox_.in_flight() >= kMaxInFlight) return {};
  const Timestamp next = expiries_.next();
  return next.is_zero() ? next : std::max(next, pause_until_);
}

}  // namespace ebb::hollow
