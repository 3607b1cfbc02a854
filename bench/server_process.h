// Runs `ebb up` as a process for the lifetime of the object.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include <sys/types.h>

namespace ebb::bench {

// The address of a server, and how to connect to it.
struct Endpoint {
  std::uint16_t port = 0;
  std::string authority_pem{};
  std::string token{};
};

class ServerProcess {
 public:
  // Returns once it is ready.
  explicit ServerProcess(const std::filesystem::path& data_folder);
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] const Endpoint& endpoint() const { return endpoint_; }

 private:
  void wait_until_ready() const;

  pid_t pid_ = -1;
  int output_ = -1;  // open until the process has ended, because it prints a last line
  Endpoint endpoint_;
};

}  // namespace ebb::bench
