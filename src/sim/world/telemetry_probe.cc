#include "sim/world/telemetry_probe.h"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "control/core/decision.h"
#include "control/core/sole_controller.h"

namespace ebb::sim {

void TelemetryCounts::add(const TelemetryCounts& other) {
  for (std::size_t i = 0; i < kCounts; ++i) counts_[i] += other.counts_[i];
  for (std::size_t i = 0; i < kRankOutcomes; ++i) rank_outcomes_[i] += other.rank_outcomes_[i];
  for (std::size_t i = 0; i < picker_outcomes_.size(); ++i) {
    picker_outcomes_[i] += other.picker_outcomes_[i];
  }
}

std::string_view to_string(control::Count what) {
  static constexpr std::array<std::string_view, kCounts> kNames = {
      "queue adds",
      "queue retries",
      "decisions",
      "victims",
      "shadow decisions",
      "shadow victims",
      "fallbacks",
      "rank waits",
      "consultations",
      "picker attempts",
      "names ignored",
      "answers unneeded",
      "breakers opened",
      "breakers half-opened",
      "breakers closed",
      "rankings",
      "rank writes",
      "cost contests",
      "decision objects",
      "decision objects deleted",
      "webhook reviews",
      "webhook decisions",
      "fenced deletes",
      "webhook victims",
      "costs restored",
      "stale sync skips",
      "expectations expired",
      "pods confirmed",
      "creates unknown",
      "deletes repeated",
      "deletes refused",
      "deletes missed",
      "creates refused",
      "adoptions",
      "releases",
      "adoptions refused",
      "status conflicts",
      "deployment stale sync skips",
      "hash collisions",
      "rollbacks",
      "lists",
      "relists",
      "watches",
      "watch errors",
      "streaming lists refused",
      "unreadable objects",
      "calls retried",
      "calls fenced",
      "calls withdrawn",
      "events dropped",
      "take-overs",
      "canary acknowledgements",
      "canaries armed",
      "foreign writes",
      "lease transitions",
      "lease lost",
      "lease read before it was renewed",
  };
  return kNames[static_cast<std::size_t>(what)];
}

void TelemetryProbe::logged(control::Severity /*severity*/, int /*verbosity*/,
                            std::string_view text, std::span<const control::Field> fields) {
  invariants_.check_secrets(text, "a log line");
  for (const control::Field& field : fields) {
    if (const auto* value = std::get_if<std::string>(&field.value())) {
      invariants_.check_secrets(*value, "a field of a log line");
    }
  }
  trace_.line("log", text);
}

void TelemetryProbe::count(control::Count what, std::string_view label, std::int64_t by) {
  invariants_.check_secrets(label, "a metric");
  counts_.add(what, static_cast<std::uint64_t>(by));
}

void TelemetryProbe::observe(control::Histogram /*what*/, std::string_view label,
                             double /*value*/) {
  invariants_.check_secrets(label, "a metric");
}

void TelemetryProbe::set(control::Gauge /*what*/, std::string_view label, double /*value*/) {
  invariants_.check_secrets(label, "a metric");
}

void TelemetryProbe::check_record(const control::Decision& decision) {
  const std::string json = boost::json::serialize(decision.to_json());
  invariants_.check_secrets(json, "a decision record");
  trace_.line("decision", decision.summary());
  if (decision.actual) return;
  if (decision.ranking) counts_.add(decision.ranking->outcome);
  if (decision.picker) counts_.add(decision.picker->outcome);
}

void TelemetryProbe::decided(const control::Decision& decision) {
  check_record(decision);
  decisions_.decided(decision);
  if (decision.actual) return shadow_.decided(decision);
  pickers_.decided(decision);
  ranks_.decided(decision);
}

void TelemetryProbe::guard_changed(const control::GuardStatus& status) {
  trace_.line(status.controller, fmt::format("is {}: {}", to_string(status.state), status.reason));
}

}  // namespace ebb::sim
