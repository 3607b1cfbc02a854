#include "model/records/pod_text.h"

#include <charconv>

#include "model/records/deletion_cost.h"
#include "model/records/scale_down_mark.h"

namespace ebb::model {
namespace {

template <class Integer>
std::optional<Integer> parse_whole(std::string_view text) {
  Integer number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<std::string_view> kept_number(std::string_view text) {
  std::int32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (end != text.data() + text.size() || error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc()) return text;
  return text.front() == '-' ? "-2147483648" : "2147483647";
}

// The ranker never writes longer values; a longer one is ignored.
constexpr std::size_t kLongestCompanion = 32;

}  // namespace

Phase parse_phase(std::string_view text) {
  for (const Phase known :
       {Phase::kRunning, Phase::kPending, Phase::kSucceeded, Phase::kFailed, Phase::kUnknown}) {
    if (text == to_string(known)) return known;
  }
  return Phase::kOther;
}

std::uint64_t parse_revision(std::string_view text) {
  return parse_whole<std::uint64_t>(text).value_or(0);
}

std::optional<std::int32_t> parse_number(std::string_view text) {
  return parse_whole<std::int32_t>(text);
}

std::optional<std::string_view> kept_of_annotation(std::string_view key, std::string_view value) {
  if (key == kPreviousCostAnnotation) return std::nullopt;
  if (key != kPublishedCostAnnotation) return kept_number(value);
  return value.size() <= kLongestCompanion ? value : "?";
}

void read_deletion_cost(std::string_view text, Pod& pod) {
  const auto value = parse_deletion_cost(text);
  pod.deletion_cost_set = true;
  pod.deletion_cost_valid = value.has_value();
  pod.deletion_cost = value.value_or(0);
}

void read_scale_down_mark(std::string_view text, Pool& pool, Pod& pod) {
  if (parse_mark(text)) pod.scale_down_mark = pool.intern(text);
}

void read_previous_cost(std::string_view text, Pool& pool, Pod& pod) {
  if (parse_deletion_cost(text)) pod.previous_cost = pool.intern(text);
}

// Ranks are plain integers; any other value leaves the pod unranked.
void read_annotated_rank(std::string_view text, Pod& pod) {
  pod.annotated_rank = parse_number(text);
  pod.annotated_rank_set = true;
}

std::optional<std::int32_t> number_of(const Pod& pod, std::string_view annotation) {
  if (pod.numbers == nullptr) return std::nullopt;
  for (const Label& number : pod.numbers->labels) {
    if (number.key.view() == annotation) return parse_number(number.value.view());
  }
  return std::nullopt;
}

}  // namespace ebb::model
