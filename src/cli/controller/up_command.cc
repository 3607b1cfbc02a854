#include "cli/controller/up_command.h"

#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <sys/resource.h>

#include "base/mutex.h"
#include "cli/common/controller_names.h"
#include "cli/common/stop_signal.h"
#include "cli/common/values.h"
#include "cli/controller/controller_thread.h"
#include "cluster/embedded_cluster.h"
#include "demo/demo.h"
#include "demo/demo_picker.h"
#include "model/json/printable.h"
#include "model/records/feature_gates.h"

namespace ebb::cli {
namespace {

constexpr const char* kKubeconfigName = "ebb.kubeconfig";
// Enough for all connections that the server accepts, the database, and a reserve.
constexpr rlim_t kFilesWanted = 8192;

// Many systems start programs with a soft limit of 1024 files and a higher hard limit.
void raise_file_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= kFilesWanted) return;
  limit.rlim_cur = std::min(kFilesWanted, limit.rlim_max);
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

// Prints whole lines from several threads.
class Printer {
 public:
  explicit Printer(std::ostream& out) : out_(out) {}
  void print(const std::string& text) {
    const MutexLock lock(mutex_);
    out_ << text << std::flush;
  }

 private:
  Mutex mutex_;
  std::ostream& out_ EBB_GUARDED_BY(mutex_);
};

// For commands that users copy: the program may not be on the PATH.
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
      .summary = "Run a small cluster in this process, for use with kubectl",
      .long_text =
          " The cluster has an API server, a scheduler, nodes whose pods start and stop without\n"
          " containers, a garbage collector, and ebb's controllers. The command prints its "
          "address,\n"
          " writes a kubeconfig, and prints ready once it serves requests. Then it prints a line "
          "for\n"
          " each scale-down: which pods go and why. Ctrl-C stops it.\n\n"
          " Without --data-dir, everything is in memory and gone when the cluster stops. With it, "
          "every\n"
          " write is on disk before it is acknowledged, and the next start continues from there.",
      .examples =
          "  # Three zones of two nodes, with workloads that grow and shrink\n"
          "  {} up --demo\n\n"
          "  # Keep the cluster on disk, and use another port\n"
          "  {} up --data-dir ~/.ebb --port 8443\n\n"
          "  # Ten nodes in one zone, and pods that start slowly\n"
          "  {} up --nodes 1x10 --pod-start-delay 5s-20s",
      .usage = "[options]"};
  return kHelp;
}

void UpCommand::declare(CLI::App& app) {
  app_ = &app;
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.add_option("--data-dir", data_dir_,
                 "Folder to store the cluster in, created if it does not exist; by default the "
                 "cluster is in memory");
  app.add_option("--port", port_, "The port to listen on; 0 for any free port")
      ->default_str("7443");
  app.add_option("--bind-address", bind_address_,
                 "The IP address to listen on; any client that reaches it with the token is admin")
      ->default_str("'127.0.0.1'");
  app.add_option("--write-kubeconfig", kubeconfig_,
                 "File to write a kubeconfig to; by default ebb.kubeconfig in the data folder or "
                 "in the current folder");
  app.add_option(
         "--controllers", controllers_,
         "The controllers to run: replicaset, deployment, ranker, shadow, garbage-collector, "
         "* for all, *,-NAME for all but one; empty for none, to try other controllers. Deleted "
         "namespaces are emptied in any case")
      ->default_str("'*'");
  app.add_option(
      "--feature-gates", feature_gates_,
      feature_gates_help() + "; without PodDeletionCost, the API server accepts any deletion cost");
  pickers_.declare(app);
  log_.declare(app);
  nodes_.declare(app,
                 "The nodes: ZONESxNODES, such as 3x2, or a YAML or JSON file with a list of "
                 "nodes; missing nodes are created. By default, a cluster keeps the nodes it has");
  app.add_flag("--demo", demo_,
               "Fill an empty cluster with a few workloads, and let them grow and shrink");
}

Result<cluster::EmbeddedClusterSettings> UpCommand::settings(std::istream& in) const {
  cluster::EmbeddedClusterSettings settings;
  EBB_ASSIGN_OR_RETURN(settings.port, parse_port("--port", port_));
  if (bind_address_.empty()) return fail(ErrorCode::kUsage, "--bind-address: must not be empty");
  settings.bind_address = bind_address_;
  if (app_->count("--data-dir") > 0 && data_dir_.empty()) {
    return fail(ErrorCode::kUsage, "--data-dir: must not be empty");
  }
  if (app_->count("--write-kubeconfig") > 0 && kubeconfig_.empty()) {
    return fail(ErrorCode::kUsage, "--write-kubeconfig: must not be empty");
  }
  EBB_RETURN_IF_ERROR(nodes_.apply(settings.nodes, in));
  settings.nodes_are_a_default = app_->count("--nodes") == 0;
  if (demo_) settings.make_component = demo::make_demo_load;
  auto gates = model::FeatureGates::parse(feature_gates_);
  if (!gates) return fail(ErrorCode::kUsage, "--feature-gates: " + gates.error().message);
  settings.gates = *gates;
  EBB_ASSIGN_OR_RETURN(auto chosen,
                       parse_controllers(controllers_, Offer::kControllersAndCollector));
  settings.garbage_collector = chosen.garbage_collector;
  if (!data_dir_.empty()) settings.data_folder = data_dir_;
  return settings;
}

