// The webhook's server, certificates and registration against the embedded cluster, over HTTP.
#include <chrono>
#include <set>
#include <sstream>
#include <string>
#include <thread>

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include "base/base64.h"
#include "schema/core/json.h"
#include "support/cluster/controlled_cluster.h"
#include "support/net/http_client.h"

namespace ebb {
namespace {

using model::Method;
using support::ControlledCluster;
using support::eventually;
using support::HttpClient;
using support::RunningControllers;

const std::string kConfiguration =
    "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/ebb-webhook";
const std::string kSecret = "/api/v1/namespaces/kube-system/secrets/ebb-webhook-tls";
constexpr std::uint16_t kAnyPort = 0;

class WebhookOnClusterTest : public ::testing::Test {
 protected:
  runtime::ControllersSettings settings(std::uint64_t seed) {
    runtime::ControllersSettings settings;
    settings.process.replica_sets = false;
    settings.process.deployments = false;
    settings.process.webhook.emplace();
    settings.process.registration = control::RegistrationSettings{.url = "https://127.0.0.1:9443"};
    settings.process.seed = seed;
    settings.webhook = runtime::WebhookServerSettings{
        .address = "127.0.0.1",
        .port = kAnyPort,
        .certificate = {.secret = {.namespace_name = "kube-system", .name = "ebb-webhook-tls"},
                        .hosts = {"127.0.0.1"},
                        .configuration = "ebb-webhook",
                        .times = times}};
    return settings;
  }

  void create_policy() {
    cluster.ask(Method::kPost, "/api/v1/namespaces",
                R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"shop"}})");
    cluster.ask(Method::kPost, "/apis/ebb.dev/v1alpha1/namespaces/shop/downscalepolicies",
                R"({"apiVersion":"ebb.dev/v1alpha1","kind":"DownscalePolicy",
                    "metadata":{"name":"web"},
                    "spec":{"targetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"},
                            "ranking":{"strategies":[{"name":"Youngest"}]}}})");
  }
  // Empty if nothing is registered.
  std::string published() {
    const auto configuration = cluster.ask(Method::kGet, kConfiguration);
    const auto* webhooks = schema::array_at(configuration, {"webhooks"});
    if (webhooks == nullptr || webhooks->empty()) return {};
    return decode_base64(schema::text_at(webhooks->at(0).as_object(), {"clientConfig", "caBundle"}))
        .value_or("");
  }
  std::string secret(std::string_view key) {
    return decode_base64(schema::text_at(cluster.ask(Method::kGet, kSecret), {"data", key}))
        .value_or("");
  }

  runtime::CertificateTimes times{};
  std::ostringstream log;
  ControlledCluster cluster{ControlledCluster::quick()};
};

TEST_F(WebhookOnClusterTest, TwoReplicasServeUnderOneAuthority) {
  create_policy();
  RunningControllers one(cluster.make(settings(1), log));
  RunningControllers other(cluster.make(settings(2), log));
  ASSERT_TRUE(eventually([&] { return !published().empty(); }));
  EXPECT_EQ(published(), secret("ca.crt"));
  for (RunningControllers* each : {&one, &other}) {
    EXPECT_TRUE(eventually([&] { return (*each)->ready(); }));
    EXPECT_TRUE(
        eventually([&] { return HttpClient((*each)->webhook_port(), published()).connected(); }));
    HttpClient client((*each)->webhook_port(), published());
    ASSERT_TRUE(client.connected());
    EXPECT_EQ(client.ask("GET", "/scale-down").code, 405);
    EXPECT_EQ(client.ask("GET", "/elsewhere").code, 404);
    EXPECT_EQ(client.ask("POST", "/fence", "{}", "Content-Type: text/plain\r\n").code, 415);
    EXPECT_EQ(
        client.ask("POST", "/fence?timeout=1s", "nonsense", "Content-Type: application/json\r\n")
            .code,
        400);
    const auto answer = client.ask(
        "POST", "/scale-down?timeout=1s",
        R"({"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"u-1",
            "resource":{"group":"","version":"v1","resource":"configmaps"},"operation":"UPDATE"}})",
        "Content-Type: application/json\r\n");
    EXPECT_EQ(answer.code, 200);
    EXPECT_NE(answer.body.find(R"("allowed":true)"), std::string::npos) << answer.body;
    EXPECT_NE(answer.body.find("u-1"), std::string::npos) << answer.body;
  }
}

// A client that trusts what is published can connect at any time, while authorities are replaced
// every few seconds.
TEST_F(WebhookOnClusterTest, AuthoritiesAreReplacedWithoutAFailure) {
  times.authority_life_ns = kHour;
  times.authority_renewal_ns = 2 * kHour;
  times.publication_ns = 500 * kMillisecond;
  times.check_period_ns = 200 * kMillisecond;
  create_policy();
  RunningControllers one(cluster.make(settings(1), log));
  RunningControllers other(cluster.make(settings(2), log));
  for (RunningControllers* each : {&one, &other}) {
    ASSERT_TRUE(eventually([&] {
      const std::string bundle = published();
      return !bundle.empty() && HttpClient((*each)->webhook_port(), bundle).connected();
    }));
  }
  std::set<std::string> authorities;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (authorities.size() < 4 && std::chrono::steady_clock::now() < end) {
    const std::string bundle = published();
    for (RunningControllers* each : {&one, &other}) {
      ASSERT_TRUE(HttpClient((*each)->webhook_port(), bundle).connected()) << log.str();
    }
    authorities.insert(secret("ca.crt"));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_GE(authorities.size(), 4U);
}

}  // namespace
}  // namespace ebb
