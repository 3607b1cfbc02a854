// Runs `ebb up` as a process for the lifetime of the object.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include <sys/types.h>

#include "bench/ebb_process.h"

namespace ebb::bench {

// The address of a server, and how to connect to it.
struct Endpoint {
  std::uint16_t port = 0;
  std::string authority_pem{};
  std::string token{};
};

[[nodiscard]] std::string from_base64(const std::string& text);

class ServerProcess {
 public:
  // Returns once it is ready.
  explicit ServerProcess(const std::filesystem::path& data_folder);
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  [[nodiscard]] pid_t pid() const { return process_->pid(); }
  [[nodiscard]] const Endpoint& endpoint() const { return endpoint_; }

 private:
  void wait_until_ready() const;

  std::optional<EbbProcess> process_;
  int output_ = -1;  // open until the process has ended, because it prints a last line
  Endpoint endpoint_;
};

}  // namespace ebb::bench
