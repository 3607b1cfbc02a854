#include "cli/controller/nodes_command.h"

#include <memory>
#include <random>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "cli/common/stop_signal.h"
#include "hollow/kubelet.h"
#include "hollow/node_leases.h"
#include "hollow/node_registrar.h"
#include "hollow/scheduler.h"
#include "kube/client.h"
#include "model/json/printable.h"
#include "runtime/host/component_host.h"

namespace ebb::cli {
namespace {

// The components that run pods. Garbage collection is left to the cluster's own controllers.
std::vector<std::unique_ptr<model::Component>> make_components(const hollow::Settings& settings) {
  std::vector<std::unique_ptr<model::Component>> components;
  components.push_back(std::make_unique<hollow::NodeRegistrar>(settings));
  components.push_back(std::make_unique<hollow::NodeLeases>(settings));
  components.push_back(std::make_unique<hollow::Scheduler>(settings));
  components.push_back(std::make_unique<hollow::Kubelet>(settings));
  return components;
}

}  // namespace

const HelpText& NodesCommand::help() const {
  static constexpr HelpText kHelp{
      .summary = "Run hollow nodes, a scheduler and kubelets on any API server, for tests",
      .long_text =
          " Creates nodes, keeps them Ready, binds pods to them, and lets the pods run, become "
          "ready\n"
          " and stop, without containers. It prints ready once the nodes exist. Ctrl-C stops it; "
          "the\n"
          " objects that it created stay.\n\n"
          " It acts on every node and every pod: never run it on a cluster with real nodes.",
      .examples =
          "  # Six nodes for a kube-apiserver that has none\n"
          "  {} nodes --kubeconfig admin.kubeconfig\n\n"
          "  # A hundred nodes whose pods are ready at once\n"
          "  {} nodes --nodes 10x10 --pod-start-delay 10ms --pod-ready-delay 10ms",
      .usage = "[options]"};
  return kHelp;
}

void NodesCommand::declare(CLI::App& app) {
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  access_.declare(app);
  nodes_.declare(app,
                 "The nodes: ZONESxNODES, such as 3x2, or a YAML or JSON file with a list of "
                 "nodes; missing nodes are created");
}

Result<void> NodesCommand::run(const Streams& streams) {
  hollow::Settings settings;
  EBB_RETURN_IF_ERROR(nodes_.apply(settings, streams.in));
  settings.seed = std::random_device()();
  EBB_ASSIGN_OR_RETURN(auto access, access_.find());
  const std::string server = access.server;
  EBB_ASSIGN_OR_RETURN(auto stop, StopSignal::catch_signals());
  auto client = kube::Client::make(std::move(access), &stop.came());
  if (!client && stop.came()) return {};
  if (!client) return propagate(client);

  runtime::ComponentHost host(make_components(settings), **client, [&](const std::string& text) {
    streams.err << "warning: " << model::printable(text) << '\n' << std::flush;
  });
  host.on_settled([&] {
    streams.out << fmt::format("API server: {}\nNodes:      {} kept alive\nready\n", server,
                               settings.nodes.size())
                << std::flush;
  });
  std::thread waiter([&] {
    stop.wait();
    host.stop();
  });
  host.run();
  waiter.join();
  return {};
}

Completion NodesCommand::complete(std::string_view option) const {
  if (option == "--nodes") return NodeOptions::complete();
  if (option == "--kubeconfig") return {{}, true};
  return {};
}

}  // namespace ebb::cli
