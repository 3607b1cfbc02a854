#include "cli/controller_thread.h"

#include <chrono>
#include <random>
#include <utility>

#include "cli/decision_news.h"

namespace ebb::cli {

Result<std::unique_ptr<ControllerThread>> ControllerThread::start(
    runtime::ControllersSettings settings, const cluster::Kubeconfig& cluster,
    std::function<void(const std::string&)> told, std::ostream& err) {
  settings.process.qps = 0;  // the server is our own
  settings.process.protobuf = false;
  settings.process.seed = std::random_device()();
  settings.egress.loopback = true;  // where else would somebody try a picker
  kube::ClusterAccess access;
  access.server = cluster.server;
  access.ca_pem = cluster.authority_pem;
  access.token = cluster.token;
  auto made = runtime::Controllers::make(std::move(settings), std::move(access), err);
  if (!made) return propagate(made);
  (*made)->on_decision(
      [told = std::move(told), heard = DecisionNews()](const control::Decision& decision) mutable {
        if (heard.is_news(decision)) told(decision.summary());
      });
  return std::unique_ptr<ControllerThread>(new ControllerThread(std::move(*made)));
}

ControllerThread::ControllerThread(std::unique_ptr<runtime::Controllers> controllers)
    : controllers_(std::move(controllers)), thread_([this] { controllers_->run(); }) {}

ControllerThread::~ControllerThread() {
  controllers_->stop();
  thread_.join();
}

void ControllerThread::wait_until_ready() const {
  constexpr std::chrono::milliseconds kStep{5};
  constexpr int kSteps = 2000;
  for (int i = 0; i < kSteps && !controllers_->ready(); ++i) std::this_thread::sleep_for(kStep);
}

}  // namespace ebb::cli
