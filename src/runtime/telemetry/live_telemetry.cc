#include "runtime/telemetry/live_telemetry.h"

#include <boost/json/monotonic_resource.hpp>

#include "control/core/decision.h"
#include "control/replicaset/late_outcomes.h"
#include "schema/core/plain_json.h"

namespace ebb::runtime {
namespace {

// Dropped records are reported at most this often, so that a stalled disk does not flood the log.
constexpr Nanoseconds kBetweenDroppedNs = 30 * kNanosecondsPerSecond;

}  // namespace

void LiveTelemetry::decided(const control::Decision& decision) {
  log_.write(control::Severity::kInfo, 0, decision.summary(), decision.log_fields());
  if (const auto line = picker_status_log_.observe(decision)) {
    // The end of a warning is always logged, at any verbosity.
    log_.write(line->bad ? control::Severity::kWarning : control::Severity::kInfo, Log::kAlways,
               line->text, line->fields);
  }
  // A decision may have hundreds of victims and is serialized at once, so one arena holds it.
  boost::json::monotonic_resource memory;
  record(decision.to_json(&memory));
  if (on_decision_) on_decision_(decision);
}

void LiveTelemetry::settled(const control::LateOutcomes& late_outcomes) {
  record(late_outcomes.to_json());
}

void LiveTelemetry::guard_changed(const control::GuardStatus& status) {
  metrics_.set_guard_state(status.controller, status.state);
  const auto line = guard_status_log_.observe(status, clock_now().mono);
  if (!line) return;
  log_.write(line->bad ? control::Severity::kWarning : control::Severity::kInfo, Log::kAlways,
             line->text, line->fields);
}

void LiveTelemetry::record(const boost::json::object& text) {
  std::string line = schema::plain_json(text);
  decision_log_.add(line);
  recent_decisions_.add(std::move(line));
}

void LiveTelemetry::report_decision_log(Timestamp now) {
  count_records(decision_log_.take_report());
  if (dropped_ == 0) return;
  const bool reported_before = !reported_dropped_at_.is_zero();
  if (reported_before && elapsed_ns(reported_dropped_at_, now) < kBetweenDroppedNs) return;
  reported_dropped_at_ = now;
  log_dropped();
}

void LiveTelemetry::report_closed_decision_log() {
  count_records(decision_log_.take_report());
  if (dropped_ > 0) log_dropped();
}

void LiveTelemetry::count_records(const DecisionLogReport& report) {
  metrics_.decision_log_failed(report.failed);
  metrics_.decision_log_dropped(report.dropped);
  dropped_ += report.dropped;
  if (!report.reopen_error.empty()) {
    log_.write(control::Severity::kError, 0,
               "cannot reopen the decision log: " + report.reopen_error);
  }
  // Logged once, so that a full disk does not flood the log.
  if (report.failed > 0 && !decision_log_fails_) {
    log_.write(control::Severity::kError, 0, "cannot write to the decision log: " + report.error);
  }
  if (report.failed > 0) {
    decision_log_fails_ = true;
  } else if (report.written > 0) {
    decision_log_fails_ = false;
  }
}

void LiveTelemetry::log_dropped() {
  const control::Field fields[] = {{"records", static_cast<std::int64_t>(dropped_)}};
  log_.write(control::Severity::kError, 0,
             "dropped decision records: the decision log's file is too slow", fields);
  dropped_ = 0;
}

}  // namespace ebb::runtime
