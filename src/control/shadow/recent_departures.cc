#include "control/shadow/recent_departures.h"

#include <utility>

#include "control/cache/pool_compaction.h"

namespace ebb::control::shadow {

model::Pod copy_active(const model::Pod& pod, model::Pool& pool) {
  model::Pod copy = pod;
  PoolCompaction(pool).move(copy);
  copy.deleting = false;
  return copy;
}

void RecentDepartures::add(std::string_view set_uid, const Pod& pod, model::Revision revision,
                           bool deleted) {
  if (size_ >= kMaxKept) return;
  auto found = by_set_.find(set_uid);
  if (found == by_set_.end()) found = by_set_.try_emplace(std::string(set_uid)).first;
  found->second.push_back(
      {.pod = copy_active(pod, pool_), .revision = revision, .deleted = deleted});
  ++fresh_[found->first];
  ++size_;
}

const std::deque<Departure>* RecentDepartures::of(std::string_view set_uid) const {
  const auto found = by_set_.find(set_uid);
  return found == by_set_.end() ? nullptr : &found->second;
}

void RecentDepartures::run(Timestamp mono) {
  for (const auto& [uid, count] : std::exchange(fresh_, {})) {
    std::deque<Departure>& departures = by_set_.at(uid);
    for (std::size_t i = departures.size() - count; i < departures.size(); ++i) {
      departures[i].at = mono;
    }
    expiries_.set(uid, later_by(departures.front().at, kKeptNs));
  }
  for (const std::string& uid : expiries_.take_due(mono)) {
    const auto found = by_set_.find(uid);
    std::deque<Departure>& departures = found->second;
    while (!departures.empty() && later_by(departures.front().at, kKeptNs) <= mono) {
      departures.pop_front();
      --size_;
    }
    if (departures.empty()) {
      by_set_.erase(found);
    } else {
      expiries_.set(uid, later_by(departures.front().at, kKeptNs));
    }
  }
  compact();
}

// The pool only grows, so it is rebuilt once most of it is garbage.
void RecentDepartures::compact() {
  constexpr std::size_t kSlackBytes = 1U << 20U;
  if (pool_.bytes() <= 2 * compact_bytes_ + kSlackBytes) return;
  model::Pool fresh;
  PoolCompaction compaction(fresh);
  for (auto& [uid, departures] : by_set_) {
    for (Departure& departure : departures) compaction.move(departure.pod);
  }
  pool_ = std::move(fresh);
  compact_bytes_ = pool_.bytes();
}

}  // namespace ebb::control::shadow
