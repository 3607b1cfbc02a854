// Prometheus metrics of a controller process. Metrics that Kubernetes has keep their names; the
// others begin with ebb_.
//
// One thread counts; any thread may call text().
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "control/core/sole_controller.h"
#include "control/core/telemetry.h"
#include "model/records/feature_gates.h"

namespace ebb::runtime {

class Metrics {
 public:
  // `host` is the API server's, a label of the request metrics.
  explicit Metrics(std::string host);
  ~Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  void count(control::Count what, std::string_view label, std::int64_t by);
  void set(control::Gauge what, std::string_view label, double value);
  void observe(control::Histogram what, std::string_view label, double value);

  // A request was answered with this code, or not at all (0). A watch has no duration.
  void request_over(std::string_view method, int code, std::optional<double> seconds);
  void decision_log_failed(std::uint64_t records);
  void decision_log_dropped(std::uint64_t records);
  void log_lines_dropped(std::uint64_t lines);
  // Why a controller does or does not act.
  void set_guard_state(std::string_view controller, control::GuardState state);
  void set_gates(const model::FeatureGates& gates);

  // The metrics in Prometheus' text format.
  [[nodiscard]] std::string text() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ebb::runtime
