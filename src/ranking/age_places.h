// Places by age, for Youngest and Oldest: 1, 2, 3, ... the last of which goes first. Pods created
// at the same moment have the same place, so that other strategies, or the removal order, choose
// among them.
#pragma once

#include "ranking/shrinking.h"

namespace ebb::ranking {

enum class FirstToGo : std::uint8_t { kYoungest, kOldest };

class AgePlaces : public Shrinking {
 public:
  AgePlaces(Pods pods, FirstToGo first);

  void remove(std::size_t pod) override;

 private:
  // By place, beginning with 0: how many pods have it. Places of whom nobody is left stay, empty.
  std::vector<std::size_t> left_;
  std::vector<std::size_t> place_of_;  // as at the beginning
};

}  // namespace ebb::ranking
