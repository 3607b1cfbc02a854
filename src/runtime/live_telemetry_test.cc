#include "runtime/live_telemetry.h"

#include <sstream>

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
              again.ends_with("picker http://picker:80 of shop/web-1 answers again"))
      << again;
}

}  // namespace
}  // namespace ebb::runtime
