// `ebb plan`: shows which pods a scale-down would remove, and why.
#pragma once

#include "cli/common/access_options.h"
#include "cli/common/command.h"
#include "model/records/snapshot.h"
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
  // Checks the source of the snapshot: the files of -f, or the cluster.
  [[nodiscard]] Result<void> check_sources() const;
  [[nodiscard]] Result<model::Snapshot> read_snapshot(plan::Request& request,
                                                      const Streams& streams) const;

  // As typed; run() parses them.
  std::string target_;
  std::string replicas_;
  AccessOptions access_;
  std::string namespace_name_;
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
