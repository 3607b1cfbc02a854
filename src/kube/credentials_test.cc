// Credentials over time; the test sets the clock.
#include "kube/credentials.h"

#include <fstream>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/base64.h"
#include "base/mutex.h"
#include "net/tls/secret.h"
#include "support/net/identities.h"
#include "support/objects/temporary_folder.h"

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
  static std::string status_of(const net::KeyPair& pair) {
    return boost::json::serialize(boost::json::object{
        {"clientCertificateData", pair.certificate_pem}, {"clientKeyData", pair.key_pem}});
  }
  int runs() {
    std::ifstream file(folder.path() / "runs");
    int count = 0;
    for (std::string line; std::getline(file, line);) ++count;
    return count;
  }
  void make() {
    auto made = Credentials::make(access, now, [this] {
      const MutexLock lock(mutex);
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
    {
      const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
      const MutexLock lock(mutex);
      while (!woken) ASSERT_TRUE(changed.wait_until(mutex, end));
      woken = false;
    }
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
  Mutex mutex;
  ConditionVariable changed;
  bool woken EBB_GUARDED_BY(mutex) = false;
};

TEST_F(CredentialsTest, IdentifyTheClient) {
  access.token = "t";
  const net::KeyPair pair = support::make_identity();
  access.ca_pem = pair.certificate_pem;
  access.tls_server_name = "name";
  access.client_certificate_pem = pair.certificate_pem;
  access.client_key_pem = pair.key_pem;
  make();
  EXPECT_EQ(header("Authorization"), "Bearer t");
  EXPECT_EQ(header("User-Agent").substr(0, 4), "ebb/");
  EXPECT_EQ(header("Impersonate-User"), "");
  const net::HttpClientTls& tls = *credentials->identity().tls;
  EXPECT_EQ(tls.ca_pem, pair.certificate_pem);
  EXPECT_EQ(tls.server_name, "name");
  EXPECT_EQ(tls.certificate_pem, pair.certificate_pem);
  EXPECT_EQ(tls.key_pem, pair.key_pem);
  EXPECT_FALSE(tls.insecure);
}

TEST_F(CredentialsTest, SendAPasswordAsBase64) {
  access.username = "bob";
  access.password = "p:w";
  make();
  EXPECT_EQ(header("Authorization"), "Basic " + encode_base64("bob:p:w"));
}

TEST_F(CredentialsTest, ImpersonateAUser) {
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
  const net::KeyPair one = support::make_identity();
  const net::KeyPair two = support::make_identity();
  write("c", one.certificate_pem);
  write("k", one.key_pem);
  access.client_certificate_file = path("c");
  access.client_key_file = path("k");
  make();
  const auto tls = credentials->identity().tls;
  EXPECT_EQ(tls->certificate_pem, one.certificate_pem);
  pass(60);
  EXPECT_EQ(credentials->identity().tls, tls);
  write("c", two.certificate_pem);
  pass(60);
  // Its key has not been replaced yet.
  EXPECT_EQ(credentials->identity().tls, tls);
  write("k", two.key_pem);
  pass(60);
  EXPECT_EQ(credentials->identity().tls->certificate_pem, two.certificate_pem);
  EXPECT_EQ(credentials->identity().tls->key_pem, two.key_pem);
}

TEST_F(CredentialsTest, ReportAnInvalidCertificateAtOnce) {
  const net::KeyPair pair = support::make_identity();
  const auto problem = [this] {
    const auto made = Credentials::make(access, now, [] {});
    return made ? "none" : made.error().message;
  };
  access.client_certificate_pem = pair.certificate_pem;
  access.client_key_pem = support::encrypted(pair.key_pem);
  EXPECT_EQ(problem(),
            "the private key in the kubeconfig is encrypted; expected one without a passphrase");
  write("k", support::traditional(pair.key_pem, true));
  access.client_key_pem.clear();
  access.client_key_file = path("k");
  EXPECT_EQ(problem(),
            "the private key in " + path("k") + " is encrypted; expected one without a passphrase");
  write("k", support::make_identity().key_pem);
  EXPECT_EQ(problem(), "the private key in " + path("k") + " does not belong to the certificate");
  write("k", pair.key_pem);
  EXPECT_EQ(problem(), "none");
  access.ca_pem = support::marked_as_encrypted(pair.certificate_pem);
  EXPECT_EQ(problem(), "the certificate of the certificate authority is encrypted");
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
  // A request that was sent with the old token is retried without reading the file again.
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
  // A server that always answers 401 does not cause one run of the plugin after another.
  EXPECT_FALSE(credentials->rejected(credentials->identity().generation, now));
}

TEST_F(CredentialsTest, AreMissingWhileThePluginFailsAndComeBack) {
  use_plugin(R"({"token":"one"})");
  make();
  write("fail", "");
  EXPECT_TRUE(credentials->rejected(credentials->identity().generation, now));
  wait_for_plugin();
  EXPECT_FALSE(credentials->ready());
  EXPECT_NE(credentials->problem().find("exited with code 1"), std::string::npos);
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
  const net::KeyPair one = support::make_identity();
  const net::KeyPair two = support::make_identity();
  use_plugin(status_of(one));
  make();
  EXPECT_EQ(credentials->identity().tls->certificate_pem, one.certificate_pem);
  EXPECT_EQ(header("Authorization"), "");
  write("status", status_of(two));
  EXPECT_TRUE(credentials->rejected(credentials->identity().generation, now));
  wait_for_plugin();
  EXPECT_EQ(credentials->identity().tls->certificate_pem, two.certificate_pem);
  EXPECT_EQ(credentials->identity().tls->key_pem, two.key_pem);
}

TEST_F(CredentialsTest, AreMissingWhileAPluginHandsOutAnEncryptedKey) {
  const net::KeyPair pair = support::make_identity();
  const net::KeyPair locked{pair.certificate_pem, support::encrypted(pair.key_pem)};
  const std::string problem = "the private key from the credential plugin " + path("plugin") +
                              " is encrypted; expected one without a passphrase";
  use_plugin(status_of(locked));
  const auto made = Credentials::make(access, now, [] {});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message, problem);

  use_plugin(status_of(pair));
  make();
  write("status", status_of(locked));
  EXPECT_TRUE(credentials->rejected(credentials->identity().generation, now));
  wait_for_plugin();
  EXPECT_FALSE(credentials->ready());
  EXPECT_EQ(credentials->problem(), problem);
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
