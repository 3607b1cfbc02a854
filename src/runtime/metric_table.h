// How everything that is counted is called: one line each, in the order of the enumerations
// of control/telemetry.h.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "control/telemetry.h"

namespace ebb::runtime {

struct MetricName {
  std::string_view name;
  std::string_view label;  // empty: none
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

// Upper bounds of buckets of requests, in seconds.
[[nodiscard]] const std::vector<double>& request_bounds();

}  // namespace ebb::runtime
