// Remembers verdicts about tokens for a short time, so that repeated requests of one client cost
// the API server little.
//
// The cache is bounded, and forbidden tokens cannot evict allowed ones. It holds digests, not the
// tokens themselves.
#pragma once  // private to its room

#include <list>
#include <map>
#include <optional>

#include "net/tls/secret.h"
#include "runtime/pages/reviewer.h"

namespace ebb::runtime {

// The digest of a token and a path.
using ReviewKey = net::Digest;

class ReviewCache {
 public:
  // Kubernetes components cache answers for the same time. A revoked token stays valid, and a new
  // right has no effect, for at most this long.
  static constexpr Nanoseconds kLifetimeNs = 10 * kNanosecondsPerSecond;
  static constexpr std::size_t kMaxAllowed = 256;
  static constexpr std::size_t kMaxRefused = 1024;

  // Returns nothing if the verdict is unknown or too old.
  [[nodiscard]] std::optional<Verdict> find(const ReviewKey& key, Timestamp now) const;
  // Failures are not cached.
  void put(const ReviewKey& key, const Verdict& verdict, Timestamp now);
  // Whether the last verdict was "allowed", whatever its age.
  [[nodiscard]] bool was_allowed(const ReviewKey& key) const;

  [[nodiscard]] std::size_t size() const { return allowed_.size() + refused_.size(); }

 private:
  // Evicts the oldest entry when it is full.
  class BoundedCache {
   public:
    explicit BoundedCache(std::size_t max_size) : max_size_(max_size) {}

    [[nodiscard]] std::optional<Verdict> find(const ReviewKey& key, Timestamp now) const;
    [[nodiscard]] bool contains(const ReviewKey& key) const { return entries_.contains(key); }
    void put(const ReviewKey& key, const Verdict& verdict, Timestamp now);
    void erase(const ReviewKey& key);
    [[nodiscard]] std::size_t size() const { return entries_.size(); }

   private:
    struct Entry {
      Verdict verdict;
      Timestamp since;
      std::list<ReviewKey>::iterator age;
    };
    std::size_t max_size_;
    std::map<ReviewKey, Entry> entries_;
    std::list<ReviewKey> by_age_;
  };

  BoundedCache allowed_{kMaxAllowed};
  BoundedCache refused_{kMaxRefused};
};

}  // namespace ebb::runtime
