// Reads the files, folders or standard input that `-f` names.
#pragma once

#include <istream>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/common/command.h"
#include "model/records/snapshot.h"

namespace ebb::cli {

// `-` is standard input; a folder means the .json, .yaml and .yml files in it. Reports progress on
// `streams.err` if reading takes longer than two seconds.
[[nodiscard]] Result<model::Snapshot> read_inputs(const std::vector<std::string>& names,
                                                  const Streams& streams);

// Reads a small text file completely.
[[nodiscard]] Result<std::string> read_text_file(const std::string& name, std::istream& in);

}  // namespace ebb::cli
