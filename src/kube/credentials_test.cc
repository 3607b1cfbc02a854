// Credentials while time passes; the time is the test's.
#include "kube/credentials.h"

#include <condition_variable>
#include <fstream>
#include <mutex>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "net/secret.h"
#include "support/temporary_folder.h"

namespace ebb::kube {
namespace {

class CredentialsTest : public ::testing::Test {
 protected:
  void SetUp() override { access.server = "https://h"; }

  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder.path() / name) << text;
  }
  std::string path(const std::string& name) { return (folder.path() / name).string(); }
  // A plugin that hands out what the file `status` holds, and counts its runs.
  void use_plugin(const std::string& status) {
    write("status", status);
    write("plugin", R"sh(#!/bin/sh
cd "$(dirname "$0")"
echo run >> runs
test -f fail && exit 1
echo '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":'
cat status
echo '}'
)sh");
    std::filesystem::permissions(path("plugin"), std::filesystem::perms::owner_all);
    access.exec = ExecPlugin{.api_version = "client.authentication.k8s.io/v1",
                             .command = path("plugin"),
                             .interactive_mode = "Never"};
  }
  int runs() {
    std::ifstream file(folder.path() / "runs");
    int count = 0;
    for (std::string line; std::getline(file, line);) ++count;
    return count;
  }
  void make() {
    auto made = Credentials::make(access, now, [this] {
      const std::lock_guard<std::mutex> lock(mutex);
      woken = true;
      changed.notify_all();
    });
    ASSERT_TRUE(made) << made.error().message;
    credentials = std::move(*made);
  }
  void pass(int seconds) {
    now.wall =
        Timestamp::from_nanoseconds(now.wall.since_epoch_ns() + seconds * kNanosecondsPerSecond);
    now.mono =
        Timestamp::from_nanoseconds(now.mono.since_epoch_ns() + seconds * kNanosecondsPerSecond);
    credentials->refresh(now);
  }
  // Until the plugin has ended, and what came out was taken.
  void wait_for_plugin() {
    std::unique_lock<std::mutex> lock(mutex);
    ASSERT_TRUE(changed.wait_for(lock, std::chrono::seconds(30), [this] { return woken; }));
    woken = false;
    lock.unlock();
    credentials->refresh(now);
  }
  [[nodiscard]] std::string header(std::string_view name) const {
    std::string values;
    for (const auto& [key, value] : credentials->identity().headers) {
      if (key == name) values += (values.empty() ? "" : "|") + value;
    }
    return values;
  }

