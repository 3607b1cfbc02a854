// Kubeconfig files, valid and invalid.
#include <cstdlib>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/base64.h"
#include "kube/cluster_access.h"
#include "kube/in_cluster.h"
#include "net/tls/secret.h"
#include "support/objects/temporary_folder.h"

namespace ebb::kube {
namespace {

// An environment variable that is put back.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  ~Variable() {
    if (before_) {
      setenv(name_, before_->c_str(), 1);
    } else {
      unsetenv(name_);
    }
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

class KubeconfigTest : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    const std::filesystem::path file = folder.path() / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
    return file.string();
  }
  // With `cluster` and `user` as the bodies of the entries k and u.
  Result<ClusterAccess> access(const std::string& cluster, const std::string& user) {
    const std::string file = write("config", fmt::format(R"(
clusters: [{{name: k, cluster: {}}}]
users: [{{name: u, user: {}}}]
contexts: [{{name: c, context: {{cluster: k, user: u}}}}]
current-context: c
)",
                                                         cluster, user));
    return find_cluster_access({.kubeconfig = file});
  }
  std::string error(const std::string& cluster, const std::string& user) {
    auto result = access(cluster, user);
    return result ? "" : result.error().message;
  }

  support::TemporaryFolder folder;
  Variable home{"HOME", folder.path().string()};
  Variable files{"KUBECONFIG", ""};
};

constexpr const char* kTwoContexts = R"(
apiVersion: v1
kind: Config
preferences: {}
clusters:
- name: one
  cluster: {server: "https://one:6443/", tls-server-name: uno, proxy-url: "socks5://p:1"}
- name: two
  cluster: {server: "https://two:6443/prefix/", insecure-skip-tls-verify: true}
users:
- {name: alice, user: {token: secret-a}}
- {name: bob, user: {username: bob, password: secret-b}}
contexts:
- name: first
  context: {cluster: one, user: alice}
- name: second
  context: {cluster: two, user: bob, namespace: shop}
- {name: nobody, context: {cluster: one}}
current-context: first
)";

TEST_F(KubeconfigTest, TakesTheCurrentContextOrTheOneThatIsNamed) {
  const std::string file = write("config", kTwoContexts);
  const auto first = find_cluster_access({.kubeconfig = file});
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(first->context, "first");
  EXPECT_EQ(first->server, "https://one:6443");
  EXPECT_EQ(first->tls_server_name, "uno");
  EXPECT_EQ(first->proxy_url, "socks5://p:1");
  EXPECT_EQ(first->token, "secret-a");
  EXPECT_EQ(first->namespace_name, "default");
  EXPECT_FALSE(first->insecure);

  const auto second = find_cluster_access({.kubeconfig = file, .context = "second"});
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ(second->server, "https://two:6443/prefix");
  EXPECT_TRUE(second->insecure);
  EXPECT_EQ(second->username, "bob");
  EXPECT_EQ(second->password, "secret-b");
  EXPECT_EQ(second->namespace_name, "shop");

  const auto nobody = find_cluster_access({.kubeconfig = file, .context = "nobody"});
  ASSERT_TRUE(nobody) << nobody.error().message;
  EXPECT_EQ(nobody->token, "");
}

TEST_F(KubeconfigTest, LooksWhereKubectlLooks) {
  write(".kube/config", kTwoContexts);
  EXPECT_EQ(find_cluster_access({})->context, "first");
  // KUBECONFIG goes before the file at home, and --kubeconfig before both.
  const std::string other = write("other", R"(
clusters: [{name: k, cluster: {server: "https://other"}}]
contexts: [{name: other, context: {cluster: k}}]
current-context: other
)");
  const Variable list("KUBECONFIG", ":" + other + ":");
  EXPECT_EQ(find_cluster_access({})->context, "other");
  const std::string file = (folder.path() / ".kube/config").string();
  EXPECT_EQ(find_cluster_access({.kubeconfig = file})->context, "first");
}

