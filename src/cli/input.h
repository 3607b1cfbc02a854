// Reading what `-f` names: files, folders, standard input.
#pragma once

#include <istream>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/command.h"
#include "model/snapshot.h"

namespace ebb::cli {

// `-` is standard input; a folder stands for the .json, .yaml and .yml files in it.
// Says on `streams.err` how far it got if that takes longer than two seconds.
[[nodiscard]] Result<model::Snapshot> read_inputs(const std::vector<std::string>& names,
                                                  const Streams& streams);

// A small text file, whole.
[[nodiscard]] Result<std::string> read_text_file(const std::string& name, std::istream& in);

}  // namespace ebb::cli