  support::TemporaryFolder folder;
  ClusterAccess access;
  Now now{.wall = Timestamp::from_seconds(1'800'000'000), .mono = Timestamp::from_seconds(1000)};
  std::unique_ptr<Credentials> credentials;
  std::mutex mutex;
  std::condition_variable changed;
  bool woken = false;
};

TEST_F(CredentialsTest, SayWhoWeAre) {
  access.token = "t";
  access.ca_pem = "authority";
  access.tls_server_name = "name";
  access.client_certificate_pem = "certificate";
  access.client_key_pem = "key";
  make();
  EXPECT_EQ(header("Authorization"), "Bearer t");
  EXPECT_EQ(header("User-Agent").substr(0, 4), "ebb/");
  EXPECT_EQ(header("Impersonate-User"), "");
  const net::HttpClientTls& tls = *credentials->identity().tls;
  EXPECT_EQ(tls.ca_pem, "authority");
  EXPECT_EQ(tls.server_name, "name");
  EXPECT_EQ(tls.certificate_pem, "certificate");
  EXPECT_EQ(tls.key_pem, "key");
  EXPECT_FALSE(tls.insecure);
}

TEST_F(CredentialsTest, SendAPasswordAsBase64) {
  access.username = "bob";
  access.password = "p:w";
  make();
  EXPECT_EQ(header("Authorization"), "Basic " + net::base64("bob:p:w"));
}

TEST_F(CredentialsTest, SayWhoWeWantToBe) {
  access.as_user = "jane";
  access.as_uid = "u1";
  access.as_groups = {"a", "system:masters"};
  access.as_extra = {{"scopes", {"x", "y"}}, {"example.org/A b", {"z"}}};
  make();
  EXPECT_EQ(header("Impersonate-User"), "jane");
  EXPECT_EQ(header("Impersonate-Uid"), "u1");
  EXPECT_EQ(header("Impersonate-Group"), "a|system:masters");
  EXPECT_EQ(header("Impersonate-Extra-scopes"), "x|y");
  EXPECT_EQ(header("Impersonate-Extra-example.org%2FA%20b"), "z");
}

TEST_F(CredentialsTest, ReadATokenFileAgainAboutEveryMinute) {
  write("token", "one\n");
  access.token = "beside";
  access.token_file = path("token");
  make();
  EXPECT_EQ(header("Authorization"), "Bearer one");
  const auto generation = credentials->identity().generation;
  const auto tls = credentials->identity().tls;
  write("token", "two\n");
  pass(59);
  EXPECT_EQ(header("Authorization"), "Bearer one");
  pass(1);
  EXPECT_EQ(header("Authorization"), "Bearer two");
  EXPECT_GT(credentials->identity().generation, generation);
  // Connections can stay.
  EXPECT_EQ(credentials->identity().tls, tls);
  // While it is replaced, the old one stays.
  write("token", "");
  pass(60);
  std::filesystem::remove(path("token"));
  pass(60);
  EXPECT_EQ(header("Authorization"), "Bearer two");
  EXPECT_TRUE(credentials->ready());
}

TEST_F(CredentialsTest, ReadACertificateFileAgain) {
  write("c", "one");
  write("k", "key");
  access.client_certificate_file = path("c");
  access.client_key_file = path("k");
  make();
  const auto tls = credentials->identity().tls;
  EXPECT_EQ(tls->certificate_pem, "one");
  pass(60);
  EXPECT_EQ(credentials->identity().tls, tls);
  write("c", "two");
  pass(60);
  EXPECT_EQ(credentials->identity().tls->certificate_pem, "two");
}

TEST_F(CredentialsTest, SayAtOnceWhatIsMissing) {
  access.token_file = path("absent");
  const auto made = Credentials::make(access, now, [] {});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message,
            path("absent") + ": the token cannot be read: No such file or directory");
}

TEST_F(CredentialsTest, AreReadAtOnceWhenTheServerDoesNotKnowThem) {
  write("token", "one");
  access.token_file = path("token");
  make();
  // Nothing has changed, so there is nothing to try.
  EXPECT_FALSE(credentials->rejected(credentials->identity().generation, now));
  pass(20);
  write("token", "two");
  const auto generation = credentials->identity().generation;
  EXPECT_TRUE(credentials->rejected(generation, now));
  EXPECT_EQ(header("Authorization"), "Bearer two");
  // A request that went out before is worth another try without anything being read.
  EXPECT_TRUE(credentials->rejected(generation, now));
}

TEST_F(CredentialsTest, CannotBeRenewedWhereTheyAreFixed) {
  access.token = "t";
  make();
  EXPECT_FALSE(credentials->renewable());
  EXPECT_FALSE(credentials->rejected(credentials->identity().generation, now));
}

TEST_F(CredentialsTest, ComeFromAPluginAndAreKeptUntilTheyExpire) {
  use_plugin(R"({"token":"one","expirationTimestamp":"2027-01-15T08:10:00Z"})");
  make();
  ASSERT_LT(now.wall, Timestamp::from_seconds(1'800'000'600));
  EXPECT_EQ(header("Authorization"), "Bearer one");
  pass(589);
  EXPECT_TRUE(credentials->ready());
  EXPECT_EQ(runs(), 1);
  write("status", R"({"token":"two"})");
  pass(1);  // ten seconds before
  EXPECT_FALSE(credentials->ready());
  EXPECT_EQ(credentials->problem(), "");
  wait_for_plugin();
  EXPECT_TRUE(credentials->ready());
  EXPECT_EQ(header("Authorization"), "Bearer two");
  pass(1'000'000);
  EXPECT_EQ(runs(), 2);
}

TEST_F(CredentialsTest, AreAskedForOnceMoreWhenTheServerDoesNotKnowThem) {
  use_plugin(R"({"token":"one"})");
  make();
  write("status", R"({"token":"two"})");
  const auto generation = credentials->identity().generation;
  // Several requests come back at the same time.
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(credentials->rejected(generation, now));
  wait_for_plugin();
  EXPECT_EQ(runs(), 2);
  EXPECT_EQ(header("Authorization"), "Bearer two");
  // A server that never lets us in does not make us run it again and again.
  EXPECT_FALSE(credentials->rejected(credentials->identity().generation, now));
}

TEST_F(CredentialsTest, AreMissingWhileThePluginFailsAndComeBack) {
  use_plugin(R"({"token":"one"})");
  make();
  write("fail", "");
  EXPECT_TRUE(credentials->rejected(credentials->identity().generation, now));
  wait_for_plugin();
  EXPECT_FALSE(credentials->ready());
  EXPECT_NE(credentials->problem().find("ended with exit code 1"), std::string::npos);
  // Not at once again.
  credentials->refresh(now);
  EXPECT_EQ(runs(), 2);
  std::filesystem::remove(path("fail"));
  pass(1);
  wait_for_plugin();
  EXPECT_TRUE(credentials->ready());
  EXPECT_EQ(credentials->problem(), "");
}

TEST_F(CredentialsTest, MakeNewConnectionsForANewCertificate) {
  use_plugin(R"({"clientCertificateData":"c1","clientKeyData":"k1"})");
  make();
  EXPECT_EQ(credentials->identity().tls->certificate_pem, "c1");
  EXPECT_EQ(header("Authorization"), "");
  write("status", R"({"clientCertificateData":"c2","clientKeyData":"k2"})");
  EXPECT_TRUE(credentials->rejected(credentials->identity().generation, now));
  wait_for_plugin();
  EXPECT_EQ(credentials->identity().tls->certificate_pem, "c2");
  EXPECT_EQ(credentials->identity().tls->key_pem, "k2");
}

TEST_F(CredentialsTest, DoNotRunAPluginBesideAToken) {
  use_plugin(R"({"token":"one"})");
  access.token = "mine";
  make();
  EXPECT_EQ(header("Authorization"), "Bearer mine");
  EXPECT_EQ(runs(), 0);
}

}  // namespace
}  // namespace ebb::kube
