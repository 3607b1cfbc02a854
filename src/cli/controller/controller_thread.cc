#include "cli/controller/controller_thread.h"

#include <chrono>
#include <random>
#include <utility>

#include "cli/controller/decision_filter.h"

namespace ebb::cli {

Result<std::unique_ptr<ControllerThread>> ControllerThread::start(
    runtime::ControllersSettings settings, const cluster::Kubeconfig& cluster,
    std::function<void(const std::string&)> print_line, std::ostream& err) {
  settings.process.qps = 0;  // the server is in this process
  settings.process.protobuf = false;
  settings.process.seed = std::random_device()();
  settings.egress.loopback = true;  // users try pickers on the same machine
  kube::ClusterAccess access;
  access.server = cluster.server;
  access.ca_pem = cluster.authority_pem;
  access.token = cluster.token;
  EBB_ASSIGN_OR_RETURN(auto made,
                       runtime::Controllers::make(std::move(settings), std::move(access), err));
  made->on_decision([print_line = std::move(print_line),
                     filter = DecisionFilter()](const control::Decision& decision) mutable {
    if (filter.is_worth_showing(decision)) print_line(decision.summary());
  });
  return std::unique_ptr<ControllerThread>(new ControllerThread(std::move(made)));
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
