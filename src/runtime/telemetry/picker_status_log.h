// Log lines about pickers: one when a picker begins to fail, fails in another way, or works again.
// Repeated failures of the same kind are not logged again.
#pragma once  // private to its room

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "control/core/decision.h"

namespace ebb::runtime {

class PickerStatusLog {
 public:
  struct Line {
    bool bad = false;
    std::string text{};
    std::vector<control::Field> fields{};
  };

  // Returns nothing if there is no picker, or if the last line about it still holds.
  [[nodiscard]] std::optional<Line> observe(const control::Decision& decision);

 private:
  struct State {
    picker::Outcome outcome = picker::Outcome::kAnswered;
    int code = 0;

    [[nodiscard]] bool operator==(const State&) const = default;
  };

  std::unordered_map<std::string, State> failing_;  // by workload and endpoint
};

}  // namespace ebb::runtime
