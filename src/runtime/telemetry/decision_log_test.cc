#include "runtime/telemetry/decision_log.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/objects/temporary_folder.h"

namespace ebb::runtime {
namespace {

namespace fs = std::filesystem;

constexpr Nanoseconds kPatience = 60 * kNanosecondsPerSecond;
constexpr Nanoseconds kAtOnce = kNanosecondsPerSecond / 100;

std::string read(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Reports added up until the condition holds.
template <typename Condition>
DecisionLogReport report_when(DecisionLog& log, Condition condition) {
  DecisionLogReport sum;
  for (int i = 0; i < 30'000 && !condition(sum); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const DecisionLogReport more = log.take_report();
    sum.written += more.written;
    sum.failed += more.failed;
    sum.dropped += more.dropped;
    if (!more.error.empty()) sum.error = more.error;
    if (!more.reopen_error.empty()) sum.reopen_error = more.reopen_error;
  }
  EXPECT_TRUE(condition(sum)) << "written " << sum.written << ", failed " << sum.failed
                              << ", dropped " << sum.dropped;
  return sum;
}

DecisionLogReport report_when_written(DecisionLog& log, std::uint64_t records) {
  return report_when(log, [&](const auto& sum) { return sum.written >= records; });
}

// A named pipe, with the end that reads it.
class Pipe {
 public:
  Pipe() : file_((folder_.path() / "pipe").string()) {
    if (::mkfifo(file_.c_str(), 0600) != 0) throw std::runtime_error("no named pipe");
  }
  ~Pipe() { stop_reading(); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  // Reads nothing by itself.
  void start_reading() { reader_ = ::open(file_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC); }
  void stop_reading() {
    if (reader_ >= 0) ::close(std::exchange(reader_, -1));
  }
  // Everything until so many lines have come.
  std::string lines(std::size_t count) {
    std::string text;
    std::array<char, 65536> piece{};
    for (int i = 0; i < 30'000; ++i) {
      const ssize_t size = ::read(reader_, piece.data(), piece.size());
      if (size > 0) text.append(piece.data(), static_cast<std::size_t>(size));
      if (static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) >= count) break;
      if (size <= 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return text;
  }
  [[nodiscard]] const std::string& file() const { return file_; }

 private:
  support::TemporaryFolder folder_;
  std::string file_;
  int reader_ = -1;
};

TEST(DecisionLog, AddsLinesToItsFile) {
  const support::TemporaryFolder folder;
  const fs::path file = folder.path() / "decisions.jsonl";
  std::ofstream(file) << "{\"old\":1}\n";
  DecisionLog log;
  ASSERT_TRUE(log.open(file.string()));
  log.add("{\"new\":1}");
  log.add("{\"new\":2}");
  EXPECT_TRUE(log.close(kPatience));
  EXPECT_EQ(read(file), "{\"old\":1}\n{\"new\":1}\n{\"new\":2}\n");
  const DecisionLogReport report = log.take_report();
  EXPECT_EQ(report.written, 2U);
  EXPECT_EQ(report.failed + report.dropped, 0U);
}

TEST(DecisionLog, TakesRecordsAlsoWithoutAFile) {
  DecisionLog log;
  log.add("{}");
  log.reopen();
  EXPECT_TRUE(log.close(0));
  EXPECT_EQ(log.take_report().dropped, 0U);
}

TEST(DecisionLog, ReopensItsFileAfterItWasMovedAway) {
  const support::TemporaryFolder folder;
  const fs::path file = folder.path() / "decisions.jsonl";
  DecisionLog log;
  ASSERT_TRUE(log.open(file.string()));
  log.add("1");
  report_when_written(log, 1);
  fs::rename(file, folder.path() / "old");
  log.add("2");
  report_when_written(log, 1);
  log.reopen();
  log.add("3");
  EXPECT_TRUE(log.close(kPatience));
  EXPECT_EQ(read(folder.path() / "old"), "1\n2\n");
  EXPECT_EQ(read(file), "3\n");
}

TEST(DecisionLog, KeepsItsFileIfItCannotBeReopened) {
  const support::TemporaryFolder folder;
  const fs::path below = folder.path() / "below";
  fs::create_directory(below);
  DecisionLog log;
  ASSERT_TRUE(log.open((below / "file").string()));
  fs::rename(below, folder.path() / "moved");
  log.reopen();
  const auto report = report_when(log, [](const auto& sum) { return !sum.reopen_error.empty(); });
  EXPECT_NE(report.reopen_error.find("below/file: No such file"), std::string::npos);
  log.add("1");
  EXPECT_TRUE(log.close(kPatience));
  EXPECT_EQ(read(folder.path() / "moved" / "file"), "1\n");
}

TEST(DecisionLog, SaysWhichFileItCannotOpen) {
  const support::TemporaryFolder folder;
  DecisionLog log;
  const auto opened = log.open((folder.path() / "missing" / "file").string());
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().message.find("missing/file: No such file"), std::string::npos);
}

TEST(DecisionLog, ReportsRecordsThatTheDiskHasNoRoomFor) {
  DecisionLog log;
  ASSERT_TRUE(log.open("/dev/full"));
  log.add("{}");
  log.add("{}");
  EXPECT_TRUE(log.close(kPatience));
  const DecisionLogReport report = log.take_report();
  EXPECT_EQ(report.failed, 2U);
  EXPECT_EQ(report.written, 0U);
  EXPECT_NE(report.error.find("/dev/full: No space left"), std::string::npos) << report.error;
}

// If add() waited for the file, this would never end.
TEST(DecisionLog, DropsWhatItsQueueHasNoRoomForWhileAPipeIsNotRead) {
  struct Case {
    const char* limit;
    DecisionLogOptions options;
  };
  for (const Case& one :
       {Case{"records", {.max_lines = 100}}, Case{"bytes", {.max_bytes = std::size_t{1} << 20}}}) {
    SCOPED_TRACE(one.limit);
    Pipe pipe;
    pipe.start_reading();
    DecisionLog log(one.options);
    ASSERT_TRUE(log.open(pipe.file()));
    constexpr std::size_t kAdded = 500;
    const std::string record = '"' + std::string(10'000, 'x') + '"';
    for (std::size_t i = 0; i < kAdded; ++i) log.add(record);
    const auto dropped = report_when(log, [](const auto& sum) {
                           return sum.dropped > 0 && sum.written > 0;
                         }).dropped;
    EXPECT_GE(dropped, kAdded / 2);
    EXPECT_LT(dropped, kAdded);
    // Those that it took come out whole once the pipe is read.
    const std::string text = pipe.lines(kAdded - dropped);
    EXPECT_EQ(text.size(), (kAdded - dropped) * (record.size() + 1));
    EXPECT_TRUE(text.ends_with(record + "\n"));
    log.add("1");
    EXPECT_EQ(pipe.lines(1), "1\n");
    EXPECT_TRUE(log.close(kPatience));
    EXPECT_EQ(log.take_report().dropped, 0U);
  }
}

TEST(DecisionLog, TakesARecordThatIsLargerThanItsQueue) {
  const support::TemporaryFolder folder;
  const fs::path file = folder.path() / "decisions.jsonl";
  DecisionLog log({.max_bytes = 10});
  ASSERT_TRUE(log.open(file.string()));
  log.add(std::string(100, '1'));
  EXPECT_TRUE(log.close(kPatience));
  EXPECT_EQ(read(file), std::string(100, '1') + "\n");
}

TEST(DecisionLog, WaitsForTheReaderOfAPipeWithoutHoldingUpItsUser) {
  Pipe pipe;
  DecisionLog log;
  ASSERT_TRUE(log.open(pipe.file()));
  log.add("1");
  pipe.start_reading();
  EXPECT_EQ(pipe.lines(1), "1\n");
  EXPECT_TRUE(log.close(kPatience));
}

TEST(DecisionLog, GoesOnWithAnotherReaderOfAPipe) {
  Pipe pipe;
  pipe.start_reading();
  DecisionLog log;
  ASSERT_TRUE(log.open(pipe.file()));
  log.add("1");
  EXPECT_EQ(pipe.lines(1), "1\n");
  pipe.stop_reading();
  log.add("2");
  const auto report = report_when(log, [](const auto& sum) { return sum.failed == 1; });
  EXPECT_NE(report.error.find("Broken pipe"), std::string::npos) << report.error;
  log.add("3");
  pipe.start_reading();
  EXPECT_EQ(pipe.lines(1), "3\n");
  EXPECT_TRUE(log.close(kPatience));
}

TEST(DecisionLog, GivesUpAFileThatIsStalledAtTheEnd) {
  const auto pipe = std::make_unique<Pipe>();
  pipe->start_reading();
  DecisionLog log;
  ASSERT_TRUE(log.open(pipe->file()));
  const std::string record(100'000, 'x');  // more than a pipe holds
  for (int i = 0; i < 3; ++i) log.add(record);
  EXPECT_FALSE(log.close(kAtOnce));
  EXPECT_EQ(log.take_report().dropped, 3U);
  log.add("1");  // nowhere
  EXPECT_TRUE(log.close(kAtOnce));
  EXPECT_EQ(log.take_report().dropped, 0U);
}

}  // namespace
}  // namespace ebb::runtime
