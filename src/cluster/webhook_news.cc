#include "cluster/webhook_news.h"

#include <fmt/format.h>

namespace ebb::cluster {
namespace {

constexpr Nanoseconds kSlow = kNanosecondsPerSecond;

}  // namespace

std::vector<std::string> WebhookNews::hear(const apiserver::Consultation& consultation) {
  struct Heard {
    State state = State::kWell;
    std::string text = "works again";
  };
  std::map<Key, Heard> heard;
  for (const auto& [question, answer] : consultation.answers) {
    Heard& one = heard[{question.configuration, question.webhook}];
    if (answer.took_ns < kSlow) continue;
    one = {State::kSlow, fmt::format("is slow: an answer took {:.1f} s",
                                     static_cast<double>(answer.took_ns) /
                                         static_cast<double>(kNanosecondsPerSecond))};
  }
  for (const apiserver::WebhookFailure& failure : consultation.failures) {
    heard[{failure.configuration, failure.webhook}] = {
        State::kFailing,
        fmt::format("fails, and {}: {}",
                    failure.ignored ? "requests go on without it" : "requests are refused",
                    failure.why)};
  }
  std::vector<std::string> lines;
  for (const auto& [key, one] : heard) {
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
