#include "runtime/metrics.h"

#include <map>
#include <regex>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "runtime/metric_table.h"

namespace ebb::runtime {
namespace {

using control::Count;
using control::Gauge;
using control::Histogram;

// Values by `name{labels}`; every line has to be one that Prometheus understands.
std::map<std::string, double> parse(const std::string& text) {
  static const std::regex kComment("# (HELP|TYPE) [a-zA-Z_:][a-zA-Z0-9_:]* .+");
  static const std::regex kSample(
      R"(([a-zA-Z_:][a-zA-Z0-9_:]*(?:\{(?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\.)*",?)*\})?) (\S+))");
  std::map<std::string, double> samples;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::smatch parts;
    if (std::regex_match(line, parts, kSample)) {
      EXPECT_TRUE(samples.emplace(parts[1], std::stod(parts[2])).second) << line;
    } else {
      EXPECT_TRUE(std::regex_match(line, kComment)) << line;
    }
  }
  return samples;
}

TEST(Metrics, HasANameForEverythingThatIsCounted) {
  // The last of each enumeration.
  EXPECT_EQ(count_names().size(), static_cast<std::size_t>(Count::kLeaseSlowPath) + 1);
  EXPECT_EQ(gauge_names().size(), static_cast<std::size_t>(Gauge::kLongestWorkSeconds) + 1);
  EXPECT_EQ(histogram_names().size(), static_cast<std::size_t>(Histogram::kRankingSeconds) + 1);
  std::set<std::string_view> names;
  std::set<Count> counts;
  for (const CountName& one : count_names()) {
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
    EXPECT_TRUE(counts.insert(one.what).second) << one.name;
    EXPECT_TRUE(one.name.ends_with("_total")) << one.name;
  }
  for (const GaugeName& one : gauge_names()) EXPECT_TRUE(names.insert(one.name).second);
  for (const HistogramName& one : histogram_names()) EXPECT_TRUE(names.insert(one.name).second);
}

TEST(Metrics, CountsUnderTheNamesOfKubernetes) {
  Metrics metrics("127.0.0.1:6443");
  metrics.count(Count::kQueueAdds, "replicaset", 2);
  metrics.count(Count::kQueueAdds, "replicaset", 1);
  metrics.count(Count::kStaleSyncSkips, "pods", 1);
  metrics.count(Count::kStaleSyncSkips, "replicasets", 1);
  metrics.set(Gauge::kLeaderStatus, "ebb-controller", 1);
  metrics.observe(Histogram::kDeletionAgeRatio, {}, 2);
  metrics.request_over("DELETE", 200, 0.02);
  metrics.request_over("GET", 0, std::nullopt);
  const auto samples = parse(metrics.text());
  EXPECT_EQ(samples.at(R"(workqueue_adds_total{name="replicaset"})"), 3);
  EXPECT_EQ(samples.at(R"(replicaset_controller_stale_sync_skips_total{group="",resource="pods"})"),
            1);
  EXPECT_EQ(
      samples.at(
          R"(replicaset_controller_stale_sync_skips_total{group="apps",resource="replicasets"})"),
      1);
  EXPECT_EQ(samples.at(R"(leader_election_master_status{name="ebb-controller"})"), 1);
  EXPECT_EQ(samples.at(R"(replicaset_controller_sorting_deletion_age_ratio_bucket{le="1"})"), 0);
  EXPECT_EQ(samples.at(R"(replicaset_controller_sorting_deletion_age_ratio_bucket{le="2"})"), 1);
  EXPECT_EQ(
      samples.at(R"(rest_client_requests_total{code="200",host="127.0.0.1:6443",method="DELETE"})"),
      1);
  EXPECT_EQ(samples.at(
                R"(rest_client_requests_total{code="<error>",host="127.0.0.1:6443",method="GET"})"),
            1);
  EXPECT_EQ(
      samples.at(
          R"(rest_client_request_duration_seconds_count{host="127.0.0.1:6443",verb="DELETE"})"),
      1);
}

TEST(Metrics, WithoutLabelsAreThereFromTheStart) {
  const Metrics metrics("x");
  const auto samples = parse(metrics.text());
  EXPECT_EQ(samples.at("ebb_decisions_total"), 0);
  // Each is of an outcome: one of none would be a picker that nobody has asked.
  EXPECT_EQ(samples.count("ebb_picker_duration_seconds_count"), 0U);
  EXPECT_GT(samples.at("process_resident_memory_bytes"), 1e6);
  EXPECT_GT(samples.at("process_start_time_seconds"), 1.7e9);
}

TEST(Metrics, TellWhichGatesAreOn) {
  Metrics metrics("x");
  model::FeatureGates gates;
  gates.set(model::Gate::kPodDeletionCost, false);
  metrics.set_gates(gates);
  const auto samples = parse(metrics.text());
  EXPECT_EQ(samples.at(R"(ebb_feature_gate{name="PodDeletionCost"})"), 0);
  EXPECT_EQ(samples.at(R"(ebb_feature_gate{name="PodCostRanking"})"), 1);
}

}  // namespace
}  // namespace ebb::runtime
