// The options of `ebb picker-check` for the picker's address and the protocol.
#pragma once  // private to its room

#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/result.h"
#include "cli/common/command.h"
#include "picker/call.h"
#include "picker/settings.h"

namespace ebb::cli {

// http://, https://, grpc:// or grpcs://, a host, and optionally a port and a path.
[[nodiscard]] Result<picker::Settings> parse_picker_url(const std::string& url);

class PickerAccess {
 public:
  void declare(CLI::App& app);
  // A call without its body. Files and the environment are read now.
  [[nodiscard]] Result<picker::Call> call() const;
  // `option` as in Command::complete.
  [[nodiscard]] static bool names_a_file(std::string_view option);

 private:
  [[nodiscard]] Result<void> read_headers(picker::Protocol protocol, picker::Call& call) const;
  [[nodiscard]] Result<void> read_tls(picker::Settings& settings, picker::Call& call) const;

  // As typed; call() parses them.
  std::string url_;
  std::vector<std::string> headers_;
  std::vector<std::string> header_files_;
  std::vector<std::string> header_variables_;
  std::string ca_file_;
  std::string server_name_;
  std::string certificate_file_;
  std::string key_file_;
  std::string timeout_ = "1s";
  std::string context_ = "names";
};

}  // namespace ebb::cli
