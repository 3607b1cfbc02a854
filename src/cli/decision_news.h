// What is worth a line on the screen of `ebb up`. A scale-down whose deletions are refused is tried
// again and again, and says the same each time: that is told once, until something changes.
#pragma once

#include <map>
#include <string>

#include "control/decision.h"

namespace ebb::cli {

class DecisionNews {
 public:
  [[nodiscard]] bool is_news(const control::Decision& decision);

 private:
  // By the uid of a ReplicaSet: what was said when last no pod of it could be deleted.
  std::map<std::string, std::string> refused_;
};

}  // namespace ebb::cli
