// `ebb up`: runs a cluster in one process, for use with kubectl.
#pragma once

#include "cli/common/command.h"
#include "cli/common/log_options.h"
#include "cli/common/node_options.h"
#include "cli/common/picker_options.h"
#include "cluster/embedded_cluster.h"
#include "model/records/feature_gates.h"
#include "runtime/controllers.h"

namespace ebb::cli {

class UpCommand : public Command {
 public:
  [[nodiscard]] std::string_view name() const override { return "up"; }
  [[nodiscard]] const HelpText& help() const override;
  void declare(CLI::App& app) override;
  [[nodiscard]] Result<void> run(const Streams& streams) override;
  [[nodiscard]] Completion complete(std::string_view option) const override;

 private:
  [[nodiscard]] Result<cluster::EmbeddedClusterSettings> settings(std::istream& in) const;
  [[nodiscard]] Result<runtime::ControllersSettings> controller_settings(
      const model::FeatureGates& gates) const;
  [[nodiscard]] std::string ready_text(const std::string& server, const std::string& kubeconfig,
                                       bool controllers, bool demo) const;

  // As typed; run() parses them.
  std::string data_dir_;
  std::string port_ = "7443";
  std::string bind_address_ = "127.0.0.1";
  std::string kubeconfig_;
  std::string controllers_ = "*";
  std::string feature_gates_;
  PickerOptions pickers_;
  LogOptions log_{LogOptions::Place::kBesideACluster};
  NodeOptions nodes_;
  bool demo_ = false;
  const CLI::App* app_ = nullptr;
};

}  // namespace ebb::cli
