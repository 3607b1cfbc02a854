#include "cli/version_command.h"

namespace ebb::cli {

const HelpText& VersionCommand::help() const {
  static constexpr HelpText kHelp{
      .summary = "Print the version", .long_text = "", .examples = "", .usage = ""};
  return kHelp;
}

Result<void> VersionCommand::run(const Streams& streams) {
  streams.out << "ebb " << EBB_VERSION << '\n';
  return {};
}

}  // namespace ebb::cli
