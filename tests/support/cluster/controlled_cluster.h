// The embedded cluster with controllers that run against it over HTTP, on the wall clock.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

#include "cluster/embedded_cluster.h"
#include "cluster/server/clock.h"
#include "runtime/controllers.h"

namespace ebb::support {

// Whether the condition becomes true within 30 seconds.
inline bool eventually(const std::function<bool()>& holds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (std::chrono::steady_clock::now() < end) {
    if (holds()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

// Runs controllers on their own thread.
class RunningControllers {
 public:
  explicit RunningControllers(std::unique_ptr<runtime::Controllers> controllers)
      : controllers_(std::move(controllers)), thread_([this] { controllers_->run(); }) {}
  ~RunningControllers() { stop(); }
  RunningControllers(const RunningControllers&) = delete;
  RunningControllers& operator=(const RunningControllers&) = delete;

  void stop() {
    if (!thread_.joinable()) return;
    controllers_->stop();
    thread_.join();
  }
  runtime::Controllers* operator->() { return controllers_.get(); }

 private:
  std::unique_ptr<runtime::Controllers> controllers_;
  std::thread thread_;
};

class ControlledCluster {
 public:
  // Throws if the cluster cannot start.
  explicit ControlledCluster(const cluster::EmbeddedClusterSettings& settings)
      : embedded_(demand(cluster::EmbeddedCluster::start(settings))) {}

  // Pods start, become ready and stop within milliseconds.
  [[nodiscard]] static cluster::EmbeddedClusterSettings quick() {
    cluster::EmbeddedClusterSettings settings;
    settings.nodes.start_delay = settings.nodes.ready_delay =
        settings.nodes.termination = {kMillisecond, 5 * kMillisecond};
    return settings;
  }

  // With metrics on any free port, and without a rate limit.
  [[nodiscard]] std::unique_ptr<runtime::Controllers> make(runtime::ControllersSettings settings,
                                                           std::ostream& log) {
    settings.process.qps = 0;
    settings.server = runtime::HealthServerSettings{};
    kube::ClusterAccess access;
    access.server = embedded_->kubeconfig().server;
    access.ca_pem = embedded_->kubeconfig().authority_pem;
    access.token = embedded_->kubeconfig().token;
    return demand(runtime::Controllers::make(std::move(settings), std::move(access), log));
  }

  // Sends a request without HTTP. Returns the answer's object, whatever its code.
  boost::json::object ask(model::Method method, const std::string& path,
                          const std::string& body = "") {
    const bool patch = method == model::Method::kPatch;
    model::ApiRequest request{
        .method = method,
        .path = path,
        .content_type = patch ? "application/merge-patch+json" : "application/json",
        .accept = "application/json",
        .body = body,
        .received = cluster::wall_now()};
    return boost::json::parse(embedded_->server().ask(std::move(request)).body.str()).as_object();
  }

 private:
  template <class T>
  static T demand(Result<T> result) {
    if (!result) throw std::runtime_error(result.error().message);
    return *std::move(result);
  }

  std::unique_ptr<cluster::EmbeddedCluster> embedded_;
};

}  // namespace ebb::support
