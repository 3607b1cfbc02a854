#include "cli/up_command.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <mutex>

#include <fmt/format.h>
#include <sys/resource.h>

#include "cli/controller_names.h"
#include "cli/controller_thread.h"
#include "cli/stop_signal.h"
#include "cli/values.h"
#include "cluster/demo.h"
#include "cluster/demo_picker.h"
#include "cluster/embedded_cluster.h"
#include "model/feature_gates.h"
#include "model/printable.h"

namespace ebb::cli {
namespace {

constexpr const char* kKubeconfigName = "ebb.kubeconfig";
// Enough for all connections that the server takes, the database, and a little more.
constexpr rlim_t kFilesWanted = 8192;

// Many systems start programs with room for 1024 files and let them ask for more.
void raise_file_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= kFilesWanted) return;
  limit.rlim_cur = std::min(kFilesWanted, limit.rlim_max);
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

// For commands that people copy: it may be on no PATH.
std::string program_path() {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? "ebb" : path.string();
}

std::string what_to_try(const std::string& kubeconfig, bool demo) {
  const std::string kubectl = fmt::format("  kubectl --kubeconfig {}", kubeconfig);
  if (!demo) {
    return fmt::format("Try next:\n{0} get nodes\n{0} get pods --all-namespaces --watch\n",
                       kubectl);
  }
  return fmt::format(
      "Try next:\n"
      "{0} get deployments,pods --namespace shop -o wide\n"
      "{0} scale deploy/checkout --namespace shop --replicas 3\n"
      "{0} get downscalepolicies --namespace shop\n"
      "  {1} plan deploy/worker --replicas 2 --namespace shop --kubeconfig {2}\n",
      kubectl, program_path(), kubeconfig);
}

}  // namespace

const HelpText& UpCommand::help() const {
  static constexpr HelpText kHelp{
      .summary = "Run a small cluster in this process, for kubectl to talk to",
      .long_text =
          " An API server, a scheduler, nodes whose pods start and stop without containers, "
          "garbage\n"
          " collection, and our controllers. It prints its address, writes a kubeconfig, and says "
          "ready\n"
          " once it serves; then a line for each scale-down: who went and why. Ctrl-C stops "
          "it.\n\n"
          " Without --data-dir everything is in memory and gone when it stops. With it, every "
          "write\n"
          " that was answered is on disk, and the next start goes on from there.",
      .examples =
          "  # Three zones of two nodes, with workloads that grow and shrink\n"
          "  {} up --demo\n\n"
          "  # Keep it, and use another port\n"
          "  {} up --data-dir ~/.ebb --port 8443\n\n"
          "  # Ten nodes in one zone, pods that take their time to start\n"
          "  {} up --nodes 1x10 --pod-start-delay 5s-20s",
      .usage = "[options]"};
  return kHelp;
}

void UpCommand::declare(CLI::App& app) {
  app_ = &app;
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.add_option("--data-dir", data_dir_,
                 "Folder to keep the cluster in; it is made if it is not there. Without it: in "
                 "memory");
  app.add_option("--port", port_, "The port to listen on; 0 takes any that is free")
      ->default_str("7443");
  app.add_option("--bind-address", bind_address_,
                 "The IP address to listen on; whoever can reach it and has the token is admin")
      ->default_str("'127.0.0.1'");
  app.add_option("--write-kubeconfig", kubeconfig_,
                 "File to write a kubeconfig to; by default ebb.kubeconfig in the data folder or "
                 "here");
  app.add_option(
         "--controllers", controllers_,
         "The controllers to run: replicaset, deployment, ranker, garbage-collector, * for all, "
         "*,-NAME for all but one; empty for none, so that others can be tried. Namespaces that "
         "are deleted are emptied whatever runs")
      ->default_str("'*'");
  app.add_option(
      "--feature-gates", feature_gates_,
      feature_gates_help() + "; without PodDeletionCost the API server takes any deletion cost");
  pickers_.declare(app);
  log_.declare(app);
  nodes_.declare(app,
                 "The nodes: ZONESxNODES, such as 3x2, or a YAML or JSON file with a list of them; "
                 "those that are missing are made. By default a cluster keeps what it has");
  app.add_flag("--demo", demo_,
               "Fill an empty cluster with a few workloads, and let them grow and shrink");
}

Result<cluster::EmbeddedClusterSettings> UpCommand::settings(std::istream& in) const {
  cluster::EmbeddedClusterSettings settings;
  auto port = parse_port("--port", port_);
  if (!port) return propagate(port);
  settings.port = *port;
  if (bind_address_.empty()) return fail(ErrorCode::kUsage, "--bind-address: is empty");
  settings.bind_address = bind_address_;
  if (app_->count("--data-dir") > 0 && data_dir_.empty()) {
    return fail(ErrorCode::kUsage, "--data-dir: is empty");
  }
  if (app_->count("--write-kubeconfig") > 0 && kubeconfig_.empty()) {
    return fail(ErrorCode::kUsage, "--write-kubeconfig: is empty");
  }
  if (auto read = nodes_.apply(settings.nodes, in); !read) return propagate(read);
  settings.nodes_are_a_default = app_->count("--nodes") == 0;
  settings.demo_load = demo_;
  auto gates = model::FeatureGates::parse(feature_gates_);
  if (!gates) return fail(ErrorCode::kUsage, "--feature-gates: " + gates.error().message);
  settings.gates = *gates;
  auto chosen = parse_controllers(controllers_, Offer::kControllersAndCollector);
  if (!chosen) return propagate(chosen);
  settings.garbage_collector = chosen->garbage_collector;
  if (!data_dir_.empty()) settings.data_folder = data_dir_;
  return settings;
}

