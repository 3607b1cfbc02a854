#include "runtime/log.h"

#include <regex>
#include <sstream>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

namespace ebb::runtime {
namespace {

using control::Severity;

TEST(Log, WritesTextAsKlogDoes) {
  std::ostringstream out;
  Log log({.json = false, .verbosity = 2}, out);
  log.write(Severity::kInfo, 0, "started");
  log.write(Severity::kWarning, 9, "careful");
  log.write(Severity::kError, 9, "two\nlines \x1b[31m");
  static const std::regex kLines(
      "I\\d{4} \\d\\d:\\d\\d:\\d\\d\\.\\d{6} +\\d+ ebb\\] started\n"
      "W\\d{4} .* ebb\\] careful\n"
      "E\\d{4} .* ebb\\] two\\\\u000alines \\\\u001b\\[31m\n");
  EXPECT_TRUE(std::regex_match(out.str(), kLines)) << out.str();
}

TEST(Log, WritesOneJsonObjectPerLine) {
  std::ostringstream out;
  Log log({.json = true, .verbosity = 4}, out);
  log.write(Severity::kInfo, 3, "a \"quoted\"\ntext");
  log.write(Severity::kError, 0, "bad");
  std::istringstream lines(out.str());
  std::string line;
  ASSERT_TRUE(std::getline(lines, line));
  boost::json::object info = boost::json::parse(line).as_object();
  EXPECT_EQ(info.at("msg"), "a \"quoted\"\ntext");
  EXPECT_EQ(info.at("level"), "info");
  EXPECT_EQ(info.at("v"), 3);
  EXPECT_GT(info.at("ts").as_double(), 1.7e9);
  ASSERT_TRUE(std::getline(lines, line));
  boost::json::object error = boost::json::parse(line).as_object();
  EXPECT_EQ(error.at("level"), "error");
  EXPECT_FALSE(error.contains("v"));
  EXPECT_FALSE(std::getline(lines, line));
}

TEST(Log, WritesFieldsAsKlogDoes) {
  const control::Field fields[] = {{"pod", control::ObjectName{"shop", "web-1"}},
                                   {"node", control::ObjectName{"", "n1"}},
                                   {"err", "not \"found\"\n\x1b[31m"},
                                   {"count", 3U}};
  std::ostringstream out;
  Log text({}, out);
  text.write(Severity::kInfo, 0, "a \"quoted\" text", fields);
  EXPECT_TRUE(out.str().ends_with(R"(ebb] "a \"quoted\" text" pod="shop/web-1" node="n1" )"
                                  R"(err="not \"found\"\n\u001b[31m" count=3)"
                                  "\n"))
      << out.str();
  std::ostringstream lines;
  Log json({.json = true}, lines);
  json.write(Severity::kWarning, 0, "text", fields);
  auto line = boost::json::parse(lines.str()).as_object();
  line.erase("ts");
  EXPECT_EQ(line, boost::json::parse(R"({"level":"warning","msg":"text",
      "pod":{"name":"web-1","namespace":"shop"},"node":{"name":"n1"},
      "err":"not \"found\"\n\u001b[31m","count":3})"));
}

TEST(Log, LeavesOutWhatIsMoreVerboseThanAskedFor) {
  std::ostringstream out;
  Log log({.json = false, .verbosity = 2}, out);
  EXPECT_TRUE(log.writes(2));
  EXPECT_FALSE(log.writes(3));
  log.write(Severity::kInfo, 3, "chatter");
  EXPECT_EQ(out.str(), "");
}

TEST(Log, WritesWhatIsForEverybodyAlsoWhereOnlyWarningsAreWanted) {
  std::ostringstream out;
  Log log({.json = true, .verbosity = Log::kAlways}, out);
  log.write(Severity::kInfo, 0, "chatter");
  log.write(Severity::kInfo, Log::kAlways, "it is over");
  const boost::json::object line = boost::json::parse(out.str()).as_object();
  EXPECT_EQ(line.at("msg"), "it is over");
  EXPECT_EQ(line.at("v"), 0);
}

}  // namespace
}  // namespace ebb::runtime
