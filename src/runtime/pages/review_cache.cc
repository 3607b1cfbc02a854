#include "runtime/pages/review_cache.h"

#include <iterator>

namespace ebb::runtime {

std::optional<Verdict> ReviewCache::BoundedCache::find(const ReviewKey& key, Timestamp now) const {
  const auto found = entries_.find(key);
  if (found == entries_.end() || elapsed_ns(found->second.since, now) >= kLifetimeNs) {
    return std::nullopt;
  }
  return found->second.verdict;
}

void ReviewCache::BoundedCache::put(const ReviewKey& key, const Verdict& verdict, Timestamp now) {
  erase(key);
  if (entries_.size() >= max_size_) erase(ReviewKey(by_age_.front()));
  by_age_.push_back(key);
  entries_.emplace(key, Entry{verdict, now, std::prev(by_age_.end())});
}

void ReviewCache::BoundedCache::erase(const ReviewKey& key) {
  const auto found = entries_.find(key);
  if (found == entries_.end()) return;
  by_age_.erase(found->second.age);
  entries_.erase(found);
}

std::optional<Verdict> ReviewCache::find(const ReviewKey& key, Timestamp now) const {
  if (auto allowed = allowed_.find(key, now)) return allowed;
  return refused_.find(key, now);
}

void ReviewCache::put(const ReviewKey& key, const Verdict& verdict, Timestamp now) {
  if (verdict.kind == Verdict::Kind::kFailed) return;
  const bool allowed = verdict.kind == Verdict::Kind::kAllowed;
  (allowed ? refused_ : allowed_).erase(key);
  (allowed ? allowed_ : refused_).put(key, verdict, now);
}

bool ReviewCache::was_allowed(const ReviewKey& key) const { return allowed_.contains(key); }

}  // namespace ebb::runtime
