// The controllers as they run: over HTTP, on the wall clock, against the embedded cluster.
#include <fstream>
#include <sstream>
#include <thread>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "runtime/controllers.h"
#include "schema/core/json.h"
#include "support/cluster/controlled_cluster.h"
#include "support/net/http_client.h"
#include "support/objects/temporary_folder.h"
#include "support/threads/guarded.h"

namespace ebb {
namespace {

namespace json = boost::json;
using model::Method;
using runtime::Controllers;
using runtime::ControllersSettings;
using schema::integer_at;
using schema::text_at;
using support::eventually;
using Running = support::RunningControllers;

constexpr const char* kDeployment = "/apis/apps/v1/namespaces/default/deployments/web";

class ControllersOnCluster : public ::testing::Test {
 protected:
  [[nodiscard]] std::unique_ptr<Controllers> make(ControllersSettings settings) {
    return make(std::move(settings), log);
  }
  [[nodiscard]] std::unique_ptr<Controllers> make(ControllersSettings settings, std::ostream& out) {
    return cluster.make(std::move(settings), out);
  }

  json::object ask(Method method, const std::string& path, const std::string& body = "") {
    return cluster.ask(method, path, body);
  }
  void create_deployment(int replicas) {
    ask(Method::kPost, "/apis/apps/v1/namespaces/default/deployments",
        fmt::format(R"({{"apiVersion":"apps/v1","kind":"Deployment","metadata":{{"name":"web"}},)"
                    R"("spec":{{"replicas":{},"selector":{{"matchLabels":{{"app":"web"}}}},)"
                    R"("template":{{"metadata":{{"labels":{{"app":"web"}}}},)"
                    R"("spec":{{"containers":[{{"name":"c","image":"x"}}]}}}}}}}})",
                    replicas));
  }
  void scale(int replicas) {
    ask(Method::kPatch, fmt::format("{}/scale", kDeployment),
        fmt::format(R"({{"spec":{{"replicas":{}}}}})", replicas));
  }
  bool has_ready(int replicas) {
    return eventually([&] {
      const json::object web = ask(Method::kGet, kDeployment);
      return integer_at(web, {"status", "readyReplicas"}).value_or(0) == replicas &&
             integer_at(web, {"status", "replicas"}).value_or(0) == replicas;
    });
  }
  std::string holder() {
    return std::string(
        text_at(ask(Method::kGet,
                    "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/ebb-controller"),
                {"spec", "holderIdentity"}));
  }

