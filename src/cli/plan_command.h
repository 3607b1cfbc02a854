// `ebb plan`: what a scale-down would remove, and why.
#pragma once

#include "cli/access_options.h"
#include "cli/command.h"
#include "model/snapshot.h"
#include "plan/plan.h"

namespace ebb::cli {

class PlanCommand : public Command {
 public:
  [[nodiscard]] std::string_view name() const override { return "plan"; }
  [[nodiscard]] const HelpText& help() const override;
  void declare(CLI::App& app) override;
  [[nodiscard]] Result<void> run(const Streams& streams) override;
  [[nodiscard]] Completion complete(std::string_view option) const override;

 private:
  // Where the snapshot comes from: the files of -f, or the cluster.
  [[nodiscard]] Result<void> check_sources() const;
  [[nodiscard]] Result<model::Snapshot> read_snapshot(plan::Request& request,
                                                      const Streams& streams) const;

  // As typed; run() makes sense of them.
  std::string target_;
  std::string replicas_;
  AccessOptions access_;
  std::string name_space_;
  bool all_namespaces_ = false;
  std::vector<std::string> files_;
  std::string now_;
  std::string feature_gates_;
  std::string picker_answer_;
  std::string policy_;
  std::string output_ = "table";
  const CLI::App* app_ = nullptr;
};

}  // namespace ebb::cli
