// The candidates of one decision, sorted in the removal order.
//
// Comparing a dozen keys in each comparison of a sort is slow, so each candidate first gets one
// 64-bit word that orders most pairs by itself: the keys, reduced to the bits in which the
// candidates differ, one after the other, and the beginning of the uid in the remaining bits. In
// real workloads most criteria are equal for all pods and take no bits. Only pods with equal words
// are compared in full. Choosing k of n pods takes time linear in n (plus sorting k).
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "order/candidate.h"

namespace ebb::order {

class Lineup {
 public:
  // Candidates must have distinct uids.
  Lineup(std::vector<Candidate> candidates, const OrderContext& context);

  // Moves the first `count` candidates to the front, in order, and the first pod kept to index
  // `count`.
  void order_first(std::size_t count);

  [[nodiscard]] std::size_t size() const { return candidates_.size(); }
  // Only valid for places that were ordered.
  [[nodiscard]] const Candidate& operator[](std::size_t place) const {
    return candidates_[places_[place].index];
  }
  [[nodiscard]] const OrderContext& context() const { return context_; }

 private:
  struct Place {
    std::uint64_t word;
    std::uint32_t index;
  };
  [[nodiscard]] bool before(const Place& a, const Place& b) const;

  std::vector<Candidate> candidates_;
  OrderContext context_;
  std::vector<Place> places_;
};

// The full comparison: less means that `a` goes first.
[[nodiscard]] std::strong_ordering compare(const Candidate& a, const Candidate& b,
                                           const OrderContext& context);

}  // namespace ebb::order
