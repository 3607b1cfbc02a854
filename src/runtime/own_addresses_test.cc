#include "runtime/own_addresses.h"

#include <algorithm>

#include <gtest/gtest.h>

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
  EXPECT_TRUE(addresses_of_binding("127.0.0.1").empty());
  EXPECT_TRUE(addresses_of_binding("::1").empty());
}

TEST(OwnAddresses, AreTheOneThatAServerIsBoundTo) {
  EXPECT_EQ(shown(addresses_of_binding("10.9.8.7")), std::vector<std::string>{"10.9.8.7"});
}

TEST(OwnAddresses, AreAllOfTheMachineIfItIsBoundToAny) {
  for (const char* any : {"0.0.0.0", "::"}) {
    const auto addresses = addresses_of_binding(any);
    EXPECT_EQ(std::count(addresses.begin(), addresses.end(), *parse_ip("127.0.0.1")), 0);
    EXPECT_EQ(std::count(addresses.begin(), addresses.end(), *parse_ip(any)), 0);
  }
}

}  // namespace
}  // namespace ebb::runtime