TEST_F(KubeconfigTest, LaysFilesOverEachOtherAndTheFirstWins) {
  const std::string one = write("a/one", R"(
clusters: [{name: k, cluster: {server: "https://first"}}]
users: [{name: red, user: {username: red}}]
)");
  const std::string two = write("b/two", R"(
clusters: [{name: k, cluster: {server: "https://second", tls-server-name: second}}]
users: [{name: red, user: {token: from-two}}, {name: blue, user: {tokenFile: token}}]
contexts: [{name: c, context: {cluster: k, user: red}}, {name: d, context: {cluster: k, user: blue}}]
current-context: c
)");
  const std::string three = write("three", "current-context: d\n");
  const Variable list("KUBECONFIG",
                      one + ":" + folder.path().string() + "/absent:" + two + ":" + three);
  const auto access = find_cluster_access({});
  ASSERT_TRUE(access) << access.error().message;
  EXPECT_EQ(access->context, "c");
  EXPECT_EQ(access->server, "https://first");
  // All of an entry comes from one file.
  EXPECT_EQ(access->tls_server_name, "");
  EXPECT_EQ(access->username, "red");
  EXPECT_EQ(access->token, "");
  // Paths are relative to the file that names them.
  EXPECT_EQ(find_cluster_access({.context = "d"})->token_file,
            (folder.path() / "b/token").string());
}

TEST_F(KubeconfigTest, ReadsCertificatesFromDataAndFromFiles) {
  write("ca.crt", "the authority");
  const auto files_only = access("{server: h, certificate-authority: ca.crt}",
                                 "{client-certificate: c.crt, client-key: sub/../c.key}");
  ASSERT_TRUE(files_only) << files_only.error().message;
  EXPECT_EQ(files_only->ca_pem, "the authority");
  // These are renewed, so they are read later, and again.
  EXPECT_EQ(files_only->client_certificate_file, (folder.path() / "c.crt").string());
  EXPECT_EQ(files_only->client_key_file, (folder.path() / "c.key").string());

  const auto data = access(fmt::format("{{server: h, certificate-authority: none, "
                                       "certificate-authority-data: {}}}",
                                       encode_base64("data")),
                           fmt::format("{{client-certificate: c.crt, client-certificate-data: {}, "
                                       "client-key-data: {}}}",
                                       encode_base64("certificate"), encode_base64("key")));
  ASSERT_TRUE(data) << data.error().message;
  EXPECT_EQ(data->ca_pem, "data");
  EXPECT_EQ(data->client_certificate_pem, "certificate");
  EXPECT_EQ(data->client_key_pem, "key");
  EXPECT_EQ(data->client_certificate_file, "");
}

TEST_F(KubeconfigTest, CompletesAddressesLikeKubectl) {
  write("ca.crt", "x");
  EXPECT_EQ(access("{server: 'h:8080'}", "{}")->server, "http://h:8080");
  EXPECT_EQ(access("{server: h, certificate-authority: ca.crt}", "{}")->server, "https://h");
  EXPECT_EQ(access("{server: h, insecure-skip-tls-verify: true}", "{}")->server, "https://h");
  EXPECT_EQ(access("{server: 'http://h//'}", "{}")->server, "http://h");
}

TEST_F(KubeconfigTest, ReadsImpersonation) {
  const auto as = access("{server: h}",
                         "{as: jane, as-uid: u1, as-groups: [a, b], "
                         "as-user-extra: {scopes: [v, w], reason: [z]}}");
  ASSERT_TRUE(as) << as.error().message;
  EXPECT_EQ(as->as_user, "jane");
  EXPECT_EQ(as->as_uid, "u1");
  EXPECT_EQ(as->as_groups, (std::vector<std::string>{"a", "b"}));
  ASSERT_EQ(as->as_extra.size(), 2);
  EXPECT_EQ(as->as_extra[0].first, "scopes");
  EXPECT_EQ(as->as_extra[0].second, (std::vector<std::string>{"v", "w"}));
}

TEST_F(KubeconfigTest, ReadsPlugins) {
  const auto access_with = access(R"({server: h, extensions: [{name: other, extension: 1},
      {name: client.authentication.k8s.io/exec, extension: {audience: me}}]})",
                                  R"({exec: {apiVersion: client.authentication.k8s.io/v1,
      command: ./bin/login, args: [a, b c], env: [{name: X, value: "1"}], installHint: get it,
      provideClusterInfo: true, interactiveMode: IfAvailable}})");
  ASSERT_TRUE(access_with) << access_with.error().message;
  ASSERT_TRUE(access_with->exec);
  EXPECT_EQ(access_with->exec->command, (folder.path() / "bin/login").string());
  EXPECT_EQ(access_with->exec->args, (std::vector<std::string>{"a", "b c"}));
  EXPECT_EQ(access_with->exec->env[0], (std::pair<std::string, std::string>{"X", "1"}));
  EXPECT_EQ(access_with->exec->install_hint, "get it");
  EXPECT_TRUE(access_with->exec->provide_cluster_info);
  EXPECT_EQ(access_with->exec->cluster_config, R"({"audience":"me"})");
  const auto by_name = access("{server: h}",
                              "{exec: {apiVersion: client.authentication.k8s.io/v1beta1, "
                              "command: login}}");
  ASSERT_TRUE(by_name) << by_name.error().message;
  EXPECT_EQ(by_name->exec->command, "login");
}