  support::ControlledCluster cluster{support::ControlledCluster::quick()};
  std::ostringstream log;
};

ControllersSettings with_lease(const std::string& identity) {
  ControllersSettings settings;
  control::LeaseSettings lease;
  lease.identity = identity;
  lease.retry_period_ns = 100 * kMillisecond;
  settings.process.lease = lease;
  return settings;
}

// The value of the first line that begins so and contains that.
double number_after(const std::string& metrics, std::string_view beginning,
                    std::string_view contained) {
  for (std::size_t at = 0; (at = metrics.find(beginning, at)) != std::string::npos; ++at) {
    const std::string line = metrics.substr(at, metrics.find('\n', at) - at);
    const std::size_t found = line.find(contained);
    if (found != std::string::npos) return std::stod(line.substr(found + contained.size()));
  }
  return 0;
}

TEST_F(ControllersOnCluster, ScaleADeploymentUpAndDown) {
  Running running(make({}));
  create_deployment(6);
  EXPECT_TRUE(has_ready(6)) << log.str();
  scale(2);
  EXPECT_TRUE(has_ready(2)) << log.str();
  // Those that terminate do not count as replicas, and are still there for a moment.
  EXPECT_TRUE(eventually([&] {
    const json::object pods = ask(Method::kGet, "/api/v1/namespaces/default/pods");
    return schema::array_at(pods, {"items"})->size() == 2;
  }));
}

TEST_F(ControllersOnCluster, TellOfEachScaleDownInEveryPlace) {
  const support::TemporaryFolder folder;
  ControllersSettings settings;
  settings.decision_log = (folder.path() / "decisions.jsonl").string();
  support::Guarded<std::vector<std::string>> told;
  {
    auto controllers = make(settings);
    controllers->on_decision([&](const control::Decision& decision) {
      told.with([&](auto& summaries) { summaries.push_back(decision.summary()); });
    });
    Running running(std::move(controllers));
    create_deployment(5);
    ASSERT_TRUE(has_ready(5)) << log.str();
    scale(3);
    ASSERT_TRUE(has_ready(3)) << log.str();
    ASSERT_TRUE(eventually([&] { return !told.get().empty(); }));
    support::HttpClient client(running->port());
    EXPECT_EQ(client.ask("GET", "/readyz").code, 200);
    const std::string metrics = client.ask("GET", "/metrics").body;
    EXPECT_NE(metrics.find("\nebb_decisions_total 1\n"), std::string::npos) << metrics;
    EXPECT_NE(metrics.find("rest_client_requests_total{code=\"200\",host=\"127.0.0.1:"),
              std::string::npos);
    // Each resource is being watched, and that counts although no watch is over yet.
    EXPECT_GE(number_after(metrics, "rest_client_requests_total{code=\"200\"", "method=\"GET\"} "),
              3);
    EXPECT_NE(metrics.find("workqueue_adds_total{name=\"replicaset\"}"), std::string::npos);
    const auto listed = json::parse(client.ask("GET", "/decisions").body).as_array();
    ASSERT_EQ(listed.size(), 1U);
    EXPECT_EQ(schema::array_at(listed[0].as_object(), {"victims"})->size(), 2U);
    ASSERT_TRUE(eventually([&] {
      const auto events = ask(Method::kGet, "/api/v1/namespaces/default/events");
      return json::serialize(events).find("DownscaleDecision") != std::string::npos;
    }));
  }
  const auto summaries = told.get();
  ASSERT_EQ(summaries.size(), 1U);
  EXPECT_TRUE(summaries[0].starts_with("2 pods of default/web-")) << summaries[0];
  std::ifstream file(settings.decision_log);
  std::string line;
  ASSERT_TRUE(std::getline(file, line));
  EXPECT_EQ(integer_at(json::parse(line).as_object(), {"replicas", "from"}), 5);
  EXPECT_FALSE(std::getline(file, line));
  EXPECT_NE(log.str().find(summaries[0]), std::string::npos) << log.str();
}

TEST_F(ControllersOnCluster, GiveTheLeaseBackWhenTheyAreStopped) {
  Running running(make(with_lease("first")));
  ASSERT_TRUE(eventually([&] { return holder() == "first"; })) << log.str();
  create_deployment(3);
  EXPECT_TRUE(has_ready(3));
  running.stop();
  EXPECT_FALSE(running->lost_lease());
  EXPECT_EQ(holder(), "");
}

TEST_F(ControllersOnCluster, AStandbyReplicaIsReadyAndTakesOver) {
  Running first(make(with_lease("first")));
  ASSERT_TRUE(eventually([&] { return holder() == "first"; })) << log.str();
  std::ostringstream second_log;
  Running second(make(with_lease("second"), second_log));
  EXPECT_TRUE(eventually([&] { return second->ready(); }));
  create_deployment(2);
  EXPECT_TRUE(has_ready(2));
  EXPECT_EQ(holder(), "first");
  first.stop();
  EXPECT_TRUE(eventually([&] { return holder() == "second"; })) << second_log.str();
  scale(4);
  EXPECT_TRUE(has_ready(4)) << second_log.str();
}

TEST_F(ControllersOnCluster, EndWhenAnotherTakesTheirLease) {
  auto controllers = make(with_lease("first"));
  std::thread thread([&] { controllers->run(); });
  ASSERT_TRUE(eventually([&] { return holder() == "first"; })) << log.str();
  ask(Method::kPatch, "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/ebb-controller",
      R"({"spec":{"holderIdentity":"somebody else"}})");
  thread.join();
  EXPECT_TRUE(controllers->lost_lease());
  EXPECT_EQ(holder(), "somebody else");
}

}  // namespace
}  // namespace ebb
