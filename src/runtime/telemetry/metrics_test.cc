#include "runtime/telemetry/metrics.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "runtime/telemetry/metric_table.h"

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
  EXPECT_EQ(histogram_names().size(), static_cast<std::size_t>(Histogram::kReviewSeconds) + 1);
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

struct Row {
  std::string text;
  std::vector<std::string> names;  // `workqueue_*`: all with this prefix
};

// The rows of the table of metrics in the documentation.
std::vector<Row> documented() {
  std::ifstream file(std::string(EBB_SOURCE_DIR) + "/docs/controller.md");
  static const std::regex kName("`([a-z_]+\\*?)(\\{[a-z,]+\\})?`");
  std::vector<Row> rows;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("| metric |")) inside = true;
    if (inside && line.empty()) break;
    if (!inside) continue;
    Row row{.text = line, .names = {}};
    const std::string cell = line.substr(0, line.find(" | "));
    for (std::sregex_iterator found(cell.begin(), cell.end(), kName), end; found != end; ++found) {
      row.names.push_back((*found)[1]);
    }
    if (!row.names.empty()) rows.push_back(std::move(row));
  }
  return rows;
}

bool stands_for(const std::string& written, std::string_view name) {
  if (!written.ends_with('*')) return written == name;
  return name.starts_with(std::string_view(written).substr(0, written.size() - 1));
}

TEST(Metrics, AreAllInTheDocumentationWithTheirLabels) {
  const auto rows = documented();
  ASSERT_GT(rows.size(), 20U);
  std::vector<MetricName> all(count_names().begin(), count_names().end());
  all.insert(all.end(), gauge_names().begin(), gauge_names().end());
  all.insert(all.end(), histogram_names().begin(), histogram_names().end());
  for (const MetricName& one : all) {
    const auto row = std::find_if(rows.begin(), rows.end(), [&one](const Row& each) {
      return std::any_of(each.names.begin(), each.names.end(), [&one](const std::string& written) {
        return stands_for(written, one.name);
      });
    });
    if (row == rows.end()) {
      ADD_FAILURE() << one.name << " is missing in docs/controller.md";
    } else if (!one.label.empty()) {
      const std::regex label("\\{([a-z]+,)*" + std::string(one.label) + "(,[a-z]+)*\\}");
      EXPECT_TRUE(std::regex_search(row->text, label)) << one.name << " has a label " << one.label;
    }
  }
}

TEST(Metrics, InTheDocumentationAreAllThere) {
  Metrics metrics("x");
  metrics.request_over("GET", 200, 0.1);
  metrics.set_guard_state("x", control::GuardState::kActing);
  metrics.set_gates({});
  const std::string text = metrics.text();
  std::vector<MetricName> all(count_names().begin(), count_names().end());
  all.insert(all.end(), gauge_names().begin(), gauge_names().end());
  all.insert(all.end(), histogram_names().begin(), histogram_names().end());
  for (const Row& row : documented()) {
    for (const std::string& written : row.names) {
      const bool counted = std::any_of(all.begin(), all.end(), [&written](const MetricName& one) {
        return stands_for(written, one.name);
      });
      const bool shown = text.find(fmt::format("# TYPE {} ", written)) != std::string::npos;
      EXPECT_TRUE(counted || shown) << written;
    }
  }
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
  // It has the label `outcome`, so there is none before the first call.
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
