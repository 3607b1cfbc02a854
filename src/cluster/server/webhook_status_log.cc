#include "cluster/server/webhook_status_log.h"

#include <fmt/format.h>

namespace ebb::cluster {
namespace {

constexpr Nanoseconds kSlow = kNanosecondsPerSecond;

}  // namespace

std::vector<std::string> WebhookStatusLog::observe(const apiserver::WebhookSession& session) {
  struct CallResult {
    State state = State::kWell;
    std::string text = "works again";
  };
  std::map<Key, CallResult> results;
  for (const auto& [question, answer] : session.answers) {
    CallResult& one = results[{question.configuration, question.webhook}];
    if (answer.took_ns < kSlow) continue;
    one = {State::kSlow, fmt::format("is slow: a response took {:.1f} s",
                                     static_cast<double>(answer.took_ns) /
                                         static_cast<double>(kNanosecondsPerSecond))};
  }
  for (const apiserver::WebhookFailure& failure : session.failures) {
    results[{failure.configuration, failure.webhook}] = {
        State::kFailing,
        fmt::format("fails; {}: {}",
                    failure.ignored ? "requests proceed without it" : "requests are rejected",
                    failure.why)};
  }
  std::vector<std::string> lines;
  for (const auto& [key, one] : results) {
    const auto known = states_.find(key);
    if ((known == states_.end() ? State::kWell : known->second) == one.state) continue;
    if (one.state == State::kWell) {
      states_.erase(known);
    } else {
      states_[key] = one.state;
    }
    lines.push_back(fmt::format("webhook \"{}\" of {} {}", key.second, key.first, one.text));
  }
  return lines;
}

}  // namespace ebb::cluster
