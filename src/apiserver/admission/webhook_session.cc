#include "apiserver/admission/webhook_session.h"

#include <algorithm>

namespace ebb::apiserver {
namespace {

constexpr int kMaxDisturbances = 10;
constexpr std::size_t kMaxWarningBytes = 4096;
// Clients may round to milliseconds and so give up this much too early.
constexpr Nanoseconds kMinUsefulTime = 5'000'000;

}  // namespace

Nanoseconds WebhookSession::time_for(const WebhookQuestion& question) const {
  return std::min(question.timeout_seconds * kNanosecondsPerSecond, limit_ns - spent_ns);
}

bool WebhookSession::is_over() const {
  return spent_ns > 0 && limit_ns - spent_ns < kMinUsefulTime;
}

void WebhookSession::begin_run() {
  random.seed(seed);
  questions.clear();
  failures.clear();
  used.clear();
  warnings.clear();
}

bool WebhookSession::end_open_run() {
  // Answers that this run did not use are not needed later.
  const std::size_t unused = std::erase_if(
      answers, [&](const auto& answered) { return !used.contains(&answered.second); });
  if (unused > 0) ++disturbances;
  return disturbances <= kMaxDisturbances;
}

void WebhookSession::copy_warnings(std::vector<std::string>& to) const {
  std::size_t bytes = 0;
  for (const std::string& warning : warnings) {
    bytes += warning.size();
    if (bytes > kMaxWarningBytes) return;
    to.push_back(warning);
  }
}

}  // namespace ebb::apiserver
