// What a controller process counts, as Prometheus metrics. Names are those of Kubernetes
// where it has one; ours begin with ebb_.
//
// One thread counts; any thread may ask for the text.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "control/telemetry.h"
#include "model/feature_gates.h"

namespace ebb::runtime {

class Metrics {
 public:
  // `host` is that of the API server, a label of requests.
  explicit Metrics(std::string host);
  ~Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  void count(control::Count what, std::string_view label, std::int64_t by);
  void set(control::Gauge what, std::string_view label, double value);
  void observe(control::Histogram what, std::string_view label, double value);

  // A request was answered with this code, or not at all (0). A watch has no duration.
  void request_over(std::string_view method, int code, std::optional<double> seconds);
  void decision_log_failed();
  void set_gates(const model::FeatureGates& gates);

  // In Prometheus' text format.
  [[nodiscard]] std::string text() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ebb::runtime
