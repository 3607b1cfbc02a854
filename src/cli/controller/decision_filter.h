// Selects the decisions that `ebb up` prints. A scale-down whose deletes are refused is repeated
// with the same result each time: it is printed once, until something changes.
#pragma once  // private to its room

#include <map>
#include <string>

#include "control/core/decision.h"

namespace ebb::cli {

class DecisionFilter {
 public:
  [[nodiscard]] bool is_worth_showing(const control::Decision& decision);

 private:
  // By the uid of a ReplicaSet: the last line printed when none of its pods could be deleted.
  std::map<std::string, std::string> refused_;
};

}  // namespace ebb::cli