Result<runtime::ControllersSettings> UpCommand::controller_settings(
    const model::FeatureGates& gates) const {
  runtime::ControllersSettings settings;
  EBB_ASSIGN_OR_RETURN(auto chosen,
                       parse_controllers(controllers_, Offer::kControllersAndCollector));
  settings.process.replica_sets = chosen.replica_sets;
  settings.process.deployments = chosen.deployments;
  settings.process.ranker = chosen.ranker;
  settings.process.shadow = chosen.shadow;
  settings.process.decision_objects.emplace();
  settings.process.gates = gates;
  EBB_RETURN_IF_ERROR(pickers_.apply(settings.egress, settings.process.pickers));
  EBB_RETURN_IF_ERROR(log_.apply(settings));
  return settings;
}

std::string UpCommand::ready_text(const std::string& server, const std::string& kubeconfig,
                                  bool controllers, bool demo) const {
  std::string text =
      fmt::format("API server: {}\nState:      {}\nkubeconfig: {}\nready\n\n{}\n", server,
                  data_dir_.empty() ? "in memory, gone when the cluster stops" : data_dir_,
                  kubeconfig, what_to_try(kubeconfig, demo));
  text += controllers
              ? "Each scale-down is reported below: which pods go, and why. Ctrl-C stops it.\n"
              : "No controllers run, so Deployments and ReplicaSets are stored and nothing "
                "more.\nCtrl-C stops it.\n";
  return text;
}

Result<void> UpCommand::run(const Streams& streams) {
  EBB_ASSIGN_OR_RETURN(auto settings, this->settings(streams.in));
  EBB_ASSIGN_OR_RETURN(auto controller_settings, this->controller_settings(settings.gates));
  const control::ProcessSettings& process = controller_settings.process;
  const bool controls =
      process.replica_sets || process.deployments || process.ranker || process.shadow;
  std::filesystem::path kubeconfig = kubeconfig_;
  if (kubeconfig.empty()) kubeconfig = std::filesystem::path(data_dir_) / kKubeconfigName;
  // Checked before anything is started, because this error is the most likely one. For a kubeconfig
  // in a data folder, the lock of that folder gives a better error.
  if (data_dir_.empty() || !kubeconfig_.empty()) {
    EBB_RETURN_IF_ERROR(cluster::check_kubeconfig_is_free(kubeconfig));
  }

  EBB_ASSIGN_OR_RETURN(auto stop, StopSignal::catch_signals());
  raise_file_limit();
  Printer printer(streams.out);
  const auto print = [&](const std::string& line) { printer.print(model::printable(line) + '\n'); };
  settings.log_line = print;
  EBB_ASSIGN_OR_RETURN(auto cluster, cluster::EmbeddedCluster::start(settings));
  EBB_RETURN_IF_ERROR(cluster::write_kubeconfig(kubeconfig, cluster->kubeconfig()));
  cluster->wait_until_settled();
  std::unique_ptr<demo::DemoPicker> picker;
  bool shows_demo = false;
  if (demo_) {
    EBB_ASSIGN_OR_RETURN(picker, demo::DemoPicker::start());
    EBB_ASSIGN_OR_RETURN(auto made, demo::make_demo(cluster->server(), picker->port()));
    shows_demo = made != demo::Outcome::kNone;
    if (!shows_demo) streams.err << "The cluster is not empty, so --demo adds nothing.\n";
    if (shows_demo && !controls) {
      streams.err << "Without controllers the workloads of --demo get no pods.\n";
    }
  }
  std::unique_ptr<ControllerThread> controllers;
  if (controls) {
    EBB_ASSIGN_OR_RETURN(
        controllers, ControllerThread::start(std::move(controller_settings), cluster->kubeconfig(),
                                             print, streams.err));
    controllers->wait_until_ready();
  }
  printer.print(
      ready_text(cluster->kubeconfig().server, kubeconfig.string(), controls, shows_demo));
  stop.wait();
  print("stopping");
  controllers.reset();
  cluster->stop();
  return {};
}

Completion UpCommand::complete(std::string_view option) const {
  if (option == "--controllers") return complete_controllers(Offer::kControllersAndCollector);
  if (option == "--feature-gates") return complete_feature_gates();
  if (option == "--picker-egress") return PickerOptions::complete_egress();
  if (option == "--nodes") return NodeOptions::complete();
  if (option == "--data-dir" || option == "--write-kubeconfig") return {{}, true};
  if (option == "--bind-address") return {{"127.0.0.1", "0.0.0.0"}, false};
  return LogOptions::complete(option);
}

}  // namespace ebb::cli
