#include "net/address/egress_policy.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace ebb::net {
namespace {

IpAddress ip(std::string_view text) { return parse_ip(text).value(); }
Cidr block(std::string_view text) { return parse_cidr(text).value(); }

TEST(EgressPolicy, SaysWhatWouldHaveToChange) {
  EgressPolicy policy;
  policy.deny = {block("10.9.0.0/16")};
  policy.own = {ip("10.1.2.3")};
  policy.own_ports = {6443};
  const auto refusal = [&policy](std::string_view address, std::uint16_t port = 80) {
    EXPECT_FALSE(policy.allows(ip(address), port)) << address;
    return policy.refusal(ip(address), port);
  };
  EXPECT_EQ(refusal("127.0.0.1"), "127.0.0.1 is not allowed (--picker-allow-cidr)");
  EXPECT_EQ(refusal("8.8.8.8"), "8.8.8.8 is not allowed (--picker-allow-cidr)");
  EXPECT_EQ(refusal("10.9.0.1"), "10.9.0.1 is denied (--picker-deny-cidr)");
  constexpr std::string_view kOwn =
      " is an address of the API server or the controller, which is never allowed";
  EXPECT_EQ(refusal("10.1.2.3"), "10.1.2.3" + std::string(kOwn));
  policy.loopback = true;
  EXPECT_EQ(refusal("127.0.0.1", 6443), "127.0.0.1" + std::string(kOwn));
  for (const char* address : {"169.254.169.254", "0.0.0.0", "224.0.0.1", "fe80::1",
                              "::ffff:127.0.0.1", "2001:db8::5efe:10.0.0.1"}) {
    EXPECT_TRUE(refusal(address).ends_with(" is never allowed")) << refusal(address);
  }
}

TEST(IpAddress, ReadsAndPrintsTheOneWayToWriteIt) {
  for (const char* text :
       {"0.0.0.0", "127.0.0.1", "255.255.255.255", "::", "::1", "fd00::1", "fe80::a9fe:a9fe",
        "::ffff:10.0.0.1", "2001:db8::8:800:200c:417a", "1:2:3:4:5:6:7:8"}) {
    const auto address = parse_ip(text);
    ASSERT_TRUE(address) << text;
    EXPECT_EQ(to_string(*address), text);
  }
  EXPECT_TRUE(ip("10.0.0.1").v4);
  EXPECT_FALSE(ip("::ffff:10.0.0.1").v4);
  EXPECT_EQ(ip("FD00:0:0::01"), ip("fd00::1"));
}

TEST(IpAddress, KnowsLoopbackInEachOfItsForms) {
  for (const char* text : {"127.0.0.1", "127.255.0.9", "::1", "::ffff:127.0.0.1"}) {
    EXPECT_TRUE(is_loopback(ip(text))) << text;
  }
  for (const char* text : {"128.0.0.1", "10.0.0.127", "::", "::2", "::ffff:10.0.0.1", "::127.0.0.1",
                           "::fffe:127.0.0.1", "fe80::1", "1::1", "64:ff9b::127.0.0.1"}) {
    EXPECT_FALSE(is_loopback(ip(text))) << text;
  }
}

TEST(IpAddress, RefusesEveryOtherForm) {
  for (const std::string_view text : {"",
                                      " ",
                                      "127.1",
                                      "127.0.1",
                                      "2130706433",
                                      "0x7f.0.0.1",
                                      "0x7f000001",
                                      "0177.0.0.1",
                                      "127.0.0.01",
                                      "127.0.0.256",
                                      "127.0.0.1.",
                                      ".127.0.0.1",
                                      "127.0.0.1 ",
                                      " 127.0.0.1",
                                      "127.0.0.1:80",
                                      "127.0.0.1/8",
                                      "1.2.3.4.5",
                                      "1.2.3",
                                      "1..2.3",
                                      "+1.2.3.4",
                                      "-1.2.3.4",
                                      "1.2.3.4a",
                                      "[::1]",
                                      "::1%lo",
                                      "fe80::1%25eth0",
                                      "::1/128",
                                      ":::",
                                      "1::2::3",
                                      "1:2:3:4:5:6:7",
                                      "1:2:3:4:5:6:7:8:9",
                                      "12345::",
                                      "g::",
                                      "::1.2.3",
                                      "::ffff:127.0.0.01",
                                      "::127.1",
                                      "localhost",
                                      "\xef\xbc\x91.2.3.4"}) {
    EXPECT_FALSE(parse_ip(text)) << text;
  }
  EXPECT_FALSE(parse_ip(std::string_view("127.0.0.1\0", 10)));
  EXPECT_FALSE(parse_ip(std::string_view("127.0.0.1\0evil", 14)));
  EXPECT_FALSE(parse_ip(std::string(1000, '1')));
}

TEST(Cidr, HoldsTheAddressesOfItsPrefix) {
  EXPECT_TRUE(block("10.0.0.0/8").contains(ip("10.255.255.255")));
  EXPECT_FALSE(block("10.0.0.0/8").contains(ip("11.0.0.0")));
  EXPECT_TRUE(block("172.16.0.0/12").contains(ip("172.31.255.255")));
  EXPECT_FALSE(block("172.16.0.0/12").contains(ip("172.32.0.0")));
  EXPECT_TRUE(block("1.2.3.4/32").contains(ip("1.2.3.4")));
  EXPECT_FALSE(block("1.2.3.4/32").contains(ip("1.2.3.5")));
  EXPECT_TRUE(block("fe80::/10").contains(ip("febf::1")));
  EXPECT_FALSE(block("fe80::/10").contains(ip("fec0::1")));
  EXPECT_TRUE(block("::1/128").contains(ip("::1")));
  // A rule for all addresses of one family allows none of the other.
  EXPECT_TRUE(block("0.0.0.0/0").contains(ip("8.8.8.8")));
  EXPECT_FALSE(block("0.0.0.0/0").contains(ip("::")));
  EXPECT_FALSE(block("::/0").contains(ip("0.0.0.0")));
}

TEST(Cidr, RefusesInvalidBlocks) {
  for (const char* text :
       {"", "/", "/8", "10.0.0.0", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/08",
        "10.0.0.0/+8", "10.0.0.0/8 ", "10.0.0.0/8/8", "10/8", "10.0.0.1/8", "::/129", "fd00::1/64",
        "::/x", "10.0.0.0/99999999999999999999"}) {
    EXPECT_FALSE(parse_cidr(text)) << text;
  }
  EXPECT_EQ(parse_cidr("10.1.2.3/8").error().message,
            "\"10.1.2.3/8\" has bits beyond its prefix; expected 10.0.0.0/8");
}

TEST(EgressPolicy, LetsPrivateAddressesThroughByDefault) {
  const EgressPolicy policy;
  for (const char* text :
       {"10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1", "100.64.0.1",
        "100.127.255.255", "fc00::1", "fd12:3456::1"}) {
    EXPECT_TRUE(policy.allows(ip(text), 80)) << text;
  }
  for (const char* text :
       {"8.8.8.8", "1.1.1.1", "172.15.255.255", "172.32.0.1", "192.167.0.1", "100.63.255.255",
        "100.128.0.1", "198.18.0.1", "2606:4700::1111", "2a00::1", "127.0.0.1", "::1"}) {
    EXPECT_FALSE(policy.allows(ip(text), 80)) << text;
  }
}

TEST(EgressPolicy, DoesNotTakeEverythingPublicForItsOwnMachine) {
  EgressPolicy policy;
  policy.allow = {block("0.0.0.0/0"), block("::/0")};
  EXPECT_FALSE(policy.allows(ip("127.0.0.1"), 80));
  EXPECT_FALSE(policy.allows(ip("::1"), 80));
  policy.allow.push_back(block("127.0.0.0/8"));
  EXPECT_TRUE(policy.allows(ip("127.0.0.1"), 80));
  EXPECT_FALSE(policy.allows(ip("::1"), 80));
}

TEST(EgressPolicy, KeepsItsOwnPortsOnLoopback) {
  EgressPolicy policy;
  policy.loopback = true;
  policy.own_ports = {8443};
  EXPECT_FALSE(policy.allows(ip("127.0.0.1"), 8443));
  EXPECT_FALSE(policy.allows(ip("::1"), 8443));
  EXPECT_TRUE(policy.allows(ip("127.0.0.1"), 8444));
  EXPECT_TRUE(policy.allows(ip("10.0.0.1"), 8443));
}

TEST(EgressPolicy, KeepsAwayFromTheControlPlaneOnEveryAddress) {
  EgressPolicy policy;
  policy.allow = {block("0.0.0.0/0"), block("::/0"), block("127.0.0.0/8"), block("::1/128")};
  policy.loopback = true;
  const char* const addresses[] = {"10.0.0.1", "192.168.1.1", "100.64.0.1", "fd00::1",
                                   "8.8.8.8",  "2a00::1",     "127.0.0.1",  "::1"};
  const std::uint16_t denied[] = {2379, 2380, 6443, 10250, 10255, 10256, 10257, 10259};
  const std::uint16_t allowed[] = {80, 443, 2378, 2381, 6442, 6444, 10249, 10258, 10260};
  for (const char* address : addresses) {
    for (const std::uint16_t port : denied) {
      EXPECT_FALSE(policy.allows(ip(address), port)) << address << " " << port;
    }
    for (const std::uint16_t port : allowed) {
      EXPECT_TRUE(policy.allows(ip(address), port)) << address << " " << port;
    }
  }
  EXPECT_EQ(policy.refusal(ip("10.0.0.1"), 10250),
            "10.0.0.1: port 10250 belongs to the control plane (--picker-allow-port)");
  // Allowing one port allows no other.
  policy.allow_ports = {10250};
  policy.own = {ip("10.0.0.9")};
  EXPECT_TRUE(policy.allows(ip("10.0.0.1"), 10250));
  EXPECT_FALSE(policy.allows(ip("10.0.0.1"), 10255));
  EXPECT_FALSE(policy.allows(ip("10.0.0.9"), 10250));
  EXPECT_FALSE(policy.allows(ip("169.254.169.254"), 10250));
}

TEST(EgressPolicy, AllowsNothingWhileItIsClosed) {
  EgressPolicy policy;
  policy.allow = {block("0.0.0.0/0"), block("::/0")};
  policy.loopback = true;
  policy.closed = true;
  for (const char* address : {"10.0.0.1", "fd00::1", "8.8.8.8", "127.0.0.1", "::1"}) {
    EXPECT_FALSE(policy.allows(ip(address), 80)) << address;
  }
  EXPECT_EQ(policy.refusal(ip("10.0.0.1"), 80),
            "10.0.0.1 may be an address of the API server: its addresses are not known");
}

TEST(EgressPolicy, LetsFlagsLiftOnlyWhatIsDeniedByDefault) {
  EgressPolicy all;
  all.allow = {block("0.0.0.0/0"), block("::/0")};
  all.loopback = true;
  for (const char* text : {"8.8.8.8", "2606:4700::1111", "127.0.0.1", "127.8.8.8", "::1"}) {
    EXPECT_TRUE(all.allows(ip(text), 80)) << text;
  }
  for (const char* text : {"0.0.0.0",
                           "0.1.2.3",
                           "::",
                           "169.254.169.254",
                           "169.254.0.1",
                           "fe80::1",
                           "224.0.0.1",
                           "239.255.255.255",
                           "240.0.0.1",
                           "255.255.255.255",
                           "ff02::1",
                           "100.100.100.200",
                           "168.63.129.16",
                           "192.0.0.192",
                           "fd00:ec2::254",
                           "fd00:ec2::23",
                           "fd20:ce::254",
                           "fd00:c1::a9fe:a9fe",
                           "fd00:42::42",
                           "fd00:a9fe:a9fe::1",
                           "fd00:100::100:200",
                           "fe80::a9fe:a9fe",
                           "::ffff:127.0.0.1",
                           "::ffff:8.8.8.8",
                           "::10.0.0.1",
                           "::2",
                           "::ffff:0:10.0.0.1",
                           "64:ff9b::808:808",
                           "64:ff9b:1::1",
                           "2002:a00:1::",
                           "2001::1",
                           "fd00::5efe:10.0.0.1",
                           "fd00::200:5efe:10.0.0.1",
                           "192.0.2.1",
                           "198.51.100.1",
                           "203.0.113.1",
                           "2001:db8::1",
                           "3fff::1",
                           "fec0::1",
                           "100::1",
                           "192.88.99.1"}) {
    EXPECT_FALSE(all.allows(ip(text), 80)) << text;
  }
}

TEST(EgressPolicy, LetsDenialsAndOwnAddressesWin) {
  EgressPolicy policy;
  policy.allow = {block("10.0.0.0/8"), block("127.0.0.1/32")};
  policy.deny = {block("10.1.0.0/16")};
  policy.own = {ip("10.2.0.1"), ip("fd00::1"), ip("127.0.0.9")};
  EXPECT_TRUE(policy.allows(ip("10.0.0.1"), 80));
  EXPECT_FALSE(policy.allows(ip("10.1.0.1"), 80));
  EXPECT_FALSE(policy.allows(ip("10.2.0.1"), 80));
  EXPECT_FALSE(policy.allows(ip("fd00::1"), 80));
  EXPECT_TRUE(policy.allows(ip("fd00::2"), 80));
  EXPECT_TRUE(policy.allows(ip("127.0.0.1"), 80));
  EXPECT_FALSE(policy.allows(ip("127.0.0.2"), 80));
  policy.loopback = true;
  EXPECT_TRUE(policy.allows(ip("127.0.0.2"), 80));
  EXPECT_FALSE(policy.allows(ip("127.0.0.9"), 80));
  policy.deny.push_back(block("::1/128"));
  EXPECT_FALSE(policy.allows(ip("::1"), 80));
}

TEST(EgressPolicy, KnowsHostsByTheirEnds) {
  EgressPolicy policy;
  EXPECT_TRUE(policy.allows_host("anything"));
  policy.hosts = {"svc.cluster.local", ".Example.ORG."};
  for (const char* host : {"svc.cluster.local", "a.svc.cluster.local", "A.B.SVC.Cluster.Local.",
                           "example.org", "www.example.org."}) {
    EXPECT_TRUE(policy.allows_host(host)) << host;
  }
  for (const char* host : {"", ".", "cluster.local", "evilsvc.cluster.local", "example.org.evil",
                           "badexample.org", "svc.cluster.local..", "10.0.0.1"}) {
    EXPECT_FALSE(policy.allows_host(host)) << host;
  }
  policy.hosts = {""};
  EXPECT_FALSE(policy.allows_host("a"));
  EXPECT_FALSE(policy.allows_host(""));
}

IpAddress any_v4() {
  IpAddress address;
  address.v4 = true;
  for (std::size_t i = 12; i < 16; ++i) address.bytes[i] = *rc::gen::arbitrary<std::uint8_t>();
  return address;
}

RC_GTEST_PROP(EgressPolicyProperty, NoDisguiseOfAnIpv4AddressIsEverAllowed, ()) {
  const IpAddress v4 = any_v4();
  EgressPolicy policy;
  policy.allow = {block("::/0"), block("0.0.0.0/0")};
  policy.loopback = *rc::gen::arbitrary<bool>();
  struct Disguise {
    const char* prefix;
    std::size_t at;
  };
  constexpr Disguise kDisguises[] = {{"::ffff:0:0", 12},
                                     {"::", 12},
                                     {"::ffff:0:0:0", 12},
                                     {"64:ff9b::", 12},
                                     {"64:ff9b:1::", 12},
                                     {"64:ff9b:1::", 6},
                                     {"2002::", 2},
                                     {"2001::", 12},
                                     {"2001::", 4},
                                     {"fd00::5efe:0:0", 12},
                                     {"fc00::200:5efe:0:0", 12}};
  for (const Disguise& disguise : kDisguises) {
    IpAddress hidden = ip(disguise.prefix);
    std::copy(v4.bytes.begin() + 12, v4.bytes.end(),
              hidden.bytes.begin() + static_cast<std::ptrdiff_t>(disguise.at));
    // The one address of that kind that means something else.
    if (hidden == ip("::1")) continue;
    RC_ASSERT(!policy.allows(hidden, 80));
  }
}

RC_GTEST_PROP(EgressPolicyProperty, WhatIsPrintedIsReadAgain, ()) {
  IpAddress address = any_v4();
  if (*rc::gen::arbitrary<bool>()) {
    address.v4 = false;
    for (std::size_t i = 0; i < 12; ++i) address.bytes[i] = *rc::gen::arbitrary<std::uint8_t>();
  }
  RC_ASSERT(parse_ip(to_string(address)).value() == address);
}

}  // namespace
}  // namespace ebb::net
