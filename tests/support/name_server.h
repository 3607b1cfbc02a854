// A DNS server on loopback that answers as a test wants.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "net/ip_address.h"

namespace ebb::support {

class NameServer {
 public:
  // The addresses of a name, for IPv4 and IPv6 alike; none: there is no such name; nothing: no
  // answer at all.
  using Table = std::function<std::optional<std::vector<std::string>>(const std::string& name)>;

  explicit NameServer(Table table);
  ~NameServer();
  NameServer(const NameServer&) = delete;
  NameServer& operator=(const NameServer&) = delete;

  // As net::ResolverSettings wants it.
  [[nodiscard]] std::string address() const;
  [[nodiscard]] int questions() const { return questions_; }

 private:
  void run();
  [[nodiscard]] std::optional<std::string> answer(const std::string& question);

  Table table_;
  int socket_ = -1;
  std::uint16_t port_ = 0;
  std::atomic<int> questions_ = 0;
  std::atomic<bool> stopping_ = false;
  std::thread thread_;
};

}  // namespace ebb::support
