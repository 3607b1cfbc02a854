// A DNS server on loopback with the test's answers.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "net/address/ip_address.h"

namespace ebb::support {

class NameServer {
 public:
  // The addresses of a name, for IPv4 and IPv6 alike. An empty list means that the name does not
  // exist; nothing means no answer. If the first entry is `alias:other.test`, the name is an alias
  // (CNAME) of that one, and the other entries are its addresses.
  using Table = std::function<std::optional<std::vector<std::string>>(const std::string& name)>;

  explicit NameServer(Table table);
  ~NameServer();
  NameServer(const NameServer&) = delete;
  NameServer& operator=(const NameServer&) = delete;

  // In the format of net::ResolverSettings.
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
