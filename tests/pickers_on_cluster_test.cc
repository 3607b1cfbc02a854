// Pickers called by running controllers, over HTTP on loopback, for pods of the embedded cluster.
#include <chrono>
#include <optional>
#include <set>
#include <sstream>
#include <vector>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "runtime/controllers.h"
#include "schema/core/json.h"
#include "support/cluster/controlled_cluster.h"
#include "support/net/http_client.h"
#include "support/picker/local_picker.h"

namespace ebb {
namespace {

namespace json = boost::json;
using model::Method;
using runtime::ControllersSettings;
using schema::integer_at;
using schema::text_at;
using support::eventually;
using support::LocalPicker;

constexpr const char* kPolicies = "/apis/ebb.dev/v1alpha1/namespaces/default/downscalepolicies";
constexpr const char* kDeployment = "/apis/apps/v1/namespaces/default/deployments/web";
constexpr const char* kSecret = "Bearer tr3asure-0f-the-test";

class PickersOnCluster : public ::testing::Test {
 protected:
  void start(int verbosity = 10) {
    ControllersSettings settings;
    settings.egress.loopback = true;
    settings.log.verbosity = verbosity;
    controllers.emplace(cluster.make(std::move(settings), log));
  }

  static std::string picker_at(std::uint16_t port, const std::string& more = "") {
    return fmt::format(R"({{"http":{{"host":"127.0.0.1","port":{}{}}},)"
                       R"("timeoutSeconds":5,"maxRetries":0}})",
                       port, more);
  }
  // `more` begins with a comma and belongs to its spec.
  void create_deployment(int replicas, const std::string& more = "") {
    cluster.ask(
        Method::kPost, "/apis/apps/v1/namespaces/default/deployments",
        fmt::format(R"({{"apiVersion":"apps/v1","kind":"Deployment","metadata":{{"name":"web"}},)"
                    R"("spec":{{"replicas":{},"selector":{{"matchLabels":{{"app":"web"}}}},)"
                    R"("template":{{"metadata":{{"labels":{{"app":"web"}}}},)"
                    R"("spec":{{"containers":[{{"name":"c","image":"x"}}]}}}}{}}}}})",
                    replicas, more));
    ASSERT_TRUE(has_ready(replicas)) << log.str();
  }
  // Before the controllers start: nothing says when those that run have seen it.
  void create_policy(const std::string& picker) {
    ASSERT_FALSE(controllers);
    const json::object made = cluster.ask(
        Method::kPost, kPolicies,
        fmt::format(R"({{"apiVersion":"ebb.dev/v1alpha1","kind":"DownscalePolicy",)"
                    R"("metadata":{{"name":"web"}},"spec":{{)"
                    R"("targetRef":{{"kind":"Deployment","name":"web"}},"podPicker":{}}}}})",
                    picker));
    ASSERT_EQ(text_at(made, {"kind"}), "DownscalePolicy") << json::serialize(made);
  }
  void scale(int replicas) {
    cluster.ask(Method::kPatch, fmt::format("{}/scale", kDeployment),
                fmt::format(R"({{"spec":{{"replicas":{}}}}})", replicas));
  }
  bool has_ready(int replicas) {
    return eventually([&] {
      const json::object web = cluster.ask(Method::kGet, kDeployment);
      return integer_at(web, {"status", "readyReplicas"}).value_or(0) == replicas &&
             integer_at(web, {"status", "replicas"}).value_or(0) == replicas;
    });
  }
  // Sorted, without those that are on their way out.
  std::vector<std::string> pods() {
    std::set<std::string> names;
    const json::object list = cluster.ask(Method::kGet, "/api/v1/namespaces/default/pods");
    for (const json::value& item : *schema::array_at(list, {"items"})) {
      if (text_at(item.as_object(), {"metadata", "deletionTimestamp"}).empty()) {
        names.emplace(text_at(item.as_object(), {"metadata", "name"}));
      }
    }
    return {names.begin(), names.end()};
  }
  std::string fetch(const std::string& path) {
    support::HttpClient client((*controllers)->port());
    return client.ask("GET", path).body;
  }
  json::array decisions() { return json::parse(fetch("/decisions")).as_array(); }
  bool has_decisions(std::size_t count) {
    return eventually([&] { return decisions().size() >= count; });
  }
  std::string events() {
    return json::serialize(cluster.ask(Method::kGet, "/api/v1/namespaces/default/events"));
  }

