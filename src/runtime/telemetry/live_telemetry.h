// control::Telemetry in production: log lines, metrics, decision records.
//
// Called only by the thread that runs the process.
#pragma once

#include <functional>
#include <string_view>

#include <boost/json/object.hpp>

#include "control/core/telemetry.h"
#include "runtime/host/clock.h"
#include "runtime/telemetry/decision_log.h"
#include "runtime/telemetry/guard_status_log.h"
#include "runtime/telemetry/log.h"
#include "runtime/telemetry/metrics.h"
#include "runtime/telemetry/picker_status_log.h"
#include "runtime/telemetry/recent_decisions.h"

namespace ebb::runtime {

class LiveTelemetry : public control::Telemetry {
 public:
  // All arguments must outlive it.
  LiveTelemetry(Log& log, Metrics& metrics, RecentDecisions& recent_decisions,
                DecisionLog& decision_log)
      : log_(log),
        metrics_(metrics),
        recent_decisions_(recent_decisions),
        decision_log_(decision_log) {}

  // The callback is called with each decision.
  void on_decision(std::function<void(const control::Decision&)> callback) {
    on_decision_ = std::move(callback);
  }

  void logged(control::Severity severity, int verbosity, std::string_view text,
              std::span<const control::Field> fields) override {
    log_.write(severity, verbosity, text, fields);
  }
  [[nodiscard]] bool logs(int verbosity) const override { return log_.writes(verbosity); }
  void count(control::Count what, std::string_view label = {}, std::int64_t by = 1) override {
    metrics_.count(what, label, by);
  }
  void set(control::Gauge what, std::string_view label, double value) override {
    metrics_.set(what, label, value);
  }
  void observe(control::Histogram what, std::string_view label, double value) override {
    metrics_.observe(what, label, value);
  }
  [[nodiscard]] Timestamp moment(Timestamp /*now*/) const override { return clock_now().mono; }
  void decided(const control::Decision& decision) override;
  void settled(const control::LateOutcomes& late_outcomes) override;
  void guard_changed(const control::GuardStatus& status) override;

  // Counts and logs what happened to records since the last call. To be called regularly.
  void report_decision_log(Timestamp now);
  // The final report, after the decision log was closed.
  void report_closed_decision_log();

 private:
  void record(const boost::json::object& text);
  void count_records(const DecisionLogReport& report);
  void log_dropped();

  Log& log_;
  Metrics& metrics_;
  RecentDecisions& recent_decisions_;
  DecisionLog& decision_log_;
  std::function<void(const control::Decision&)> on_decision_;
  PickerStatusLog picker_status_log_;
  GuardStatusLog guard_status_log_;
  bool decision_log_fails_ = false;
  std::uint64_t dropped_ = 0;  // records that the log has not reported
  Timestamp reported_dropped_at_{};
};

}  // namespace ebb::runtime
