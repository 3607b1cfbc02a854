#include "cli/nodes_command.h"

#include <memory>
#include <random>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "cli/stop_signal.h"
#include "kube/client.h"
#include "model/printable.h"
#include "nodes/kubelet.h"
#include "nodes/node_keeper.h"
#include "nodes/node_leases.h"
#include "nodes/scheduler.h"
#include "runtime/machine_host.h"

namespace ebb::cli {
namespace {

// Those who make pods run. Garbage collection is the business of the cluster's own controllers.
std::vector<std::unique_ptr<model::Machine>> make_machines(const nodes::Settings& settings) {
  std::vector<std::unique_ptr<model::Machine>> machines;
  machines.push_back(std::make_unique<nodes::NodeKeeper>(settings));
  machines.push_back(std::make_unique<nodes::NodeLeases>(settings));
  machines.push_back(std::make_unique<nodes::Scheduler>(settings));
  machines.push_back(std::make_unique<nodes::Kubelet>(settings));
  return machines;
}

}  // namespace

const HelpText& NodesCommand::help() const {
  static constexpr HelpText kHelp{
      .summary = "Stand in for nodes, scheduler and kubelets on any API server, for tests",
      .long_text =
          " Makes nodes, keeps them Ready, binds pods to them and lets these run, become ready "
          "and go,\n"
          " without containers. It says ready once the nodes are there; Ctrl-C stops it, and "
          "leaves\n"
          " what it made.\n\n"
          " It acts on every node and every pod of the cluster: never run it on one that has "
          "real nodes.",
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
                 "The nodes: ZONESxNODES, such as 3x2, or a YAML or JSON file with a list of them; "
                 "those that are missing are made");
}

Result<void> NodesCommand::run(const Streams& streams) {
  nodes::Settings settings;
  if (auto read = nodes_.apply(settings, streams.in); !read) return propagate(read);
  settings.seed = std::random_device()();
  auto access = access_.find();
  if (!access) return propagate(access);
  const std::string server = access->server;
  auto stop = StopSignal::catch_signals();
  if (!stop) return propagate(stop);
  auto client = kube::Client::make(std::move(*access), &stop->came());
  if (!client && stop->came()) return {};
  if (!client) return propagate(client);

  runtime::MachineHost host(make_machines(settings), **client, [&](const std::string& text) {
    streams.err << "warning: " << model::printable(text) << '\n' << std::flush;
  });
  host.on_settled([&] {
    streams.out << fmt::format("API server: {}\nNodes:      {} kept alive\nready\n", server,
                               settings.nodes.size())
                << std::flush;
  });
  std::thread waiter([&] {
    stop->wait();
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
