#include "cluster/server/change_log.h"

#include <csignal>
#include <cstdlib>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cluster/server/sqlite.h"
#include "support/objects/temporary_folder.h"

namespace ebb::cluster {
namespace {

namespace fs = std::filesystem;

Change change(Revision revision, std::string name, bool deleted = false, std::size_t size = 0) {
  Change result;
  result.revision = revision;
  result.time = Timestamp::from_nanoseconds(static_cast<Nanoseconds>(revision) * 1000);
  result.kind = schema::find_kind("apps", "v1", "deployments");
  result.namespace_name = "shop";
  result.name = std::move(name);
  result.deleted = deleted;
  const auto json = std::make_shared<const std::string>(
      fmt::format("{{\"revision\":{},\"x\":\"{}\"}}", revision, std::string(size, 'x')));
  result.json = {json, *json};
  return result;
}

// The content of a log, one line per change.
std::vector<std::string> lines(ChangeLog& log) {
  std::vector<std::string> result;
  const auto loaded = log.load([&](const Change& one) -> Result<void> {
    EXPECT_EQ(one.time.since_epoch_ns(), static_cast<Nanoseconds>(one.revision) * 1000);
    EXPECT_TRUE(one.json.text.starts_with(fmt::format("{{\"revision\":{}", one.revision)));
    result.push_back(fmt::format("{} {} {}/{}{}", one.revision, one.kind->plural,
                                 one.namespace_name, one.name, one.deleted ? " deleted" : ""));
    return {};
  });
  EXPECT_TRUE(loaded) << loaded.error().message;
  return result;
}

std::string content(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

class ChangeLogTest : public ::testing::Test {
 protected:
  [[nodiscard]] ChangeLog open() const {
    auto log = ChangeLog::open(file);
    if (!log) throw std::runtime_error(log.error().message);
    return std::move(*log);
  }
  [[nodiscard]] std::string refusal() const {
    const auto log = ChangeLog::open(file);
    return log ? "" : log.error().message;
  }

  support::TemporaryFolder folder;
  fs::path file = folder.path() / "cluster.db";
};

TEST_F(ChangeLogTest, GivesBackWhatWasAppended) {
  {
    ChangeLog log = open();
    EXPECT_TRUE(lines(log).empty());
    const std::vector<Change> first = {change(3, "a"), change(4, "b")};
    const std::vector<Change> second = {change(7, "a", true)};
    ASSERT_TRUE(log.append(first, {}));
    ASSERT_TRUE(log.append(second, {}));
  }
  ChangeLog log = open();
  EXPECT_EQ(lines(log), (std::vector<std::string>{"3 deployments shop/a", "4 deployments shop/b",
                                                  "7 deployments shop/a deleted"}));
}

TEST_F(ChangeLogTest, DropsWhatIsForgottenAndRemembersWhereHistoryBegins) {
  {
    ChangeLog log = open();
    const std::vector<Change> first = {change(1, "a"), change(2, "a"), change(3, "b")};
    ASSERT_TRUE(log.append(first, {}));
    EXPECT_EQ(log.history_start(), 0U);
    const std::vector<Change> second = {change(4, "c")};
    ASSERT_TRUE(log.append(second, {.revisions = {1, 99}, .history_start = 2}));
    ASSERT_TRUE(log.append({}, {.revisions = {}, .history_start = 3}));
  }
  ChangeLog log = open();
  EXPECT_EQ(log.history_start(), 3U);
  EXPECT_EQ(lines(log), (std::vector<std::string>{"2 deployments shop/a", "3 deployments shop/b",
                                                  "4 deployments shop/c"}));
}

TEST_F(ChangeLogTest, IsForItsOwnerOnly) {
  const mode_t before = ::umask(0);
  ChangeLog log = open();
  ::umask(before);
  const std::vector<Change> changes = {change(1, "a")};
  ASSERT_TRUE(log.append(changes, {}));
  for (const auto& entry : fs::directory_iterator(folder.path())) {
    EXPECT_EQ(entry.status().permissions(), fs::perms::owner_read | fs::perms::owner_write)
        << entry.path();
  }
}

TEST_F(ChangeLogTest, KeepsWhatWasAppendedBeforeAKill) {
  const pid_t child = ::fork();
  if (child == 0) {
    auto log = ChangeLog::open(file);
    const std::vector<Change> changes = {change(1, "a"), change(2, "b")};
    if (!log || !log->append(changes, {})) std::_Exit(1);
    std::raise(SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  ChangeLog log = open();
  EXPECT_EQ(lines(log).size(), 2U);
  const std::vector<Change> more = {change(3, "c")};
  EXPECT_TRUE(log.append(more, {}));
}

TEST_F(ChangeLogTest, IsForOneProcessAtATime) {
  const ChangeLog log = open();
  EXPECT_NE(refusal().find("locked"), std::string::npos) << refusal();
}

TEST_F(ChangeLogTest, RefusesAFileThatIsNotADatabase) {
  std::ofstream(file) << std::string(5000, 'x');
  EXPECT_EQ(refusal(), file.string() + ": file is not a database");
  EXPECT_EQ(content(file), std::string(5000, 'x'));
}

TEST_F(ChangeLogTest, StartsOverWhereAFirstStartDidNotGetFar) {
  std::ofstream(file).flush();
  {
    auto database = Database::open(file);
    ASSERT_TRUE(database);
    ASSERT_TRUE(database->run("PRAGMA journal_mode = WAL"));
  }
  ASSERT_FALSE(content(file).empty());
  EXPECT_TRUE(ChangeLog::open(file));
}

TEST_F(ChangeLogTest, RefusesADatabaseOfAnotherProgram) {
  std::ofstream(file).flush();
  {
    auto database = Database::open(file);
    ASSERT_TRUE(database);
    ASSERT_TRUE(database->run("CREATE TABLE recipes (name TEXT)"));
  }
  const std::string before = content(file);
  EXPECT_EQ(refusal(), file.string() + ": not a database of ebb; it was left unchanged");
  EXPECT_EQ(content(file), before);
}

TEST_F(ChangeLogTest, RefusesADatabaseOfAnotherVersion) {
  { ChangeLog log = open(); }
  {
    auto database = Database::open(file);
    ASSERT_TRUE(database);
    ASSERT_TRUE(database->run("PRAGMA user_version = 7"));
  }
  EXPECT_EQ(refusal(),
            file.string() + ": written by another version of ebb (format 7, this one reads 1)");
}

TEST_F(ChangeLogTest, ReportsADamagedDatabaseAndLeavesItAlone) {
  {
    ChangeLog log = open();
    std::vector<Change> changes;
    for (Revision i = 1; i <= 200; ++i) changes.push_back(change(i, "a", false, 1000));
    ASSERT_TRUE(log.append(changes, {}));
  }
  std::string text = content(file);
  ASSERT_GT(text.size(), 100'000U);
  for (std::size_t i = 20'000; i < 40'000; ++i) text[i] = '\x5a';
  std::ofstream(file, std::ios::binary) << text;
  EXPECT_TRUE(refusal().starts_with(file.string() + ": ")) << refusal();
  EXPECT_NE(refusal().find("damaged"), std::string::npos) << refusal();
  EXPECT_EQ(content(file), text);
}

TEST_F(ChangeLogTest, ReportsAKindThatItDoesNotKnow) {
  {
    ChangeLog log = open();
    const std::vector<Change> changes = {change(1, "a")};
    ASSERT_TRUE(log.append(changes, {}));
  }
  {
    auto database = Database::open(file);
    ASSERT_TRUE(database);
    ASSERT_TRUE(database->run("UPDATE changes SET kind = 'apps/v1/statefulsets'"));
  }
  ChangeLog log = open();
  const auto loaded = log.load([](const Change&) -> Result<void> { return {}; });
  ASSERT_FALSE(loaded);
  EXPECT_NE(loaded.error().message.find("revision 1: unknown kind apps/v1/statefulsets"),
            std::string::npos)
      << loaded.error().message;
}

TEST_F(ChangeLogTest, SaysWhichFolderCannotBeUsed) {
  file = folder.path() / "missing" / "cluster.db";
  EXPECT_EQ(refusal(), file.string() + ": No such file or directory");
}

// SQLite checks its limit on the size where it would find the disk full.
TEST_F(ChangeLogTest, WritesNothingOfABatchThatDoesNotFitAndGoesOnOnceThereIsRoom) {
  ChangeLog log = open();
  const std::vector<Change> first = {change(1, "a")};
  ASSERT_TRUE(log.append(first, {}));
  ASSERT_TRUE(log.limit_pages(log.pages() + 2));
  std::vector<Change> large;
  for (Revision i = 2; i <= 50; ++i) large.push_back(change(i, "b", false, 2000));
  const auto refused = log.append(large, {.revisions = {1}, .history_start = 1});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, file.string() + ": database or disk is full");
  EXPECT_TRUE(refused.error().retryable);
  EXPECT_EQ(lines(log), std::vector<std::string>{"1 deployments shop/a"});
  EXPECT_EQ(log.history_start(), 0U);
  ASSERT_TRUE(log.limit_pages(0));
  EXPECT_TRUE(log.append(large, {}));
  EXPECT_EQ(lines(log).size(), 50U);
}

// The same in a process whose files cannot grow.
TEST_F(ChangeLogTest, SurvivesASystemThatRefusesToWrite) {
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    auto log = ChangeLog::open(file);
    const std::vector<Change> first = {change(1, "a")};
    if (!log || !log->append(first, {})) std::_Exit(1);
    rlimit limit{.rlim_cur = 100'000, .rlim_max = RLIM_INFINITY};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    std::vector<Change> large;
    for (Revision i = 2; i <= 50; ++i) large.push_back(change(i, "b", false, 10'000));
    if (log->append(large, {})) std::_Exit(2);
    limit.rlim_cur = RLIM_INFINITY;
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const std::vector<Change> last = {change(60, "c")};
    if (!log->append(last, {})) std::_Exit(3);
    std::raise(SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status)) << WEXITSTATUS(status);
  ChangeLog log = open();
  EXPECT_EQ(lines(log),
            (std::vector<std::string>{"1 deployments shop/a", "60 deployments shop/c"}));
}

}  // namespace
}  // namespace ebb::cluster
