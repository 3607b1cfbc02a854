// The candidates of one decision, lined up in the removal order.
//
// Comparing a dozen keys for each of the many comparisons of a sort is slow, so
// each candidate first gets one 64-bit word that orders most pairs by itself: the
// keys, squeezed to the bits in which the candidates actually differ, one after
// the other, and the beginning of the uid in what is left. In real workloads most
// criteria are equal for all pods and take no bits. Only pods with equal words are
// compared in full. Choosing k of n pods takes time linear in n (plus sorting k).
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "order/candidate.h"

namespace ebb::order {

class Lineup {
 public:
  // No two candidates may have the same uid.
  Lineup(std::vector<Candidate> candidates, const Setting& setting);

  // Moves the first `count` candidates to the front, in order, and the one after
  // them, which is the first that stays, to index `count`.
  void order_first(std::size_t count);

  [[nodiscard]] std::size_t size() const { return candidates_.size(); }
  // Only places that were ordered mean anything.
  [[nodiscard]] const Candidate& operator[](std::size_t place) const {
    return candidates_[places_[place].index];
  }
  [[nodiscard]] const Setting& setting() const { return setting_; }

 private:
  struct Place {
    std::uint64_t word;
    std::uint32_t index;
  };
  [[nodiscard]] bool before(const Place& a, const Place& b) const;

  std::vector<Candidate> candidates_;
  Setting setting_;
  std::vector<Place> places_;
};

// The full comparison: less means that `a` goes first.
[[nodiscard]] std::strong_ordering compare(const Candidate& a, const Candidate& b,
                                           const Setting& setting);

}  // namespace ebb::order
