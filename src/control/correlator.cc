#include "control/correlator.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace ebb::control {
namespace {

constexpr std::size_t kMostDistinct = 10;
constexpr Nanoseconds kSimilarWithinNs = 600 * kNanosecondsPerSecond;
constexpr double kBurst = 25;
constexpr double kTokensPerNanosecond = 1.0 / (300.0 * static_cast<double>(kNanosecondsPerSecond));
constexpr std::string_view kFolded = "(combined from similar events): ";
constexpr std::size_t kMostMessage = 1024;

// No part can contain the character between them.
std::string source_and_object(const Note& note) {
  return fmt::format("{}\n{}\n{}\n{}\n{}", note.component, note.kind->name, note.name_space,
                     note.name, note.uid);
}

// As much as fits, without cutting a character in two.
void shorten(std::string& text) {
  if (text.size() <= kMostMessage) return;
  std::size_t end = kMostMessage;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) --end;
  text.resize(end);
}

}  // namespace

std::optional<Correlated> Correlator::correlate(Note note, Now now) {
  const std::string about = source_and_object(note);
  const std::string kind_of_thing =
      fmt::format("{}\n{}\n{}", about, note.warning ? "Warning" : "Normal", note.reason);
  // A folded event is known by what it is about, any other also by what it says.
  std::string identity = kind_of_thing;
  if (fold(kind_of_thing, note.message, now)) {
    note.message.insert(0, kFolded);
  } else {
    identity += fmt::format("\n{}", note.message);
  }
  shorten(note.message);

  Told& told = told_[identity];
  if (told.count == 0) told = {.name = new_name(note.name, now), .first = now.wall};
  ++told.count;
  if (!within_budget(about, now)) return std::nullopt;
  return Correlated{.note = std::move(note),
                    .name = told.name,
                    .count = told.count,
                    .first = told.first,
                    .last = now.wall};
}

bool Correlator::fold(const std::string& kind_of_thing, const std::string& message, Now now) {
  Similar& similar = similar_[kind_of_thing];
  if (!similar.last.is_zero() && elapsed_ns(similar.last, now.mono) > kSimilarWithinNs) {
    similar.messages.clear();
  }
  similar.last = now.mono;
  if (std::find(similar.messages.begin(), similar.messages.end(), message) ==
      similar.messages.end()) {
    similar.messages.push_back(message);
  }
  if (similar.messages.size() < kMostDistinct) return false;
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

// Two events of the same moment need two names, and so do two after the clock was set back.
std::string Correlator::new_name(const std::string& object, Now now) {
  last_name_ns_ = std::max(now.wall.since_epoch_ns(), last_name_ns_ + 1);
  return fmt::format("{}.{:x}", object, last_name_ns_);
}

}  // namespace ebb::control
