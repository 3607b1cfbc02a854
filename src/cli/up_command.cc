#include "cli/up_command.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <sys/resource.h>

#include "cli/stop_signal.h"
#include "cli/values.h"
#include "cluster/demo.h"
#include "cluster/embedded_cluster.h"

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
      "{0} get nodes\n"
      "{0} get deployments,pods --namespace shop -o wide\n"
      "{0} get deploy,rs,pods,nodes,dsp,pgc --namespace shop -o json |\n"
      "    {1} plan deploy/checkout --replicas 4 --namespace shop -f -\n",
      kubectl, program_path());
}

}  // namespace

const HelpText& UpCommand::help() const {
  static constexpr HelpText kHelp{
      .summary = "Run a small cluster in this process, for kubectl to talk to",
      .long_text =
          " An API server, a scheduler, nodes whose pods start and stop without containers, and\n"
          " garbage collection. It prints its address, writes a kubeconfig, and says ready once "
          "it\n"
          " serves. Ctrl-C stops it.\n\n"
          " Without --data-dir everything is in memory and gone when it stops. With it, every "
          "write\n"
          " that was answered is on disk, and the next start goes on from there.\n\n"
          " Deployments and ReplicaSets are stored; no controller acts on them yet.",
      .examples =
          "  # Three zones of two nodes, with workloads to look at\n"
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
  app.add_option("--controllers", controllers_,
                 "Controllers to run beside the API server; there are none to choose from yet");
  nodes_.declare(app,
                 "The nodes: ZONESxNODES, such as 3x2, or a YAML or JSON file with a list of them; "
                 "those that are missing are made. By default a cluster keeps what it has");
  app.add_flag("--demo", demo_, "Fill an empty cluster with a few workloads");
}

Result<void> UpCommand::run(const Streams& streams) {
  cluster::EmbeddedClusterSettings settings;
  auto port = parse_port("--port", port_);
  if (!port) return propagate(port);
  settings.port = *port;
  if (bind_address_.empty()) return fail(ErrorCode::kUsage, "--bind-address: is empty");
  settings.bind_address = bind_address_;
  if (!controllers_.empty()) {
    return fail(ErrorCode::kUsage,
                fmt::format("--controllers: unknown controller \"{}\"; there are none yet, so only "
                            "an empty list is possible",
                            controllers_));
  }
  if (app_->count("--data-dir") > 0 && data_dir_.empty()) {
    return fail(ErrorCode::kUsage, "--data-dir: is empty");
  }
  if (app_->count("--write-kubeconfig") > 0 && kubeconfig_.empty()) {
    return fail(ErrorCode::kUsage, "--write-kubeconfig: is empty");
  }
  if (auto read = nodes_.apply(settings.nodes, streams.in); !read) return propagate(read);
  settings.nodes_are_a_default = app_->count("--nodes") == 0;
  if (!data_dir_.empty()) settings.data_folder = data_dir_;
  std::filesystem::path kubeconfig = kubeconfig_;
  if (kubeconfig.empty()) kubeconfig = std::filesystem::path(data_dir_) / kKubeconfigName;
  // Before anything is started: it is what most likely has to be said.
  if (auto free = cluster::check_kubeconfig_is_free(kubeconfig); !free) return propagate(free);

  auto stop = StopSignal::catch_signals();
  if (!stop) return propagate(stop);
  raise_file_limit();
  auto cluster = cluster::EmbeddedCluster::start(settings);
  if (!cluster) return propagate(cluster);
  if (auto written = cluster::write_kubeconfig(kubeconfig, (*cluster)->kubeconfig()); !written) {
    return propagate(written);
  }
  (*cluster)->wait_until_settled();
  if (demo_) {
    auto made = cluster::make_demo((*cluster)->server());
    if (!made) return propagate(made);
    if (!*made) streams.err << "The cluster is not empty, so --demo adds nothing.\n";
  }
  streams.out
      << fmt::format(
             "API server: {}\nState:      {}\nkubeconfig: {}\nready\n\n{}\nNo controller acts on "
             "Deployments and ReplicaSets yet: they are stored, and that is all.\nCtrl-C stops "
             "it.\n",
             (*cluster)->kubeconfig().server,
             data_dir_.empty() ? "in memory, gone when this stops" : data_dir_, kubeconfig.string(),
             what_to_try(kubeconfig.string(), demo_))
      << std::flush;
  stop->wait();
  streams.out << "stopping\n" << std::flush;
  (*cluster)->stop();
  return {};
}

Completion UpCommand::complete(std::string_view option) const {
  if (option == "--nodes") return NodeOptions::complete();
  if (option == "--data-dir" || option == "--write-kubeconfig") return {{}, true};
  if (option == "--bind-address") return {{"127.0.0.1", "0.0.0.0"}, false};
  return {};
}

}  // namespace ebb::cli