Result<runtime::ControllersSettings> UpCommand::controller_settings(
    const model::FeatureGates& gates) const {
  runtime::ControllersSettings settings;
  auto chosen = parse_controllers(controllers_, Offer::kControllersAndCollector);
  if (!chosen) return propagate(chosen);
  settings.process.replica_sets = chosen->replica_sets;
  settings.process.deployments = chosen->deployments;
  settings.process.ranker = chosen->ranker;
  settings.process.gates = gates;
  if (auto read = pickers_.apply(settings.egress, settings.process.pickers); !read) {
    return propagate(read);
  }
  if (auto read = log_.apply(settings); !read) return propagate(read);
  return settings;
}

std::string UpCommand::ready_text(const std::string& server, const std::string& kubeconfig,
                                  bool controllers, bool demo) const {
  std::string text =
      fmt::format("API server: {}\nState:      {}\nkubeconfig: {}\nready\n\n{}\n", server,
                  data_dir_.empty() ? "in memory, gone when this stops" : data_dir_, kubeconfig,
                  what_to_try(kubeconfig, demo));
  text += controllers ? "Each scale-down is told below: who goes, and why. Ctrl-C stops it.\n"
                      : "No controllers run, so Deployments and ReplicaSets are stored and nothing "
                        "more.\nCtrl-C stops it.\n";
  return text;
}

Result<void> UpCommand::run(const Streams& streams) {
  auto settings = this->settings(streams.in);
  if (!settings) return propagate(settings);
  auto controller_settings = this->controller_settings(settings->gates);
  if (!controller_settings) return propagate(controller_settings);
  const control::ProcessSettings& process = controller_settings->process;
  const bool controls = process.replica_sets || process.deployments || process.ranker;
  std::filesystem::path kubeconfig = kubeconfig_;
  if (kubeconfig.empty()) kubeconfig = std::filesystem::path(data_dir_) / kKubeconfigName;
  // Before anything is started: it is what most likely has to be said. Of one in a data folder the
  // lock of that folder says more.
  if (data_dir_.empty() || !kubeconfig_.empty()) {
    if (auto free = cluster::check_kubeconfig_is_free(kubeconfig); !free) return propagate(free);
  }

  auto stop = StopSignal::catch_signals();
  if (!stop) return propagate(stop);
  raise_file_limit();
  std::mutex printing;
  const auto print = [&](const std::string& line) {
    const std::unique_lock<std::mutex> lock(printing);
    streams.out << model::printable(line) << '\n' << std::flush;
  };
  settings->tell = print;
  auto cluster = cluster::EmbeddedCluster::start(*settings);
  if (!cluster) return propagate(cluster);
  if (auto written = cluster::write_kubeconfig(kubeconfig, (*cluster)->kubeconfig()); !written) {
    return propagate(written);
  }
  (*cluster)->wait_until_settled();
  std::unique_ptr<cluster::DemoPicker> picker;
  bool shows_demo = false;
  if (demo_) {
    auto started = cluster::DemoPicker::start();
    if (!started) return propagate(started);
    picker = std::move(*started);
    auto made = cluster::make_demo((*cluster)->server(), picker->port());
    if (!made) return propagate(made);
    shows_demo = *made != cluster::Demo::kNone;
    if (!shows_demo) streams.err << "The cluster is not empty, so --demo adds nothing.\n";
    if (shows_demo && !controls) {
      streams.err << "Without controllers the workloads of --demo get no pods.\n";
    }
  }
  std::unique_ptr<ControllerThread> controllers;
  if (controls) {
    auto started = ControllerThread::start(std::move(*controller_settings),
                                           (*cluster)->kubeconfig(), print, streams.err);
    if (!started) return propagate(started);
    controllers = std::move(*started);
    controllers->wait_until_ready();
  }
  {
    const std::unique_lock<std::mutex> lock(printing);
    streams.out << ready_text((*cluster)->kubeconfig().server, kubeconfig.string(), controls,
                              shows_demo)
                << std::flush;
  }
  stop->wait();
  print("stopping");
  controllers.reset();
  (*cluster)->stop();
  return {};
}

Completion UpCommand::complete(std::string_view option) const {
  if (option == "--controllers") return complete_controllers(Offer::kControllersAndCollector);
  if (option == "--feature-gates") return complete_feature_gates();
  if (option == "--nodes") return NodeOptions::complete();
  if (option == "--data-dir" || option == "--write-kubeconfig") return {{}, true};
  if (option == "--bind-address") return {{"127.0.0.1", "0.0.0.0"}, false};
  return LogOptions::complete(option);
}

}  // namespace ebb::cli
