#include "runtime/telemetry/live_telemetry.h"

#include <sstream>

#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "support/objects/temporary_folder.h"

namespace ebb::runtime {
namespace {

using picker::Outcome;

control::Decision decision(Outcome outcome) {
  control::Decision decision;
  decision.namespace_name = "shop";
  decision.replica_set = "web-1";
  control::Decision::Picker& picker = decision.picker.emplace();
  picker.endpoint = "http://picker:80";
  picker.outcome = outcome;
  return decision;
}

// As in `ebb up`, which prints scale-downs itself.
TEST(LiveTelemetry, LogsTheRecoveryOfAPickerEvenIfOnlyWarningsAreLogged) {
  std::ostringstream out;
  Log log({.verbosity = -1}, out);
  Metrics metrics("host");
  RecentDecisions recent_decisions;
  DecisionLog decision_log;
  LiveTelemetry telemetry(log, metrics, recent_decisions, decision_log);
  for (const Outcome outcome : {Outcome::kAnswered, Outcome::kTimeout, Outcome::kTimeout,
                                Outcome::kAnswered, Outcome::kAnswered}) {
    telemetry.decided(decision(outcome));
  }
  std::istringstream lines(out.str());
  std::string failed;
  std::string again;
  std::string more;
  EXPECT_TRUE(std::getline(lines, failed) && std::getline(lines, again)) << out.str();
  EXPECT_FALSE(std::getline(lines, more)) << more;
  EXPECT_TRUE(failed.starts_with('W')) << failed;
  EXPECT_TRUE(again.starts_with('I') &&
              again.find("\"picker http://picker:80 of shop/web-1 answers again\" "
                         "replicaSet=\"shop/web-1\"") != std::string::npos)
      << again;
}

TEST(LiveTelemetry, LogsADecisionAsSearchableFields) {
  std::ostringstream out;
  Log log({.json = true}, out);
  Metrics metrics("host");
  RecentDecisions recent_decisions;
  DecisionLog decision_log;
  LiveTelemetry telemetry(log, metrics, recent_decisions, decision_log);
  control::Decision made = decision(Outcome::kTimeout);
  made.id = "d-1";
  made.owner = "Deployment/web";
  made.from = 5;
  made.to = 4;
  made.candidates = 5;
  control::Decision::Victim& victim = made.victims.emplace_back();
  victim.name = "web-1-a";
  victim.rule = "Ready";
  made.picker->detail = "127.0.0.1 is not allowed (--picker-allow-cidr)";
  telemetry.decided(made);
  std::istringstream lines(out.str());
  std::string line;
  ASSERT_TRUE(std::getline(lines, line));
  auto fields = boost::json::parse(line).as_object();
  fields.erase("ts");
  EXPECT_EQ(fields, boost::json::parse(R"({"level":"info","v":0,
      "msg":"1 pod of shop/web-1 goes: web-1-a (ready); the picker failed: timeout",
      "replicaSet":{"name":"web-1","namespace":"shop"},"decision":"d-1","from":5,"to":4,
      "candidates":5,"going":1,"owner":"Deployment/web","picker":"timeout"})"));
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_NE(line.find("timeout: 127.0.0.1 is not allowed (--picker-allow-cidr)"), std::string::npos)
      << line;
  EXPECT_EQ(recent_decisions.list().find("127.0.0.1"), std::string::npos)
      << "the record has the outcome only";
}

TEST(LiveTelemetry, MeasuresWhyAControllerDoesNotAct) {
  std::ostringstream out;
  Log log({}, out);
  Metrics metrics("host");
  RecentDecisions recent_decisions;
  DecisionLog decision_log;
  LiveTelemetry telemetry(log, metrics, recent_decisions, decision_log);
  const auto has = [&](std::string_view state, int value) {
    const std::string line =
        fmt::format("ebb_controller_state{{controller=\"replicaset-controller\",state=\"{}\"}} {}",
                    state, value);
    return metrics.text().find(line) != std::string::npos;
  };
  using control::GuardState;
  control::GuardStatus status{.controller = "replicaset-controller", .state = GuardState::kProbing};
  telemetry.guard_changed(status);
  EXPECT_TRUE(has("probing", 1) && has("blocked", 0) && has("acting", 0)) << metrics.text();
  status.state = GuardState::kBlocked;
  telemetry.guard_changed(status);
  EXPECT_TRUE(has("probing", 0) && has("blocked", 1)) << metrics.text();
}

TEST(LiveTelemetry, RecordsNumbersAsPeopleWriteThem) {
  std::ostringstream out;
  Log log({.verbosity = -1}, out);
  Metrics metrics("host");
  RecentDecisions recent_decisions;
  DecisionLog decision_log;
  LiveTelemetry telemetry(log, metrics, recent_decisions, decision_log);
  control::Decision made = decision(Outcome::kAnswered);
  made.picker->duration_ns = 478'000'000;
  telemetry.decided(made);
  EXPECT_NE(recent_decisions.list().find(R"("durationSeconds":0.478,)"), std::string::npos)
      << recent_decisions.list();
}

// The number of occurrences of a line.
std::size_t count_of(const std::string& text, std::string_view line) {
  std::size_t count = 0;
  for (auto at = text.find(line); at != std::string::npos; at = text.find(line, at + 1)) ++count;
  return count;
}

TEST(LiveTelemetry, LogsOnceThatTheDecisionLogCannotBeWritten) {
  std::ostringstream out;
  Log log({.verbosity = -1}, out);
  Metrics metrics("host");
  RecentDecisions recent_decisions;
  DecisionLog decision_log;
  ASSERT_TRUE(decision_log.open("/dev/full"));
  LiveTelemetry telemetry(log, metrics, recent_decisions, decision_log);
  for (int i = 0; i < 3; ++i) telemetry.decided(decision(Outcome::kAnswered));
  telemetry.report_decision_log(Timestamp::from_seconds(1));
  ASSERT_TRUE(decision_log.close(60 * kNanosecondsPerSecond));
  telemetry.report_decision_log(Timestamp::from_seconds(2));
  telemetry.report_closed_decision_log();
  EXPECT_EQ(
      count_of(out.str(), "cannot write to the decision log: /dev/full: No space left on device"),
      1U)
      << out.str();
  EXPECT_NE(metrics.text().find("\nebb_decision_log_errors_total 3\n"), std::string::npos);
  EXPECT_NE(metrics.text().find("\nebb_decision_log_dropped_total 0\n"), std::string::npos);
}

TEST(LiveTelemetry, LogsDroppedRecordsNowAndThenAndAtTheEnd) {
  const support::TemporaryFolder folder;
  const std::string pipe = (folder.path() / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);  // never read
  std::ostringstream out;
  Log log({.verbosity = -1}, out);
  Metrics metrics("host");
  RecentDecisions recent_decisions;
  DecisionLog decision_log({.max_lines = 1});
  ASSERT_TRUE(decision_log.open(pipe));
  LiveTelemetry telemetry(log, metrics, recent_decisions, decision_log);
  // One may be with the file, one waits.
  const auto drop_at = [&](int second) {
    for (int i = 0; i < 3; ++i) telemetry.decided(decision(Outcome::kAnswered));
    telemetry.report_decision_log(Timestamp::from_seconds(second));
    return count_of(out.str(), "dropped decision records");
  };
  EXPECT_EQ(drop_at(100), 1U);
  EXPECT_EQ(drop_at(101), 1U);
  EXPECT_EQ(drop_at(129), 1U);
  EXPECT_EQ(drop_at(130), 2U);
  EXPECT_EQ(drop_at(131), 2U);
  ASSERT_FALSE(decision_log.close(0));
  telemetry.report_closed_decision_log();
  EXPECT_EQ(count_of(out.str(), "dropped decision records"), 3U) << out.str();
  EXPECT_NE(metrics.text().find("\nebb_decision_log_dropped_total 15\n"), std::string::npos)
      << metrics.text();
}

}  // namespace
}  // namespace ebb::runtime
