// The names of the metrics that controllers report, one line each, in the order of the enumerations
// in control/core/telemetry.h.
#pragma once  // private to its room

#include <array>
#include <string_view>
#include <vector>

#include "control/core/telemetry.h"

namespace ebb::runtime {

struct MetricName {
  std::string_view name;
  std::string_view label;  // empty: no label
  std::string_view help;
};

struct CountName : MetricName {
  control::Count what;
};
struct GaugeName : MetricName {
  control::Gauge what;
};
struct HistogramName : MetricName {
  control::Histogram what;
  const std::vector<double>& bounds;
};

[[nodiscard]] const std::vector<CountName>& count_names();
[[nodiscard]] const std::vector<GaugeName>& gauge_names();
[[nodiscard]] const std::vector<HistogramName>& histogram_names();

// Upper bounds of the buckets for requests, in seconds.
[[nodiscard]] const std::vector<double>& request_bounds();

}  // namespace ebb::runtime
