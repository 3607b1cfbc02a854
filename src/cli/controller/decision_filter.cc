#include "cli/controller/decision_filter.h"

#include <utility>

namespace ebb::cli {

bool DecisionFilter::is_worth_showing(const control::Decision& decision) {
  if (decision.going() > 0) {
    refused_.erase(decision.uid);
    return true;
  }
  std::string text = decision.summary();
  std::string& last = refused_[decision.uid];
  if (last == text) return false;
  last = std::move(text);
  return true;
}

}  // namespace ebb::cli
