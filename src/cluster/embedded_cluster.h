// A whole cluster in one process: the API server over HTTPS, with or without a disk behind
// it, and what stands in for nodes, scheduler and garbage collection.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "cluster/kubeconfig.h"
#include "cluster/live_server.h"
#include "model/feature_gates.h"
#include "nodes/settings.h"

namespace ebb::cluster {

struct EmbeddedClusterSettings {
  std::optional<std::filesystem::path> data_folder{};  // nothing: in memory
  std::string bind_address = "127.0.0.1";
  std::uint16_t port = 0;  // 0: any free one
  nodes::Settings nodes{};
  // Whether the nodes are made only where there is none: a cluster that is started again has
  // those that it had.
  bool nodes_are_a_default = false;
  // Whether what has lost its owners is deleted. If not, somebody else can do it.
  bool garbage_collector = true;
  // Whether the demo's workloads grow and shrink, if they are there.
  bool demo_load = false;
  // Hears of admission webhooks that fail, from any thread.
  std::function<void(const std::string& line)> tell{};
  model::FeatureGates gates{};  // of the API server
};

class EmbeddedCluster {
 public:
  // Serves once this returns.
  [[nodiscard]] static Result<std::unique_ptr<EmbeddedCluster>> start(
      const EmbeddedClusterSettings& settings);
  // Stops, if that has not happened.
  ~EmbeddedCluster();
  EmbeddedCluster(const EmbeddedCluster&) = delete;
  EmbeddedCluster& operator=(const EmbeddedCluster&) = delete;

  // Where and how clients on this machine reach it.
  [[nodiscard]] const Kubeconfig& kubeconfig() const;
  [[nodiscard]] LiveServer& server();

  // Returns once the stand-ins have done what there was to do at the beginning: the
  // nodes exist.
  void wait_until_settled();

  // Answers what was asked, makes durable what was written, and ends.
  void stop();

 private:
  struct Parts;
  explicit EmbeddedCluster(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace ebb::cluster
