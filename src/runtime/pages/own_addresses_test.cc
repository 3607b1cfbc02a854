#include "runtime/pages/own_addresses.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <string>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace ebb::runtime {
namespace {

using net::parse_ip;

std::vector<std::string> shown(const std::vector<net::IpAddress>& addresses) {
  std::vector<std::string> texts;
  for (const net::IpAddress& address : addresses) texts.push_back(to_string(address));
  return texts;
}

TEST(OwnAddresses, FindTheServerInItsUrl) {
  const struct {
    std::string url;
    std::vector<std::string> addresses;
  } rows[] = {
      {"https://10.1.2.3:6443", {"10.1.2.3"}},
      {"https://10.1.2.3", {"10.1.2.3"}},
      {"https://10.1.2.3:6443/k8s/clusters/c-1", {"10.1.2.3"}},
      {"https://[fd00::7]:6443/path", {"fd00::7"}},
  };
  for (const auto& row : rows) {
    const auto addresses = addresses_of_server(row.url);
    ASSERT_TRUE(addresses) << addresses.error().message;
    EXPECT_EQ(shown(*addresses), row.addresses) << row.url;
  }
}

TEST(OwnAddresses, HaveAPortWhateverTheUrlLooksLike) {
  EXPECT_EQ(port_of_server("https://127.0.0.1:6443/api"), 6443);
  EXPECT_EQ(port_of_server("https://[::1]:7443"), 7443);
  EXPECT_EQ(port_of_server("https://[fd00::1]/"), 443);
  EXPECT_EQ(port_of_server("https://user@api.example:8443?x"), 8443);
  EXPECT_EQ(port_of_server("http://api"), 80);
}

TEST(OwnAddresses, LeaveLoopbackToTheOperator) {
  for (const char* url : {"https://127.0.0.1:6443", "https://[::1]:6443", "https://localhost"}) {
    const auto addresses = addresses_of_server(url);
    ASSERT_TRUE(addresses) << addresses.error().message;
    EXPECT_TRUE(addresses->empty()) << url;
  }
  for (const net::IpAddress& address : addresses_of_machine()) {
    EXPECT_FALSE(is_loopback(address)) << to_string(address);
  }
}

// The system says from which address it would send a packet; none is sent.
std::optional<net::IpAddress> address_towards_others() {
  const int made = ::socket(AF_INET, SOCK_DGRAM, 0);
  if (made < 0) return std::nullopt;
  sockaddr_in other{};
  other.sin_family = AF_INET;
  other.sin_port = htons(9);
  ::inet_pton(AF_INET, "10.255.255.254", &other.sin_addr);
  sockaddr_in ours{};
  socklen_t size = sizeof ours;
  std::array<char, INET_ADDRSTRLEN> text{};
  const bool known =
      ::connect(made, reinterpret_cast<const sockaddr*>(&other), sizeof other) == 0 &&  // NOLINT
      ::getsockname(made, reinterpret_cast<sockaddr*>(&ours), &size) == 0 &&            // NOLINT
      ::inet_ntop(AF_INET, &ours.sin_addr, text.data(), text.size()) != nullptr;
  ::close(made);
  if (!known) return std::nullopt;
  return parse_ip(text.data()).value();
}

TEST(OwnAddresses, AreThoseThatOthersKnowTheMachineBy) {
  // A machine with loopback only has no other address.
  const auto found = address_towards_others();
  const net::IpAddress ours = found ? *found : parse_ip("127.0.0.1").value();
  net::EgressPolicy egress;
  egress.allow.push_back(net::parse_cidr("0.0.0.0/0").value());
  egress.own = addresses_of_machine();
  EXPECT_EQ(std::count(egress.own.begin(), egress.own.end(), ours), is_loopback(ours) ? 0 : 1);
  EXPECT_FALSE(egress.allows(ours, 80));
}

TEST(OwnAddresses, IncludeTheServiceFromTheEnvironmentOfPods) {
  const char* before = std::getenv("KUBERNETES_SERVICE_HOST");
  const std::string kept = before == nullptr ? "" : before;
  unsetenv("KUBERNETES_SERVICE_HOST");
  EXPECT_FALSE(address_of_service());
  setenv("KUBERNETES_SERVICE_HOST", "10.96.0.1", 1);
  EXPECT_EQ(address_of_service(), parse_ip("10.96.0.1").value());
  setenv("KUBERNETES_SERVICE_HOST", "no address", 1);
  EXPECT_FALSE(address_of_service());
  before == nullptr ? unsetenv("KUBERNETES_SERVICE_HOST")
                    : setenv("KUBERNETES_SERVICE_HOST", kept.c_str(), 1);
}

}  // namespace
}  // namespace ebb::runtime
