// What an operator is told about pickers: a line when one begins to fail, fails in another way, or
// works again. A picker that fails in every scale-down is not news.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "control/decision.h"

namespace ebb::runtime {

class PickerNews {
 public:
  struct Line {
    bool bad = false;
    std::string text{};
    std::vector<control::Field> fields{};
  };

  // Nothing: there is no picker, or the last line about it still holds.
  [[nodiscard]] std::optional<Line> hear(const control::Decision& decision);

 private:
  struct State {
    picker::Outcome outcome = picker::Outcome::kAnswered;
    int code = 0;

    [[nodiscard]] bool operator==(const State&) const = default;
  };

  std::unordered_map<std::string, State> failing_;  // by workload and endpoint
};

}  // namespace ebb::runtime
