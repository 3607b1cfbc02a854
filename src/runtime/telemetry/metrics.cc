#include "runtime/telemetry/metrics.h"

#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <utility>
#include <vector>

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/mutex.h"
#include "runtime/host/clock.h"
#include "runtime/telemetry/metric_table.h"

namespace ebb::runtime {
namespace {

using prometheus::Labels;
using prometheus::Registry;

// One metric family; its children are created once and looked up often.
template <class Metric>
class Series {
 public:
  using Make = std::function<Metric&(const Labels&)>;
  // Builds the labels from the value of the one label that the process provides.
  using Label = std::function<Labels(std::string_view)>;

  Series(Make make, Label label) : make_(std::move(make)), label_(std::move(label)) {}

  Metric& at(std::string_view value) {
    const auto known = known_.find(value);
    if (known != known_.end()) return *known->second;
    Metric& made = make_(label_(value));
    known_.emplace(value, &made);
    return made;
  }

 private:
  Make make_;
  Label label_;
  std::map<std::string, Metric*, std::less<>> known_;
};

std::function<Labels(std::string_view)> labelled(std::string_view name) {
  return [name](std::string_view value) {
    return name.empty() ? Labels{} : Labels{{std::string(name), std::string(value)}};
  };
}

// Upstream has the API group as a second label.
Labels stale_labels(std::string_view resource) {
  return {{"group", resource == "pods" ? "" : "apps"}, {"resource", std::string(resource)}};
}

double cpu_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double resident_memory_bytes() {
  std::ifstream statm("/proc/self/statm");
  double pages = 0;
  statm >> pages >> pages;  // the second number is the resident size
  return pages * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

struct Metrics::State {
  explicit State(std::string with_host) : host(std::move(with_host)) {
    for (const CountName& one : count_names()) add(one);
    for (const GaugeName& one : gauge_names()) add(one);
    for (const HistogramName& one : histogram_names()) add(one);
    start_time.Set(static_cast<double>(clock_now().wall.since_epoch_ns()) / 1e9);
  }

  void add(const CountName& one) {
    auto& family = prometheus::BuildCounter()
                       .Name(std::string(one.name))
                       .Help(std::string(one.help))
                       .Register(registry);
    Series<prometheus::Counter>::Make make =
        [&family](const Labels& labels) -> prometheus::Counter& { return family.Add(labels); };
    auto& series =
        counts
            .emplace(one.what, Series<prometheus::Counter>(
                                   std::move(make), one.what == control::Count::kStaleSyncSkips
                                                        ? stale_labels
                                                        : labelled(one.label)))
            .first->second;
    if (one.label.empty()) static_cast<void>(series.at({}));  // exported as 0 from the start
  }
  void add(const GaugeName& one) {
    auto& family = prometheus::BuildGauge()
                       .Name(std::string(one.name))
                       .Help(std::string(one.help))
                       .Register(registry);
    Series<prometheus::Gauge>::Make make = [&family](const Labels& labels) -> prometheus::Gauge& {
      return family.Add(labels);
    };
    auto& series =
        gauges.emplace(one.what, Series<prometheus::Gauge>(std::move(make), labelled(one.label)))
            .first->second;
    if (one.label.empty()) static_cast<void>(series.at({}));
  }
  void add(const HistogramName& one) {
    auto& family = prometheus::BuildHistogram()
                       .Name(std::string(one.name))
                       .Help(std::string(one.help))
                       .Register(registry);
    Series<prometheus::Histogram>::Make make =
        [&family, &bounds = one.bounds](const Labels& labels) -> prometheus::Histogram& {
      return family.Add(labels, bounds);
    };
    auto& series =
        histograms
            .emplace(one.what, Series<prometheus::Histogram>(std::move(make), labelled(one.label)))
            .first->second;
    if (one.label.empty()) static_cast<void>(series.at({}));
  }

  Registry registry;
  Mutex text_mutex;  // guards what is measured when text() is called
  std::string host;
  std::map<control::Count, Series<prometheus::Counter>> counts;
  std::map<control::Gauge, Series<prometheus::Gauge>> gauges;
  std::map<control::Histogram, Series<prometheus::Histogram>> histograms;

  prometheus::Family<prometheus::Counter>& requests = prometheus::BuildCounter()
                                                          .Name("rest_client_requests_total")
                                                          .Help(
                                                              "Number of HTTP requests, "
                                                              "partitioned by status code, "
                                                              "method, and host")
                                                          .Register(registry);
  std::map<std::pair<std::string, int>, prometheus::Counter*> known_requests;
  prometheus::Family<prometheus::Histogram>& durations =
      prometheus::BuildHistogram()
          .Name("rest_client_request_duration_seconds")
          .Help("Request latency in seconds. Broken down by verb and host")
          .Register(registry);
  Series<prometheus::Histogram> known_durations{
      [this](const Labels& labels) -> prometheus::Histogram& {
        return durations.Add(labels, request_bounds());
      },
      [this](std::string_view verb) -> Labels {
        return {{"verb", std::string(verb)}, {"host", host}};
      }};
  prometheus::Counter& log_failures =
      prometheus::BuildCounter()
          .Name("ebb_decision_log_errors_total")
          .Help("Decision records that could not be written to the decision log")
          .Register(registry)
          .Add({});
  prometheus::Counter& log_drops =
      prometheus::BuildCounter()
          .Name("ebb_decision_log_dropped_total")
          .Help("Decision records that were dropped because the decision log was stalled")
          .Register(registry)
          .Add({});
  prometheus::Counter& line_drops =
      prometheus::BuildCounter()
          .Name("ebb_log_lines_dropped_total")
          .Help("Log lines that were dropped because standard error was not read fast enough")
          .Register(registry)
          .Add({});
  prometheus::Family<prometheus::Gauge>& guard_states =
      prometheus::BuildGauge()
          .Name("ebb_controller_state")
          .Help("1 for the state that the controller is in, which says why it does not act")
          .Register(registry);
  prometheus::Family<prometheus::Gauge>& gates =
      prometheus::BuildGauge()
          .Name("ebb_feature_gate")
          .Help("Whether a feature gate is on (1) or off (0)")
          .Register(registry);
  prometheus::Gauge& start_time = prometheus::BuildGauge()
                                      .Name("process_start_time_seconds")
                                      .Help("Start time of the process since unix epoch in seconds")
                                      .Register(registry)
                                      .Add({});
  prometheus::Gauge& memory EBB_GUARDED_BY(text_mutex) = prometheus::BuildGauge()
                                                             .Name("process_resident_memory_bytes")
                                                             .Help("Resident memory size in bytes")
                                                             .Register(registry)
                                                             .Add({});
  prometheus::Counter& cpu EBB_GUARDED_BY(text_mutex) =
      prometheus::BuildCounter()
          .Name("process_cpu_seconds_total")
          .Help("Total user and system CPU time spent in seconds")
          .Register(registry)
          .Add({});
};

Metrics::Metrics(std::string host) : state_(std::make_unique<State>(std::move(host))) {}
Metrics::~Metrics() = default;

void Metrics::count(control::Count what, std::string_view label, std::int64_t by) {
  state_->counts.at(what).at(label).Increment(static_cast<double>(by));
}

void Metrics::set(control::Gauge what, std::string_view label, double value) {
  state_->gauges.at(what).at(label).Set(value);
}

void Metrics::observe(control::Histogram what, std::string_view label, double value) {
  state_->histograms.at(what).at(label).Observe(value);
}

void Metrics::request_over(std::string_view method, int code, std::optional<double> seconds) {
  auto& known = state_->known_requests[{std::string(method), code}];
  if (known == nullptr) {
    // As in client-go: a request without an answer has no code.
    known = &state_->requests.Add({{"code", code == 0 ? "<error>" : std::to_string(code)},
                                   {"method", std::string(method)},
                                   {"host", state_->host}});
  }
  known->Increment();
  if (seconds) state_->known_durations.at(method).Observe(*seconds);
}

void Metrics::decision_log_failed(std::uint64_t records) {
  state_->log_failures.Increment(static_cast<double>(records));
}

void Metrics::decision_log_dropped(std::uint64_t records) {
  state_->log_drops.Increment(static_cast<double>(records));
}

void Metrics::log_lines_dropped(std::uint64_t lines) {
  state_->line_drops.Increment(static_cast<double>(lines));
}

void Metrics::set_guard_state(std::string_view controller, control::GuardState state) {
  using control::GuardState;
  for (const GuardState each : {GuardState::kProbing, GuardState::kStandby, GuardState::kActing,
                                GuardState::kBlocked, GuardState::kForbidden}) {
    state_->guard_states
        .Add({{"controller", std::string(controller)},
              {"state", std::string(control::to_string(each))}})
        .Set(each == state ? 1 : 0);
  }
}

void Metrics::set_gates(const model::FeatureGates& gates) {
  for (std::size_t i = 0; i < model::kGateNames.size(); ++i) {
    state_->gates.Add({{"name", std::string(model::kGateNames[i])}})
        .Set(gates.on(static_cast<model::Gate>(i)) ? 1 : 0);
  }
}

std::string Metrics::text() const {
  const MutexLock lock(state_->text_mutex);
  state_->memory.Set(resident_memory_bytes());
  state_->cpu.Increment(cpu_seconds() - state_->cpu.Value());
  std::ostringstream out;
  prometheus::TextSerializer().Serialize(out, state_->registry.Collect());
  return out.str();
}

}  // namespace ebb::runtime
