// `ebb picker-check`: sends sample requests to a picker, and reports how a controller would use the
// answers.
#pragma once

#include <string>
#include <vector>

#include "cli/common/command.h"
#include "cli/picker/picker_access.h"
#include "cli/picker/picker_trial.h"
#include "model/records/snapshot.h"

namespace ebb::cli {

class PickerCheckCommand : public Command {
 public:
  [[nodiscard]] std::string_view name() const override { return "picker-check"; }
  [[nodiscard]] const HelpText& help() const override;
  void declare(CLI::App& app) override;
  [[nodiscard]] Result<void> run(const Streams& streams) override;
  [[nodiscard]] Completion complete(std::string_view option) const override;

 private:
  // Fills `snapshot` if there are files; the trials may refer to it.
  [[nodiscard]] Result<Trials> trials(model::Snapshot& snapshot, const Streams& streams) const;
  [[nodiscard]] Result<Trials> trials_of_files(model::Snapshot& snapshot,
                                               const Streams& streams) const;

  // As typed; run() parses them.
  PickerAccess access_;
  std::vector<std::string> pods_;
  std::string candidates_ = "500";
  std::vector<std::string> files_;
  std::string target_;
  std::string namespace_name_ = "default";
  std::string replicas_;
  std::string output_ = "text";
};

}  // namespace ebb::cli
