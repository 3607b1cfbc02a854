// Places by age, for Youngest and Oldest: 1, 2, 3, ...; the last place goes first. Pods created at
// the same moment share a place, so that other strategies or the removal order choose among them.
#pragma once  // private to its room

#include "ranking/shrinking.h"

namespace ebb::ranking {

enum class FirstToGo : std::uint8_t { kYoungest, kOldest };

class AgePlaces : public Shrinking {
 public:
  AgePlaces(Pods pods, FirstToGo first);

 private:
  void take_out(std::size_t pod) override;

  // The number of pods by place, from 0. Places without pods stay, empty.
  std::vector<std::size_t> left_;
  std::vector<std::size_t> place_of_;  // as at the start
};

}  // namespace ebb::ranking
