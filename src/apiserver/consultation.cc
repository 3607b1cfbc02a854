#include "apiserver/consultation.h"

#include <algorithm>

namespace ebb::apiserver {
namespace {

constexpr int kMostDisturbances = 10;
constexpr std::size_t kMostWarningBytes = 4096;
// Who asks may count in milliseconds, and give up that much too early.
constexpr Nanoseconds kLeastUsefulTime = 5'000'000;

}  // namespace

Nanoseconds Consultation::time_for(const WebhookQuestion& question) const {
  return std::min(question.timeout_seconds * kNanosecondsPerSecond, limit_ns - spent_ns);
}

bool Consultation::is_over() const {
  return spent_ns > 0 && limit_ns - spent_ns < kLeastUsefulTime;
}

void Consultation::begin_run() {
  random.seed(seed);
  questions.clear();
  failures.clear();
  used.clear();
  warnings.clear();
}

bool Consultation::end_open_run() {
  // Answers that this run had no use for will have none later.
  const std::size_t unused = std::erase_if(
      answers, [&](const auto& answered) { return !used.contains(&answered.second); });
  if (unused > 0) ++disturbances;
  return disturbances <= kMostDisturbances;
}

void Consultation::hand_over_warnings(std::vector<std::string>& to) const {
  std::size_t bytes = 0;
  for (const std::string& warning : warnings) {
    bytes += warning.size();
    if (bytes > kMostWarningBytes) return;
    to.push_back(warning);
  }
}

}  // namespace ebb::apiserver