  support::ControlledCluster cluster{support::ControlledCluster::quick()};
  std::ostringstream log;
  std::optional<support::RunningControllers> controllers;
};

TEST_F(PickersOnCluster, ThePodsThatThePickerOfAPolicyChoseGo) {
  const LocalPicker picker(LocalPicker::last_ones);
  create_policy(picker_at(picker.port()));
  start();
  create_deployment(6);
  const auto before = pods();
  scale(4);
  ASSERT_TRUE(has_ready(4)) << log.str();
  EXPECT_EQ(pods(), std::vector<std::string>(before.begin(), before.begin() + 4));

  ASSERT_EQ(picker.asked().size(), 1U);
  const json::object request = json::parse(picker.asked()[0].body).as_object();
  EXPECT_EQ(integer_at(request, {"number_of_pods_requested"}), 2);
  EXPECT_EQ(request.size(), 2U);
  const json::array names(before.begin(), before.end());
  EXPECT_EQ(request.at("candidate_pods"), json::value(names));

  ASSERT_TRUE(has_decisions(1));
  const json::object decision = decisions()[0].as_object();
  EXPECT_EQ(text_at(decision, {"picker", "outcome"}), "answered") << json::serialize(decision);
  EXPECT_EQ(text_at(decision, {"picker", "carrier"}), "DownscalePolicy/web");
  for (const json::value& victim : *schema::array_at(decision, {"victims"})) {
    EXPECT_EQ(text_at(victim.as_object(), {"decidedBy"}), "PickerRank");
  }
  const std::string metrics = fetch("/metrics");
  for (const char* line :
       {"ebb_picker_consultations_total{outcome=\"answered\"} 1",
        "ebb_picker_attempts_total{outcome=\"answered\"} 1",
        "ebb_picker_duration_seconds_count{outcome=\"answered\"} 1",
        "ebb_picker_names_ignored_total 0", "ebb_picker_answers_unneeded_total 0",
        "ebb_picker_breakers_opened_total 0", "ebb_picker_breakers_half_opened_total 0",
        "ebb_picker_breakers_closed_total 0", "ebb_picker_questions_in_flight 0",
        "ebb_picker_questions_waiting 0", "ebb_picker_open_breakers 0"}) {
    EXPECT_NE(metrics.find(fmt::format("\n{}\n", line)), std::string::npos) << line;
  }
}

TEST_F(PickersOnCluster, ThePodsThatThePickerOfADeploymentChoseGo) {
  const LocalPicker picker(LocalPicker::last_ones);
  start();
  create_deployment(6, R"(,"downscalePodPicker":)" + picker_at(picker.port()));
  const auto before = pods();
  scale(4);
  ASSERT_TRUE(has_ready(4)) << log.str();
  EXPECT_EQ(pods(), std::vector<std::string>(before.begin(), before.begin() + 4));
  EXPECT_EQ(picker.asked().size(), 1U);
}

TEST_F(PickersOnCluster, WithoutThePickerTheDefaultOrderDecidesAndEventsSaySo) {
  std::uint16_t unused_port = 0;
  {
    const LocalPicker gone(LocalPicker::first_ones);
    unused_port = gone.port();
  }
  create_policy(picker_at(unused_port));
  start(0);
  create_deployment(6);
  scale(4);
  ASSERT_TRUE(has_ready(4)) << log.str();
  scale(2);
  ASSERT_TRUE(has_ready(2)) << log.str();
  ASSERT_TRUE(has_decisions(2));
  for (const json::value& decision : decisions()) {
    EXPECT_EQ(text_at(decision.as_object(), {"picker", "outcome"}), "refused");
  }
  EXPECT_TRUE(eventually([&] { return events().find("refused") != std::string::npos; }))
      << events();
  EXPECT_NE(fetch("/metrics").find("\nebb_picker_consultations_total{outcome=\"refused\"} 2\n"),
            std::string::npos);
  controllers->stop();
  // Said once, not for every scale-down.
  const std::string line =
      fmt::format("picker http://127.0.0.1:{} of default/Deployment/web: refused", unused_port);
  const auto first = log.str().find(line);
  ASSERT_NE(first, std::string::npos) << log.str();
  EXPECT_EQ(log.str().find(line, first + 1), std::string::npos) << log.str();
}

TEST_F(PickersOnCluster, ASecretReachesOnlyThePicker) {
  const LocalPicker picker([](const LocalPicker::Asked& asked) {
    // Secrets in the answer of a picker must not be shown either.
    if (asked.authorization != kSecret) return LocalPicker::Answer{.code = 403, .body = kSecret};
    return LocalPicker::first_ones(asked);
  });
  cluster.ask(Method::kPost, "/api/v1/namespaces/default/secrets",
              fmt::format(R"({{"apiVersion":"v1","kind":"Secret","metadata":{{"name":"token"}},)"
                          R"("stringData":{{"header":"{}"}}}})",
                          kSecret));
  create_policy(picker_at(picker.port(),
                          R"(,"httpHeaders":[{"name":"Authorization",)"
                          R"("valueFrom":{"secretKeyRef":{"name":"token","key":"header"}}}])"));
  start();
  create_deployment(6);
  scale(5);
  ASSERT_TRUE(has_ready(5)) << log.str();
  ASSERT_TRUE(has_decisions(1));
  ASSERT_EQ(picker.asked().size(), 1U);
  EXPECT_EQ(picker.asked()[0].authorization, kSecret);
  EXPECT_EQ(text_at(decisions()[0].as_object(), {"picker", "outcome"}), "answered");

  // Another one in its place is refused, and what the picker then says is not repeated.
  cluster.ask(Method::kPatch, "/api/v1/namespaces/default/secrets/token",
              R"({"stringData":{"header":"Bearer another"}})");
  scale(4);
  ASSERT_TRUE(has_ready(4)) << log.str();
  ASSERT_TRUE(has_decisions(2));
  EXPECT_EQ(text_at(decisions()[1].as_object(), {"picker", "outcome"}), "status code");

  const std::string shown =
      fetch("/decisions") + fetch("/metrics") + events() +
      json::serialize(cluster.ask(Method::kGet, kPolicies)) +
      json::serialize(cluster.ask(Method::kGet, "/apis/apps/v1/namespaces/default/replicasets"));
  controllers->stop();
  for (const std::string& text : {shown, log.str()}) {
    EXPECT_EQ(text.find("tr3asure"), std::string::npos);
    EXPECT_EQ(text.find("Bearer"), std::string::npos);
  }
}

TEST_F(PickersOnCluster, ASlowPickerDoesNotDelayOtherWorkloads) {
  const LocalPicker picker(LocalPicker::first_ones, std::chrono::milliseconds(1500));
  create_policy(picker_at(picker.port()));
  start();
  create_deployment(4);
  cluster.ask(Method::kPost, "/apis/apps/v1/namespaces/default/replicasets",
              R"({"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"plain"},)"
              R"("spec":{"replicas":3,"selector":{"matchLabels":{"app":"plain"}},)"
              R"("template":{"metadata":{"labels":{"app":"plain"}},)"
              R"("spec":{"containers":[{"name":"c","image":"x"}]}}}})");
  const std::string plain = "/apis/apps/v1/namespaces/default/replicasets/plain";
  const auto plain_has = [&](int replicas) {
    return eventually([&] {
      return integer_at(cluster.ask(Method::kGet, plain), {"status", "readyReplicas"}) == replicas;
    });
  };
  ASSERT_TRUE(plain_has(3));
  scale(3);
  ASSERT_TRUE(eventually([&] { return picker.asked().size() == 1; }));
  cluster.ask(Method::kPatch, plain, R"({"spec":{"replicas":1}})");
  ASSERT_TRUE(plain_has(1));
  // It was decided before the picker answered.
  ASSERT_TRUE(has_decisions(2));
  EXPECT_EQ(text_at(decisions()[0].as_object(), {"replicaSet", "name"}), "plain");
  EXPECT_TRUE(has_ready(3));
}

TEST_F(PickersOnCluster, ControllersCanBeStoppedWhileAPickerIsAsked) {
  const LocalPicker picker(LocalPicker::first_ones, std::chrono::milliseconds(60'000));
  create_policy(picker_at(picker.port()));
  start();
  create_deployment(4);
  scale(3);
  ASSERT_TRUE(eventually([&] { return picker.asked().size() == 1; }));
  const auto began = std::chrono::steady_clock::now();
  controllers.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(10));
  EXPECT_EQ(pods().size(), 4U);
}

}  // namespace
}  // namespace ebb
