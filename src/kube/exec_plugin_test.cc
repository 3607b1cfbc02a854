// Credential plugins: small shell scripts that are executed.
#include <chrono>
#include <fstream>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <gtest/gtest.h>

#include "base/base64.h"
#include "kube/exec_plugin_runner.h"
#include "net/tls/secret.h"
#include "support/objects/temporary_folder.h"

namespace ebb::kube {
namespace {

constexpr const char* kVersion = "client.authentication.k8s.io/v1";

class ExecPluginTest : public ::testing::Test {
 protected:
  void SetUp() override {
    access.server = "https://h";
    access.exec = ExecPlugin{.api_version = kVersion, .interactive_mode = "Never"};
  }
  void script(const std::string& text) {
    const std::filesystem::path file = folder.path() / "plugin";
    std::ofstream(file) << "#!/bin/sh\n" << text;
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    access.exec->command = file.string();
  }
  Result<ExecCredential> run(bool interactive = false) {
    return run_exec_plugin(access, interactive, stop);
  }
  std::string error() {
    auto result = run();
    return result ? "" : result.error().message;
  }
  // Writes an ExecCredential with this status.
  void write_status(const std::string& status) {
    script("echo '{\"kind\":\"ExecCredential\",\"apiVersion\":\"" + std::string(kVersion) +
           "\",\"status\":" + status + "}'\n");
  }

  support::TemporaryFolder folder;
  ClusterAccess access;
  std::atomic<bool> stop = false;
};

TEST_F(ExecPluginTest, HandsOutTokensAndCertificates) {
  write_status(R"({"token":"t","expirationTimestamp":"2030-01-01T00:00:00Z"})");
  const auto token = run();
  ASSERT_TRUE(token) << token.error().message;
  EXPECT_EQ(token->token, "t");
  EXPECT_EQ(token->expires, Timestamp::from_seconds(1'893'456'000));
  write_status(R"({"clientCertificateData":"c","clientKeyData":"k"})");
  const auto certificate = run();
  ASSERT_TRUE(certificate) << certificate.error().message;
  EXPECT_EQ(certificate->certificate_pem, "c");
  EXPECT_EQ(certificate->key_pem, "k");
  EXPECT_TRUE(certificate->expires.is_zero());
}

TEST_F(ExecPluginTest, GetsArgumentsAndVariablesAsTheyAre) {
  script(R"sh(cd "$(dirname "$0")"
printf '%s\n' "$1" "$2" "$MINE" "$HOME" "$KUBERNETES_EXEC_INFO" > seen
cat > stdin
exit 3
)sh");
  access.exec->args = {"a b; echo $HOME", "*"};
  access.exec->env = {{"MINE", "it's"}, {"HOME", "elsewhere"}};
  access.exec->provide_cluster_info = true;
  access.exec->cluster_config = R"({"audience":"me"})";
  access.ca_pem = "authority";
  access.tls_server_name = "name";
  EXPECT_EQ(error(), "the credential plugin " + access.exec->command + " exited with code 3");
  std::ifstream seen(folder.path() / "seen");
  std::string line;
  for (const char* expected : {"a b; echo $HOME", "*", "it's", "elsewhere"}) {
    std::getline(seen, line);
    EXPECT_EQ(line, expected);
  }
  std::getline(seen, line);
  const auto info = boost::json::parse(line).as_object();
  EXPECT_EQ(info.at("kind"), "ExecCredential");
  EXPECT_EQ(info.at("apiVersion"), kVersion);
  const auto& spec = info.at("spec").as_object();
  EXPECT_EQ(spec.at("interactive"), false);
  const auto& cluster = spec.at("cluster").as_object();
  EXPECT_EQ(cluster.at("server"), "https://h");
  EXPECT_EQ(cluster.at("tls-server-name"), "name");
  EXPECT_EQ(cluster.at("certificate-authority-data").as_string(), encode_base64("authority"));
  EXPECT_EQ(cluster.at("config").as_object().at("audience"), "me");
}

TEST_F(ExecPluginTest, SaysWhatIsWrongWithoutTellingSecrets) {
  struct Row {
    const char* script;
    const char* error;
  };
  for (const Row& row : {
           Row{"echo top-secret", "did not write an ExecCredential"},
           Row{"echo '{\"token\":\"top-secret\"}'", "kind is not ExecCredential"},
           Row{"kill -9 $$", "was terminated by signal 9"},
           Row{"head -c 2000000 /dev/zero; sleep 60", "wrote more than a MiB and was killed"},
       }) {
    script(row.script);
    const std::string message = error();
    EXPECT_NE(message.find(row.error), std::string::npos) << message;
    EXPECT_EQ(message.find("top-secret"), std::string::npos) << message;
  }
  for (const Row& row : {
           Row{"{}", "token and clientCertificateData are both missing"},
           Row{"null", "status is missing"},
           Row{R"({"clientKeyData":"top-secret"})", "must be set together"},
           Row{R"({"token":["top-secret"]})", "token: expected a string"},
           Row{R"({"token":"top-secret","expirationTimestamp":"soon"})",
               "expirationTimestamp is not an RFC 3339 time"},
       }) {
    write_status(row.script);
    const std::string message = error();
    EXPECT_NE(message.find(row.error), std::string::npos) << message;
    EXPECT_EQ(message.find("top-secret"), std::string::npos) << message;
  }
  write_status(R"({"token":"t"})");
  access.exec->api_version = "client.authentication.k8s.io/v1beta1";
  EXPECT_NE(error().find("apiVersion is not client.authentication.k8s.io/v1beta1"),
            std::string::npos);
}

TEST_F(ExecPluginTest, SaysHowToInstallAMissingPlugin) {
  access.exec->command = "ebb-no-such-plugin";
  access.exec->install_hint = "Install it from the shelf.";
  EXPECT_EQ(error(),
            "the credential plugin ebb-no-such-plugin cannot be run: No such file or directory\n"
            "Install it from the shelf.");
}

TEST_F(ExecPluginTest, NeedsATerminalIfItAlwaysAsks) {
  write_status(R"({"token":"t"})");
  access.exec->interactive_mode = "Always";
  EXPECT_NE(error().find("there is no terminal"), std::string::npos);
  EXPECT_TRUE(run(true));
}

TEST_F(ExecPluginTest, IsKilledWithItsChildrenWhenItsRunnerIsDestroyed) {
  script("sleep 600 & echo $! > \"$(dirname \"$0\")/child\"; wait");
  {
    ExecPluginRunner runner(access, [] {});
    runner.start();
    EXPECT_TRUE(runner.running());
    while (!std::filesystem::exists(folder.path() / "child") ||
           std::filesystem::is_empty(folder.path() / "child")) {
      std::this_thread::yield();
    }
  }
  pid_t child = 0;
  std::ifstream(folder.path() / "child") >> child;
  ASSERT_GT(child, 0);
  // The signal takes a moment, and so does its new parent to take it off the list of processes.
  const auto is_alive = [child] {
    std::ifstream state("/proc/" + std::to_string(child) + "/stat");
    std::string line;
    std::getline(state, line);
    return !line.empty() && line.find(") Z") == std::string::npos;
  };
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (is_alive() && std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_FALSE(is_alive());
}

}  // namespace
}  // namespace ebb::kube