TEST_F(KubeconfigTest, SaysWhatIsWrongAndWhere) {
  struct Row {
    const char* cluster;
    const char* user;
    const char* error;  // after the file's name
  };
  constexpr const char* kGood = "{server: h}";
  const Row rows[] = {
      {"{}", "{}", "cluster \"k\": server is missing"},
      {"{server: 1}", "{}", "cluster \"k\": server: expected a string"},
      {"{server: 'https://'}", "{}", "cluster \"k\": server names no host"},
      {"{server: '//'}", "{}", "cluster \"k\": server names no host"},
      {"{server: h, insecure-skip-tls-verify: 'yes'}", "{}",
       "cluster \"k\": insecure-skip-tls-verify: expected true or false"},
      {"{server: h, insecure-skip-tls-verify: true, certificate-authority: x}", "{}",
       "cluster \"k\": certificate-authority and insecure-skip-tls-verify are mutually"},
      {"{server: h, certificate-authority-data: '%%%'}", "{}",
       "cluster \"k\": certificate-authority-data: expected base64"},
      {"{server: h, certificate-authority: absent}", "{}",
       "cluster \"k\": certificate-authority: "},
      {"{server: h, proxy-url: 'ftp://p'}", "{}", "cluster \"k\": proxy-url must begin with"},
      {kGood, "{client-certificate: c}", "user \"u\": a client-certificate needs a client-key"},
      {kGood, "{client-key: c}", "user \"u\": a client-key needs a client-certificate"},
      {kGood, "{token: t, username: me}", "user \"u\": token and username are mutually exclusive"},
      {kGood, "{as-groups: [g]}", "user \"u\": as-uid, as-groups and as-user-extra require"},
      {kGood, "{as: x, as-groups: g}", "user \"u\": as-groups: expected a list"},
      {kGood, "{as: x, as-user-extra: {a: b}}", "user \"u\": as-user-extra: a: expected a list"},
      {kGood, "{auth-provider: {name: gcp}}", "user \"u\": auth-provider was removed"},
      {kGood, "{exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never}}",
       "user \"u\": exec: command is missing"},
      {kGood, "{exec: {command: x}}", "user \"u\": exec: apiVersion must be"},
      {kGood, "{exec: {command: x, apiVersion: client.authentication.k8s.io/v1alpha1}}",
       "user \"u\": exec: apiVersion client.authentication.k8s.io/v1alpha1 was removed"},
      {kGood, "{exec: {command: x, apiVersion: client.authentication.k8s.io/v1}}",
       "user \"u\": exec: interactiveMode is missing"},
      {kGood,
       "{exec: {command: x, apiVersion: client.authentication.k8s.io/v1, interactiveMode: Often}}",
       "user \"u\": exec: interactiveMode must be Never, IfAvailable or Always"},
      {kGood, "{exec: {command: x, apiVersion: client.authentication.k8s.io/v1beta1, env: [{}]}}",
       "user \"u\": exec: env: a variable has no name"},
  };
  const std::string prefix = (folder.path() / "config").string() + ": ";
  for (const Row& row : rows) {
    const std::string message = error(row.cluster, row.user);
    EXPECT_TRUE(message.starts_with(prefix + row.error)) << row.error << "\n" << message;
  }
}

TEST_F(KubeconfigTest, NeverPrintsASecret) {
  for (const char* user : {"{token: [top-secret]}", "{token: \"top-secret\\nline\"}",
                           "{client-key-data: top-secret}", "{username: a, password: [top-secret]}",
                           "{token: top-secret, username: a}", "{token: {top-secret: 1}}"}) {
    const std::string message = error("{server: h}", user);
    EXPECT_NE(message, "") << user;
    EXPECT_EQ(message.find("top-secret"), std::string::npos) << message;
  }
}

