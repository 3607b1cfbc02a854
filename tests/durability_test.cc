// A file survives a power failure only if its directory entry does: the folder must be synced
// after a file in it was renamed or a folder was created. This program replaces fsync by one that
// records its calls.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cluster/files/data_folder.h"
#include "cluster/files/private_file.h"
#include "support/objects/temporary_folder.h"

namespace {

namespace fs = std::filesystem;

// In the order of syncing. Tests here have one thread.
std::vector<fs::path>& synced() {
  static std::vector<fs::path> paths;
  return paths;
}

}  // namespace

// In place of the C library's, for everything in this program.
extern "C" int fsync(int descriptor) {
  std::error_code error;
  synced().push_back(fs::read_symlink("/proc/self/fd/" + std::to_string(descriptor), error));
  return static_cast<int>(::syscall(SYS_fsync, descriptor));
}

namespace ebb::cluster {
namespace {

bool was_synced(const fs::path& path) {
  return std::find(synced().begin(), synced().end(), fs::canonical(path)) != synced().end();
}

TEST(Durability, AFileIsSyncedBeforeItHasItsNameAndItsFolderAfterwards) {
  const support::TemporaryFolder folder;
  for (const char* content : {"first", "second"}) {
    synced().clear();
    ASSERT_TRUE(write_private(folder.path() / "file", content));
    ASSERT_EQ(synced().size(), 2U) << content;
    EXPECT_EQ(synced()[0].parent_path(), fs::canonical(folder.path()));
    EXPECT_EQ(synced()[1], fs::canonical(folder.path()));
  }
}

TEST(Durability, AFileInTheWorkingFolderIsSyncedToo) {
  const support::TemporaryFolder folder;
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  synced().clear();
  const auto written = write_private("file", "content");
  fs::current_path(before);
  ASSERT_TRUE(written);
  EXPECT_TRUE(was_synced(folder.path()));
}

TEST(Durability, EachFolderThatIsMadeIsSyncedInTheOneAbove) {
  const support::TemporaryFolder folder;
  synced().clear();
  ASSERT_TRUE(DataFolder::open(folder.path() / "a" / "b"));
  EXPECT_TRUE(was_synced(folder.path()));
  EXPECT_TRUE(was_synced(folder.path() / "a"));
  // Existing folders need no sync.
  EXPECT_FALSE(was_synced(folder.path().parent_path()));
  synced().clear();
  ASSERT_TRUE(DataFolder::open(folder.path() / "a" / "b"));
  EXPECT_TRUE(synced().empty());
}

}  // namespace
}  // namespace ebb::cluster
