// The files of an embedded cluster: its data folder, its identity, the kubeconfig.
#include <fstream>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cluster/files/data_folder.h"
#include "cluster/files/identity.h"
#include "cluster/files/kubeconfig.h"
#include "cluster/files/private_file.h"
#include "support/objects/temporary_folder.h"

namespace ebb::cluster {
namespace {

namespace fs = std::filesystem;

constexpr fs::perms kOwnerOnly = fs::perms::owner_read | fs::perms::owner_write;

std::string content(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(DataFolder, IsMadeForItsOwnerAndForOneProcess) {
  const support::TemporaryFolder temporary;
  const fs::path path = temporary.path() / "made" / "data";
  {
    const auto folder = DataFolder::open(path);
    ASSERT_TRUE(folder) << folder.error().message;
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all);
    const auto second = DataFolder::open(path);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().message,
              fmt::format("data folder {}: in use by another process", path.string()));
  }
  EXPECT_TRUE(DataFolder::open(path));
}

TEST(DataFolder, SaysWhyItCannotBeUsed) {
  const support::TemporaryFolder temporary;
  const fs::path file = temporary.path() / "file";
  std::ofstream(file) << "x";
  const auto folder = DataFolder::open(file);
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().message, fmt::format("data folder {}: Not a directory", file.string()));
}

TEST(Identity, IsKept) {
  const support::TemporaryFolder temporary;
  const auto made = keep_identity(temporary.path());
  ASSERT_TRUE(made) << made.error().message;
  const auto kept = keep_identity(temporary.path());
  ASSERT_TRUE(kept) << kept.error().message;
  EXPECT_EQ(kept->token, made->token);
  EXPECT_EQ(kept->authority.certificate_pem, made->authority.certificate_pem);
  EXPECT_EQ(kept->authority.key_pem, made->authority.key_pem);
  for (const auto& entry : fs::directory_iterator(temporary.path())) {
    EXPECT_EQ(entry.status().permissions(), kOwnerOnly) << entry.path();
  }
}

TEST(Identity, IsNotReplacedIfPartOfItIsLostOrDamaged) {
  const support::TemporaryFolder temporary;
  ASSERT_TRUE(keep_identity(temporary.path()));
  const std::string token = content(temporary.path() / "token");
  fs::remove(temporary.path() / "ca.key");
  const auto incomplete = keep_identity(temporary.path());
  ASSERT_FALSE(incomplete);
  EXPECT_TRUE(incomplete.error().message.starts_with((temporary.path() / "ca.key").string() +
                                                     " is missing; "))
      << incomplete.error().message;
  std::ofstream(temporary.path() / "ca.key") << "no key";
  const auto damaged = keep_identity(temporary.path());
  ASSERT_FALSE(damaged);
  EXPECT_NE(damaged.error().message.find("cannot read the authority's key"), std::string::npos);
  EXPECT_EQ(content(temporary.path() / "token"), token);
}

TEST(Identity, IsMadeAgainIfTheFirstTimeWasCutShort) {
  const support::TemporaryFolder temporary;
  ASSERT_TRUE(keep_identity(temporary.path()));
  fs::remove(temporary.path() / "token");
  EXPECT_TRUE(keep_identity(temporary.path()));
}

TEST(Kubeconfig, IsReadableByItsOwnerOnlyAndIsRewritten) {
  const support::TemporaryFolder temporary;
  const fs::path file = temporary.path() / "ebb.kubeconfig";
  ASSERT_TRUE(write_kubeconfig(file, {"https://127.0.0.1:1", "pem", "first"}));
  EXPECT_EQ(fs::status(file).permissions(), kOwnerOnly);
  ASSERT_TRUE(write_kubeconfig(file, {"https://127.0.0.1:2", "pem", "second"}));
  const std::string text = content(file);
  EXPECT_NE(text.find("    server: https://127.0.0.1:2\n"), std::string::npos) << text;
  EXPECT_NE(text.find("    certificate-authority-data: cGVt\n"), std::string::npos);
  EXPECT_NE(text.find("    token: second\n"), std::string::npos);
  EXPECT_NE(text.find("current-context: ebb\n"), std::string::npos);
  EXPECT_EQ(std::distance(fs::directory_iterator(temporary.path()), {}), 1);
}

TEST(Kubeconfig, IsNeverWrittenOverAnotherToolsFile) {
  const support::TemporaryFolder temporary;
  const fs::path file = temporary.path() / "config";
  std::ofstream(file) << "apiVersion: v1\nkind: Config\nclusters: []\n";
  const auto written = write_kubeconfig(file, {"https://127.0.0.1:1", "pem", "token"});
  ASSERT_FALSE(written);
  EXPECT_TRUE(
      written.error().message.starts_with(file.string() + " exists and was not written by ebb up"))
      << written.error().message;
  EXPECT_EQ(content(file), "apiVersion: v1\nkind: Config\nclusters: []\n");
}

TEST(Kubeconfig, OfARunningClusterIsLeftToIt) {
  const support::TemporaryFolder temporary;
  const fs::path file = temporary.path() / "ebb.kubeconfig";
  boost::asio::io_context context;
  boost::asio::ip::tcp::acceptor running(context, {boost::asio::ip::make_address("127.0.0.1"), 0});
  const std::string server = "127.0.0.1:" + std::to_string(running.local_endpoint().port());
  ASSERT_TRUE(write_kubeconfig(file, {"https://" + server, "pem", "token"}));
  const auto taken = check_kubeconfig_is_free(file);
  ASSERT_FALSE(taken);
  EXPECT_NE(taken.error().message.find("running at https://" + server), std::string::npos);
  running.close();
  EXPECT_TRUE(check_kubeconfig_is_free(file));
}

TEST(PrivateFile, SaysWhatCannotBeWritten) {
  const support::TemporaryFolder temporary;
  const fs::path file = temporary.path() / "missing" / "file";
  const auto written = write_private(file, "x");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message,
            fmt::format("cannot write {}: No such file or directory", file.string()));
  EXPECT_EQ(read_if_there(file).value(), std::nullopt);
  EXPECT_FALSE(read_if_there(temporary.path()));
}

}  // namespace
}  // namespace ebb::cluster
