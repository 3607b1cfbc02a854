#include "model/component/component_group.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/deadline_queue.h"

namespace ebb::model {

void ComponentGroup::add(std::unique_ptr<Component> component) {
  const std::vector<const schema::Kind*> kinds = component->watched();
  for (const schema::Kind* kind : kinds) {
    WatchedKind* watched = find(*kind);
    if (watched == nullptr) watched = &kinds_.emplace_back(WatchedKind{.kind = kind});
    watched->watchers.push_back(members_.size());
  }
  members_.push_back({.component = std::move(component), .unsynced_kinds = kinds.size()});
}

std::vector<const schema::Kind*> ComponentGroup::watched() const {
  std::vector<const schema::Kind*> kinds;
  for (const WatchedKind& each : kinds_) kinds.push_back(each.kind);
  return kinds;
}

ComponentGroup::WatchedKind* ComponentGroup::find(const schema::Kind& kind) {
  const auto found = std::find_if(kinds_.begin(), kinds_.end(),
                                  [&](const WatchedKind& each) { return each.kind == &kind; });
  return found == kinds_.end() ? nullptr : &*found;
}

void ComponentGroup::start(Timestamp now) {
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (members_[i].unsynced_kinds == 0) notify_synced(i, now);
  }
}

void ComponentGroup::observe(const ObjectEvent& event, Timestamp now) {
  const WatchedKind* watched = find(*event.kind);
  if (watched == nullptr) return;
  for (const std::size_t member : watched->watchers) {
    members_[member].component->observe(event, now);
    collect(member);
  }
}

void ComponentGroup::synced(const schema::Kind& kind, Timestamp now) {
  WatchedKind* watched = find(kind);
  if (watched == nullptr || std::exchange(watched->synced, true)) return;
  for (const std::size_t member : watched->watchers) {
    if (--members_[member].unsynced_kinds == 0) notify_synced(member, now);
  }
}

void ComponentGroup::notify_synced(std::size_t member, Timestamp now) {
  ++synced_members_;
  members_[member].component->synced(now);
  collect(member);
}

void ComponentGroup::answered(EffectId id, const ApiResponse& response, Timestamp now) {
  const auto found = in_flight_.find(id);
  EBB_CHECK(found != in_flight_.end());
  const Sender sender = found->second;
  in_flight_.erase(found);
  members_[sender.member].component->answered(sender.id, response, now);
  collect(sender.member);
}

void ComponentGroup::wake(Timestamp now) {
  for (std::size_t i = 0; i < members_.size(); ++i) {
    const Timestamp at = members_[i].component->wake_at();
    if (at.is_zero() || at > now) continue;
    members_[i].component->wake(now);
    collect(i);
  }
}

void ComponentGroup::collect(std::size_t member) {
  for (Effect& effect : members_[member].component->take_effects()) {
    waiting_.push_back({{member, effect.id}, std::move(effect.request)});
  }
}

std::optional<Effect> ComponentGroup::next_effect() {
  if (waiting_.empty()) return std::nullopt;
  auto [sender, request] = std::move(waiting_.front());
  waiting_.pop_front();
  in_flight_.emplace(++last_id_, sender);
  return Effect{.id = last_id_, .request = std::move(request)};
}

Timestamp ComponentGroup::wake_at() const {
  Timestamp next;
  for (const Member& member : members_) next = sooner(next, member.component->wake_at());
  return next;
}

bool ComponentGroup::is_settled() const {
  return synced_members_ == members_.size() && waiting_.empty() && in_flight_.empty();
}

}  // namespace ebb::model
