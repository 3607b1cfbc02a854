// control::Telemetry for the real world: log lines, metrics, decision records.
//
// Told by the one thread that runs the process.
#pragma once

#include <functional>
#include <string_view>

#include <boost/json/object.hpp>

#include "control/telemetry.h"
#include "runtime/clock.h"
#include "runtime/decision_book.h"
#include "runtime/log.h"
#include "runtime/metrics.h"
#include "runtime/picker_news.h"

namespace ebb::runtime {

class LiveTelemetry : public control::Telemetry {
 public:
  // All must outlive it.
  LiveTelemetry(Log& log, Metrics& metrics, DecisionBook& book)
      : log_(log), metrics_(metrics), book_(book) {}

  // Also told of each decision.
  void on_decision(std::function<void(const control::Decision&)> told) { told_ = std::move(told); }

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
  void settled(const control::Settlement& settlement) override;

 private:
  void record(const boost::json::object& text);

  Log& log_;
  Metrics& metrics_;
  DecisionBook& book_;
  std::function<void(const control::Decision&)> told_;
  PickerNews picker_news_;
  bool book_failed_ = false;
};

}  // namespace ebb::runtime
