// Queues reviews, so that strangers with made-up tokens cannot make a controller flood its API
// server, or keep others from being reviewed.
//
// The number of concurrent reviews and their rate are limited. Peers take turns, and each may have
// only a few requests waiting. Tokens that were allowed in their last review come first and have
// places of their own, so unauthorized clients can neither delay Prometheus nor get it refused.
// Requests with the same token for the same page
// share one review.
#pragma once  // private to its room

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/timestamp.h"
#include "net/address/ip_address.h"
#include "runtime/pages/review_cache.h"

namespace ebb::runtime {

struct ReviewLimits {
  std::size_t max_in_flight = 4;
  double max_per_second = 10;
  double burst = 10;
  // Requests, including those that share a review. Known tokens count only against their own limit.
  std::size_t max_waiting = 256;
  std::size_t max_waiting_per_peer = 16;
  std::size_t max_waiting_known = 256;
};

class ReviewQueue {
 public:
  using Waiter = std::function<void(const Verdict&)>;

  struct Request {
    ReviewKey key{};
    bool known = false;  // allowed in its last review
    net::IpAddress peer{};
    std::string token{};
    std::string path{};
    Waiter waiter{};
  };
  struct Review {
    ReviewKey key{};
    std::string token{};
    std::string path{};
  };

  explicit ReviewQueue(const ReviewLimits& limits = {}) : limits_(limits), permits_(limits.burst) {}

  // Returns false, and keeps nothing, if too many requests wait already.
  [[nodiscard]] bool add(Request request);
  // The next review to start, if one may start now.
  [[nodiscard]] std::optional<Review> next(Timestamp now);
  // Returns the requests that waited for this review.
  [[nodiscard]] std::vector<Waiter> finish(const ReviewKey& key);
  // How long until next() may return a review, unless one is added or finished before.
  [[nodiscard]] Nanoseconds wait_ns(Nanoseconds longest_ns) const;

 private:
  // The first lane holds known tokens; each peer has a lane of its own.
  struct Lane {
    bool known = false;
    net::IpAddress peer{};
    [[nodiscard]] bool operator<(const Lane& other) const;
  };
  struct Pending {
    std::string token{};
    std::string path{};
    std::vector<std::pair<Lane, Waiter>> waiters{};
  };

  [[nodiscard]] bool has_room(const Lane& lane) const;
  [[nodiscard]] bool may_start() const;
  [[nodiscard]] ReviewKey take_turn();

  ReviewLimits limits_;
  double permits_;
  Timestamp refilled_{};
  std::size_t in_flight_ = 0;
  std::size_t waiting_ = 0;  // of peers
  std::map<Lane, std::size_t> waiting_by_lane_;
  std::map<ReviewKey, Pending> pending_;
  std::deque<ReviewKey> known_;
  std::map<Lane, std::deque<ReviewKey>> not_started_;  // of peers; no deque is empty
  std::deque<Lane> turns_;                             // the lanes in not_started_
};

}  // namespace ebb::runtime