TEST_F(KubeconfigTest, NamesWhatThereIsInsteadOfWhatWasWanted) {
  const std::string file = write("config", kTwoContexts);
  const auto message = [](const AccessOptions& options) {
    auto result = find_cluster_access(options);
    return result ? "" : result.error().message;
  };
  EXPECT_EQ(message({.kubeconfig = file, .context = "third"}),
            "context \"third\" does not exist in " + file + "; known: first, nobody and second");
  const std::string broken = write("broken", R"(
clusters: [{name: k, cluster: {server: h}}]
contexts:
- {name: a, context: {cluster: gone}}
- {name: b, context: {cluster: k, user: gone}}
- {name: c, context: {}}
)");
  EXPECT_EQ(
      message({.kubeconfig = broken, .context = "a"}),
      "cluster \"gone\" (wanted by context \"a\") does not exist in " + broken + "; known: k");
  EXPECT_EQ(
      message({.kubeconfig = broken, .context = "b"}),
      "user \"gone\" (wanted by context \"b\") does not exist in " + broken + "; known: none");
  EXPECT_EQ(message({.kubeconfig = broken, .context = "c"}),
            broken + ": context \"c\": cluster is missing; known clusters: k");
  EXPECT_EQ(message({.kubeconfig = broken}),
            broken + " sets no current-context; name one with --context (known: a, b and c)");
}

TEST_F(KubeconfigTest, RefusesInvalidKubeconfigs) {
  struct Row {
    const char* text;
    const char* error;
  };
  for (const Row& row :
       {Row{"kind: Pod\n", ": kubeconfig: this is a Pod, not a Config"},
        Row{"- a\n", ": a kubeconfig must be an object"},
        Row{"a: 1\n---\nb: 2\n", ": a kubeconfig must be one"},
        Row{"clusters: {}\n", ": kubeconfig: clusters: expected a list"},
        Row{"clusters: [1]\n", ": kubeconfig: clusters: expected a list of objects"},
        Row{"users: [{user: {}}]\n", ": kubeconfig: users: an entry has no name"},
        Row{"users: [{name: a}, {name: a}]\n", ": kubeconfig: users: \"a\" occurs twice"},
        Row{"a: [\n", ": "}}) {
    const std::string file = write("config", row.text);
    const auto result = find_cluster_access({.kubeconfig = file});
    ASSERT_FALSE(result) << row.text;
    EXPECT_TRUE(result.error().message.starts_with(file + row.error)) << result.error().message;
  }
}

TEST_F(KubeconfigTest, SaysWhereItLookedInVain) {
  const Variable host("KUBERNETES_SERVICE_HOST", "");
  auto nothing = find_cluster_access({});
  ASSERT_FALSE(nothing);
  EXPECT_NE(nothing.error().message.find(".kube/config not found"), std::string::npos)
      << nothing.error().message;
  // One that was named has to be there.
  auto absent = find_cluster_access({.kubeconfig = "/absent/config"});
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().message,
            "/absent/config: the kubeconfig cannot be read: No such file or directory");
  EXPECT_FALSE(find_cluster_access({.kubeconfig = folder.path().string()}));
}

TEST_F(KubeconfigTest, TakesTheServiceAccountOfItsPod) {
  write("sa/token", "pod-token\n");
  write("sa/ca.crt", "the authority");
  write("sa/namespace", "shop");
  const auto access = in_cluster_access("10.0.0.1", "443", folder.path() / "sa");
  ASSERT_TRUE(access) << access.error().message;
  EXPECT_EQ(access->server, "https://10.0.0.1:443");
  EXPECT_EQ(access->token_file, (folder.path() / "sa/token").string());
  EXPECT_EQ(access->ca_pem, "the authority");
  EXPECT_EQ(access->namespace_name, "shop");
  EXPECT_EQ(in_cluster_access("fd00::1", "443", folder.path() / "sa")->server,
            "https://[fd00::1]:443");
  std::filesystem::remove(folder.path() / "sa/token");
  EXPECT_FALSE(in_cluster_access("10.0.0.1", "443", folder.path() / "sa"));
}

}  // namespace
}  // namespace ebb::kube
