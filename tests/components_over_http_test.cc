// The hollow components as `ebb nodes` runs them: over HTTP, against an API server that has
// no hollow components of its own.
#include <chrono>
#include <functional>
#include <thread>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include "cluster/server/api_host.h"
#include "cluster/server/clock.h"
#include "cluster/server/live_server.h"
#include "hollow/kubelet.h"
#include "hollow/node_registrar.h"
#include "hollow/scheduler.h"
#include "net/server/http_server.h"
#include "runtime/host/component_host.h"
#include "schema/core/json.h"

namespace ebb {
namespace {

namespace json = boost::json;
using model::Method;
using schema::text_at;

constexpr const char* kToken = "a-token-for-this-test-only";

bool eventually(const std::function<bool()>& holds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (std::chrono::steady_clock::now() < end) {
    if (holds()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

class ComponentsOverHttp : public ::testing::Test {
 protected:
  void SetUp() override {
    auto started = cluster::LiveServer::start({.seed = 1}, std::nullopt);
    ASSERT_TRUE(started);
    server = std::move(*started);
    api = std::make_unique<cluster::ApiHost>(*server, cluster::ApiHostSettings{.token = kToken});
    serve(0);
  }

  void serve(std::uint16_t port) {
    net::HttpServerSettings settings;
    settings.port = port;
    auto served = net::HttpServer::start(std::move(settings), *api);
    ASSERT_TRUE(served) << served.error().message;
    http = std::move(*served);
  }

  [[nodiscard]] std::unique_ptr<kube::Client> client() const {
    kube::ClusterAccess access;
    access.server = "http://127.0.0.1:" + std::to_string(http->port());
    access.token = kToken;
    auto made = kube::Client::make(std::move(access));
    EXPECT_TRUE(made) << made.error().message;
    return std::move(*made);
  }

  json::object ask(Method method, const std::string& path, const std::string& body = "") {
    model::ApiRequest request{.method = method,
                              .path = path,
                              .content_type = "application/json",
                              .accept = "application/json",
                              .body = body,
                              .received = cluster::wall_now()};
    return json::parse(server->ask(std::move(request)).body.str()).as_object();
  }
  void create_pod(const std::string& name) {
    ask(Method::kPost, "/api/v1/namespaces/default/pods",
        R"({"metadata":{"name":")" + name +
            R"("},"spec":{"containers":[{"name":"c","image":"x"}]}})");
  }
  bool runs(const std::string& name) {
    const std::string path = "/api/v1/namespaces/default/pods/" + name;
    return eventually([&] {
      return text_at(ask(Method::kGet, path), {"status", "phase"}) == "Running";
    });
  }

  static std::vector<std::unique_ptr<model::Component>> components() {
    hollow::Settings settings;
    settings.start_delay = settings.ready_delay =
        settings.termination = {kMillisecond, 5 * kMillisecond};
    std::vector<std::unique_ptr<model::Component>> made;
    made.push_back(std::make_unique<hollow::NodeRegistrar>(settings));
    made.push_back(std::make_unique<hollow::Scheduler>(settings));
    made.push_back(std::make_unique<hollow::Kubelet>(settings));
    return made;
  }

  std::unique_ptr<cluster::LiveServer> server;
  std::unique_ptr<cluster::ApiHost> api;
  std::unique_ptr<net::HttpServer> http;
};

TEST_F(ComponentsOverHttp, MakeNodesAndRunPods) {
  const auto to_server = client();
  runtime::ComponentHost host(components(), *to_server,
                              [](const std::string& text) { FAIL() << text; });
  std::size_t nodes = 0;
  host.on_settled([&] {
    const json::object list = ask(Method::kGet, "/api/v1/nodes");
    nodes = schema::array_at(list, {"items"})->size();
  });
  std::thread thread([&] { host.run(); });
  create_pod("a");
  EXPECT_TRUE(runs("a"));
  ask(Method::kDelete, "/api/v1/namespaces/default/pods/a");
  EXPECT_TRUE(eventually([&] {
    return text_at(ask(Method::kGet, "/api/v1/namespaces/default/pods/a"), {"reason"}) ==
           "NotFound";
  }));
  host.stop();
  thread.join();
  EXPECT_EQ(nodes, 6U);
}

TEST_F(ComponentsOverHttp, GoOnAfterTheServerWasAway) {
  const auto to_server = client();
  std::vector<std::string> complaints;
  runtime::ComponentHost host(components(), *to_server,
                              [&](const std::string& text) { complaints.push_back(text); });
  std::thread thread([&] { host.run(); });
  create_pod("a");
  EXPECT_TRUE(runs("a"));
  const std::uint16_t port = http->port();
  http.reset();
  create_pod("b");
  // Long enough for watches to be refused.
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  serve(port);
  EXPECT_TRUE(runs("b"));
  host.stop();
  thread.join();
  EXPECT_FALSE(complaints.empty());
}

}  // namespace
}  // namespace ebb
