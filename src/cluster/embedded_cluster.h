// A whole cluster in one process: the API server over HTTPS, in memory or on disk, with hollow
// nodes, a scheduler and a garbage collector.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "cluster/files/kubeconfig.h"
#include "cluster/server/live_server.h"
#include "hollow/settings.h"
#include "model/component/component.h"
#include "model/records/feature_gates.h"

namespace ebb::cluster {

struct EmbeddedClusterSettings {
  std::optional<std::filesystem::path> data_folder{};  // empty: in memory
  std::string bind_address = "127.0.0.1";
  std::uint16_t port = 0;  // 0: any free port
  hollow::Settings nodes{};
  // Whether the nodes are created only if there are none: a restarted cluster keeps its nodes.
  bool nodes_are_a_default = false;
  // Whether objects without owners are deleted. If not, another garbage collector can run.
  bool garbage_collector = true;
  // Makes a component that runs beside the hollow ones, such as the load of the demo.
  std::function<std::unique_ptr<model::Component>()> make_component{};
  // Receives failures of admission webhooks, from any thread.
  std::function<void(const std::string& line)> log_line{};
  model::FeatureGates gates{};  // of the API server
};

class EmbeddedCluster {
 public:
  // The cluster is serving when this returns.
  [[nodiscard]] static Result<std::unique_ptr<EmbeddedCluster>> start(
      const EmbeddedClusterSettings& settings);
  // Calls stop(), if needed.
  ~EmbeddedCluster();
  EmbeddedCluster(const EmbeddedCluster&) = delete;
  EmbeddedCluster& operator=(const EmbeddedCluster&) = delete;

  // How clients on this machine reach the cluster.
  [[nodiscard]] const Kubeconfig& kubeconfig() const;
  [[nodiscard]] LiveServer& server();

  // Waits until the hollow components have finished their initial work: the nodes exist.
  void wait_until_settled();

  // Answers pending requests, makes writes durable, and stops.
  void stop();

 private:
  struct Impl;
  explicit EmbeddedCluster(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace ebb::cluster
