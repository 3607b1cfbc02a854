#include "control/process/correlator.h"

#include <algorithm>
#include <functional>
#include <utility>

#include <fmt/format.h>

namespace ebb::control {
namespace {

constexpr std::size_t kMaxDistinct = 10;
constexpr Nanoseconds kSimilarWithinNs = 600 * kNanosecondsPerSecond;
constexpr double kBurst = 25;
constexpr double kTokensPerNanosecond = 1.0 / (300.0 * static_cast<double>(kNanosecondsPerSecond));
constexpr std::string_view kFolded = "(combined from similar events): ";
constexpr std::size_t kMaxMessage = 1024;

// None of the parts can contain the separator.
std::string source_and_object(const Event& content) {
  return fmt::format("{}\n{}\n{}\n{}\n{}", content.component, content.kind->name,
                     content.namespace_name, content.name, content.uid);
}

// Repeated messages are recognized by their hashes, which take little memory. Should two messages
// about an object have the same hash, they share an event.
std::uint64_t hash_message(const std::string& message) { return std::hash<std::string>()(message); }

// Cuts the text to the maximum length without splitting a character.
void shorten(std::string& text) {
  if (text.size() <= kMaxMessage) return;
  std::size_t end = kMaxMessage;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) --end;
  text.resize(end);
  text.shrink_to_fit();
}

}  // namespace

std::optional<Correlated> Correlator::correlate(Event content, Now now) {
  // Before anything keeps the message: refusals of webhooks may be hundreds of kilobytes long.
  shorten(content.message);
  const std::string about = source_and_object(content);
  const std::string kind_of_thing =
      fmt::format("{}\n{}\n{}", about, content.warning ? "Warning" : "Normal", content.reason);
  // Folded events are identified by their subject, all others also by their message.
  std::string identity = kind_of_thing;
  const std::uint64_t message = hash_message(content.message);
  if (fold(kind_of_thing, message, now)) {
    content.message.insert(0, kFolded);
    shorten(content.message);
  } else {
    identity += fmt::format("\n{:x}", message);
  }

  Recorded& recorded = recorded_[identity];
  if (recorded.count == 0) recorded = {.name = new_name(content.name, now), .first = now.wall};
  ++recorded.count;
  if (!within_budget(about, now)) return std::nullopt;
  return Correlated{.content = std::move(content),
                    .name = recorded.name,
                    .count = recorded.count,
                    .first = recorded.first,
                    .last = now.wall};
}

bool Correlator::fold(const std::string& kind_of_thing, std::uint64_t message, Now now) {
  Similar& similar = similar_[kind_of_thing];
  if (!similar.last.is_zero() && elapsed_ns(similar.last, now.mono) > kSimilarWithinNs) {
    similar.messages.clear();
  }
  similar.last = now.mono;
  if (std::find(similar.messages.begin(), similar.messages.end(), message) ==
      similar.messages.end()) {
    similar.messages.push_back(message);
  }
  if (similar.messages.size() < kMaxDistinct) return false;
  similar.messages.pop_front();
  return true;
}

bool Correlator::within_budget(const std::string& about, Now now) {
  Budget& budget = budgets_[about];
  if (budget.at.is_zero()) {
    budget.tokens = kBurst;
  } else {
    const auto elapsed = static_cast<double>(elapsed_ns(budget.at, now.mono));
    budget.tokens = std::min(kBurst, budget.tokens + elapsed * kTokensPerNanosecond);
  }
  budget.at = now.mono;
  if (budget.tokens < 1) return false;
  budget.tokens -= 1;
  return true;
}

// Two events need two names even if they share a timestamp, or if the clock was set back.
std::string Correlator::new_name(const std::string& object, Now now) {
  last_name_ns_ = std::max(now.wall.since_epoch_ns(), last_name_ns_ + 1);
  return fmt::format("{}.{:x}", object, last_name_ns_);
}

}  // namespace ebb::control
