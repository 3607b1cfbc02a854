#include "runtime/live_telemetry.h"

#include <sstream>

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

namespace ebb::runtime {
namespace {

using picker::Outcome;

control::Decision decision(Outcome outcome) {
  control::Decision decision;
  decision.name_space = "shop";
  decision.replica_set = "web-1";
  control::Decision::Picker& picker = decision.picker.emplace();
  picker.endpoint = "http://picker:80";
  picker.outcome = outcome;
  return decision;
}

// As in `ebb up`, which tells of scale-downs by itself.
TEST(LiveTelemetry, TellsThatAPickerAnswersAgainAlsoWhereOnlyWarningsAreLogged) {
  std::ostringstream out;
  Log log({.verbosity = -1}, out);
  Metrics metrics("host");
  DecisionBook book;
  LiveTelemetry telemetry(log, metrics, book);
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

TEST(LiveTelemetry, TellsOfADecisionInAWayThatCanBeSearched) {
  std::ostringstream out;
  Log log({.json = true}, out);
  Metrics metrics("host");
  DecisionBook book;
  LiveTelemetry telemetry(log, metrics, book);
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
  EXPECT_EQ(book.list().find("127.0.0.1"), std::string::npos) << "the record has the outcome only";
}

TEST(LiveTelemetry, RecordsNumbersAsPeopleWriteThem) {
  std::ostringstream out;
  Log log({.verbosity = -1}, out);
  Metrics metrics("host");
  DecisionBook book;
  LiveTelemetry telemetry(log, metrics, book);
  control::Decision made = decision(Outcome::kAnswered);
  made.picker->duration_ns = 478'000'000;
  telemetry.decided(made);
  EXPECT_NE(book.list().find(R"("durationSeconds":0.478,)"), std::string::npos) << book.list();
}

}  // namespace
}  // namespace ebb::runtime
