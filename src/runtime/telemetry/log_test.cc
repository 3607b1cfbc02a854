#include "runtime/telemetry/log.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <streambuf>
#include <thread>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

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

TEST(Log, WritesMandatoryLinesEvenIfOnlyWarningsAreLogged) {
  std::ostringstream out;
  Log log({.json = true, .verbosity = Log::kAlways}, out);
  log.write(Severity::kInfo, 0, "chatter");
  log.write(Severity::kInfo, Log::kAlways, "it is over");
  const boost::json::object line = boost::json::parse(out.str()).as_object();
  EXPECT_EQ(line.at("msg"), "it is over");
  EXPECT_EQ(line.at("v"), 0);
}

// A stream into a pipe, whose other end a test reads or does not. It stays open to the end of the
// process: a log's thread may be left behind in it.
class PipeStream : public std::ostream {
 public:
  PipeStream() : std::ostream(&buffer_), buffer_(*this) {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe2");
    ::fcntl(ends_[0], F_SETFL, O_NONBLOCK);
  }

  // Everything up to a text, or until nothing arrives for a minute.
  std::string read_up_to(std::string_view text) {
    std::string all;
    std::array<char, 4096> piece{};
    for (int i = 0; i < 60'000 && all.find(text) == std::string::npos;) {
      const ssize_t count = ::read(ends_[0], piece.data(), piece.size());
      if (count > 0) {
        all.append(piece.data(), static_cast<std::size_t>(count));
      } else {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        ++i;
      }
    }
    return all;
  }

 private:
  struct Buffer : std::streambuf {
    explicit Buffer(PipeStream& of) : pipe(of) {}
    std::streamsize xsputn(const char* text, std::streamsize size) override {
      return ::write(pipe.ends_[1], text, static_cast<std::size_t>(size));
    }
    PipeStream& pipe;
  };

  std::array<int, 2> ends_{};
  Buffer buffer_;
};

std::uint64_t lines_reported_dropped(const std::string& text) {
  const std::regex report("dropped log lines[^\n]*\"lines\":(\\d+)");
  std::uint64_t sum = 0;
  for (std::sregex_iterator each(text.begin(), text.end(), report), end; each != end; ++each) {
    sum += std::stoull((*each)[1]);
  }
  return sum;
}

TEST(Log, DoesNotWaitForAPipeThatIsNotReadAndReportsWhatItDropped) {
  constexpr int kLines = 2'000;        // of about 150 bytes: a pipe holds 64 KiB
  static auto& out = *new PipeStream;  // NOLINT(cppcoreguidelines-owning-memory)
  Log log({.json = true, .in_background = true, .queue = {.max_lines = 100}}, out);
  for (int i = 0; i < kLines; ++i) {
    log.write(Severity::kInfo, 0, "line " + std::string(100, 'x'));
  }
  const std::uint64_t dropped = log.take_dropped();
  EXPECT_GT(dropped, 0U);
  EXPECT_EQ(log.take_dropped(), 0U);

  log.write(Severity::kInfo, 0, "full, so this may be lost");
  // If the thread catches up in between, it reports in several lines.
  std::string text = out.read_up_to("line");
  for (int i = 0; i < 1'000 && lines_reported_dropped(text) < dropped; ++i) {
    log.write(Severity::kInfo, 0, "again");
    text += out.read_up_to("\n");
  }
  EXPECT_GE(lines_reported_dropped(text), dropped);
}

TEST(Log, EndsAlthoughItsPipeStalls) {
  static auto& out = *new PipeStream;  // NOLINT(cppcoreguidelines-owning-memory)
  {
    Log log({.in_background = true}, out);
    for (int i = 0; i < 2'000; ++i) log.write(Severity::kInfo, 0, std::string(100, 'x'));
  }
  SUCCEED() << "it waits for a second";
}

TEST(Log, WritesEveryLineInTheBackgroundBeforeItEnds) {
  std::ostringstream out;
  {
    Log log({.in_background = true}, out);
    for (int i = 0; i < 1'000; ++i) log.write(Severity::kInfo, 0, "line");
  }
  const std::string text = out.str();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1'000);
}

}  // namespace
}  // namespace ebb::runtime
