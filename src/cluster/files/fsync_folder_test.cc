#include "cluster/files/fsync_folder.h"

#include <fstream>

#include <gtest/gtest.h>

#include "support/objects/temporary_folder.h"

namespace ebb::cluster {
namespace {

TEST(SyncFolder, SyncsAFolderAndTheCurrentOneIfItHasNoName) {
  const support::TemporaryFolder folder;
  EXPECT_TRUE(sync_folder(folder.path()));
  // The parent path of "file".
  EXPECT_TRUE(sync_folder({}));
}

TEST(SyncFolder, NamesAFolderThatCannotBeSynced) {
  const support::TemporaryFolder folder;
  const auto missing = sync_folder(folder.path() / "missing");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message,
            "cannot sync " + (folder.path() / "missing").string() + ": No such file or directory");
  std::ofstream(folder.path() / "file") << "x";
  const auto file = sync_folder(folder.path() / "file");
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().message,
            "cannot sync " + (folder.path() / "file").string() + ": Not a directory");
}

}  // namespace
}  // namespace ebb::cluster
