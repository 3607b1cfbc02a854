// Pickers that are aimed where they do not belong, over HTTP and gRPC alike. What counts is what
// was dialled.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "asker/host_name.h"
#include "support/asking.h"
#include "support/h2_server.h"
#include "support/name_server.h"
#include "support/raw_server.h"

namespace ebb::asker {
namespace {

using picker::Outcome;
using picker::Protocol;
using picker::Reply;
using support::Asking;
using support::RawConnection;
using support::RawServer;
using support::with;

// As a host in the settings, and where it can be written so, as what a name resolves to.
constexpr std::string_view kHostile[] = {
    // Addresses that no flag allows.
    "0.0.0.0",
    "0.0.0.1",
    "0.255.255.255",
    "169.254.169.254",
    "169.254.170.2",
    "169.254.170.23",
    "169.254.42.42",
    "169.254.0.23",
    "169.254.20.10",
    "169.254.255.255",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "192.0.0.1",
    "192.0.2.1",
    "198.51.100.7",
    "203.0.113.9",
    "192.88.99.1",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::2",
    "::127.0.0.1",
    "::7f00:1",
    "::169.254.169.254",
    "::10.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::ffff:169.254.169.254",
    "::ffff:a9fe:a9fe",
    "::ffff:10.0.0.1",
    "::FFFF:8.8.8.8",
    "0:0:0:0:0:ffff:127.0.0.1",
    "::ffff:0:127.0.0.1",
    "::ffff:0:a9fe:a9fe",
    "64:ff9b::127.0.0.1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::a9fe:a9fe",
    "64:ff9b:1:a9fe:a9:fe00::",
    "2002:7f00:1::",
    "2002:a9fe:a9fe::1",
    "2002:a00:1::",
    "2001::1",
    "2001:0:7f00:1::",
    "2001:0:5601:5601:ffff:ffff:5601:5601",
    "fe80::1",
    "fe80::a9fe:a9fe",
    "febf:ffff::1",
    "fec0::1",
    "feff::1",
    "ff02::1",
    "ff0e::1",
    "fd00:ec2::254",
    "FD00:0EC2::0254",
    "fd00:ec2::23",
    "fd20:ce::254",
    "fd00:c1::a9fe:a9fe",
    "fd00:42::42",
    "fd00:a9fe:a9fe::1",
    "fd00:100::100:200",
    "fd00::5efe:7f00:1",
    "fd00::5efe:169.254.169.254",
    "fd00::200:5efe:10.0.0.1",
    "100::1",
    "2001:db8::1",
    "3fff::1",
    "2001:2::1",
    "2001:10::1",
    "2001:20::1",
    "5f00::1",
};

// Ways to write a host that some programs take for an address.
constexpr std::string_view kOdd[] = {
    "127.1",
    "127.0.1",
    "2130706433",
    "017700000001",
    "0x7f000001",
    "0x7f.0.0.1",
    "0X7F.1",
    "0177.0.0.1",
    "0177.0.0.01",
    "127.0.0.01",
    "127.000.000.001",
    "127.0.0.1.",
    "127.0.0.256",
    "127.0.0.0x1",
    "2852039166",
    "0xa9fea9fe",
    "0251.0376.0251.0376",
    "169.254.43518",
    "169.16689662",
    "a.b.0x1",
    "1",
    "0",
    "0x",
    "0x0",
    "1.2.3.4.5",
    "[::1]",
    "[127.0.0.1]",
    "::1%lo",
    "fe80::1%eth0",
    "fe80::1%25eth0",
    "::1]",
    "127.0.0.1:80",
    "127.0.0.1/",
    "127.0.0.1#",
    "127.0.0.1?",
    "a@127.0.0.1",
    "a:b@127.0.0.1",
    "127.0.0.1\\@a",
    "127.0.0.1%00",
    "127。0。0。1",
    "１２７.0.0.1",
    "①②⑦.0.0.1",
    "ⓛocalhost",
    "",
    ".",
    "..",
    "a..b",
    " 127.0.0.1",
    "127.0.0.1 ",
    "127.0.0.1\t",
    "127.0.0.1\r\nX: y",
    "-a",
    "a-",
    "*.a",
    "a,b",
    "file:///etc/passwd",
};

constexpr Protocol kProtocols[] = {Protocol::kHttp, Protocol::kGrpc};

const char* name_of(Protocol protocol) { return protocol == Protocol::kHttp ? "HTTP" : "gRPC"; }

picker::Call to(const Asking& asking, std::string_view host, Protocol protocol = Protocol::kHttp) {
  return with(asking.call(80), [&](picker::Settings& settings) {
    settings.host = host;
    settings.protocol = protocol;
  });
}

// Answers everybody without a name, and has every question come on a connection of its own.
RawServer::Script answers_empty(Protocol protocol) {
  return [protocol](RawConnection& connection, int) {
    if (protocol == Protocol::kHttp) {
      (void)connection.read_request();
      connection.answer(200, "{}", "Connection: close\r\n");
      return;
    }
    support::serve_h2(connection, [](const support::H2Request&) {
      return support::H2Answer{
          .headers = {{":status", "200"}, {"content-type", "application/grpc"}},
          .body = std::string(5, '\0'),
          .trailers = {{"grpc-status", "0"}}};
    });
  };
}

// Everything is allowed that can be.
net::EgressPolicy generous() {
  return {.allow = {net::parse_cidr("0.0.0.0/0").value(), net::parse_cidr("::/0").value()},
          .loopback = true};
}

TEST(HostileAddress, IsNeverDialledWhateverTheFlagsSay) {
  static_assert(std::size(kHostile) >= 60);
  Asking asking(generous());
  for (const Protocol protocol : kProtocols) {
    for (const std::string_view host : kHostile) {
      SCOPED_TRACE(fmt::format("{} over {}", host, name_of(protocol)));
      ASSERT_TRUE(net::parse_ip(host));
      const Reply reply = asking.ask_and_wait(to(asking, host, protocol));
      EXPECT_EQ(reply.outcome, Outcome::kRefused);
      EXPECT_FALSE(reply.repeatable);
    }
  }
  EXPECT_TRUE(asking.dialer().dialled().empty());
}

TEST(HostileAddress, IsNeverDialledBehindAName) {
  Asking asking(generous());
  for (const Protocol protocol : kProtocols) {
    for (std::size_t i = 0; i < std::size(kHostile); ++i) {
      SCOPED_TRACE(fmt::format("{} over {}", kHostile[i], name_of(protocol)));
      const std::string name = fmt::format("picker-{}.{}.svc", i, name_of(protocol));
      asking.resolver().put(name, {std::string(kHostile[i])});
      EXPECT_EQ(asking.ask_and_wait(to(asking, name, protocol)).outcome, Outcome::kRefused);
    }
  }
  EXPECT_TRUE(asking.dialer().dialled().empty());
  EXPECT_EQ(asking.resolver().asked(), static_cast<int>(2 * std::size(kHostile)));
}

// Without this the two tests above would also hold for an asker that never dials at all.
TEST(HostileAddress, IsToldFromOneThatMayBeDialled) {
  for (const Protocol protocol : kProtocols) {
    SCOPED_TRACE(name_of(protocol));
    RawServer server(answers_empty(protocol));
    Asking asking(generous());
    asking.dialer().lead_elsewhere(server.port());
    for (const char* host : {"10.0.0.1", "8.8.8.8"}) {
      EXPECT_EQ(asking.ask_and_wait(to(asking, host, protocol)).outcome, Outcome::kEmpty) << host;
    }
    EXPECT_EQ(asking.dialer().dialled(), (std::vector<std::string>{"10.0.0.1", "8.8.8.8"}));
  }
}

TEST(HostileAddress, InOddFormsIsNotEvenLookedUp) {
  Asking asking(generous());
  for (const Protocol protocol : kProtocols) {
    for (const std::string_view host : kOdd) {
      SCOPED_TRACE(fmt::format("{} over {}", host, name_of(protocol)));
      EXPECT_FALSE(is_host_name(host));
      const Reply reply = asking.ask_and_wait(to(asking, host, protocol));
      EXPECT_EQ(reply.outcome, Outcome::kRefused);
      EXPECT_FALSE(reply.repeatable);
    }
  }
  EXPECT_TRUE(asking.dialer().dialled().empty());
  EXPECT_EQ(asking.resolver().asked(), 0);
}

TEST(HostileAddress, OfLoopbackOrThePublicNeedsAFlag) {
  Asking asking(net::EgressPolicy{.own = {net::parse_ip("10.0.0.7").value()}});
  for (const Protocol protocol : kProtocols) {
    for (const char* host : {"127.0.0.1", "127.255.255.254", "::1", "8.8.8.8", "2606:4700::1111",
                             "198.18.0.1", "10.0.0.7"}) {
      SCOPED_TRACE(fmt::format("{} over {}", host, name_of(protocol)));
      const Reply reply = asking.ask_and_wait(to(asking, host, protocol));
      EXPECT_EQ(reply.outcome, Outcome::kRefused);
      EXPECT_FALSE(reply.repeatable);
    }
  }
  EXPECT_TRUE(asking.dialer().dialled().empty());
}

TEST(HostileAddress, AmongGoodOnesIsPassedOver) {
  for (const Protocol protocol : kProtocols) {
    SCOPED_TRACE(name_of(protocol));
    RawServer server(answers_empty(protocol));
    Asking asking{net::EgressPolicy{}};
    asking.dialer().lead_elsewhere(server.port());
    asking.resolver().put("picker", {"169.254.169.254", "127.0.0.1", "10.0.0.5", "8.8.8.8"});
    EXPECT_EQ(asking.ask_and_wait(to(asking, "picker", protocol)).outcome, Outcome::kEmpty);
    EXPECT_EQ(asking.dialer().dialled(), std::vector<std::string>{"10.0.0.5"});
  }
}

TEST(HostileAddress, ThatANameChangesToIsNotDialled) {
  for (const Protocol protocol : kProtocols) {
    SCOPED_TRACE(name_of(protocol));
    RawServer server(answers_empty(protocol));
    Asking asking{net::EgressPolicy{}};
    asking.dialer().lead_elsewhere(server.port());
    for (const char* address : {"10.0.0.5", "169.254.169.254", "127.0.0.1", "10.0.0.6"}) {
      asking.resolver().put("rebinding.test", {address});
    }
    const picker::Call call = to(asking, "rebinding.test", protocol);
    EXPECT_EQ(asking.ask_and_wait(call).outcome, Outcome::kEmpty);
    EXPECT_EQ(asking.ask_and_wait(call).outcome, Outcome::kRefused);
    EXPECT_EQ(asking.ask_and_wait(call).outcome, Outcome::kRefused);
    EXPECT_EQ(asking.ask_and_wait(call).outcome, Outcome::kEmpty);
    EXPECT_EQ(asking.dialer().dialled(), (std::vector<std::string>{"10.0.0.5", "10.0.0.6"}));
    EXPECT_EQ(asking.resolver().asked(), 4);
  }
}

TEST(HostileAddress, IsNotDialledWhenARealNameServerTurns) {
  for (const Protocol protocol : kProtocols) {
    SCOPED_TRACE(name_of(protocol));
    std::atomic<bool> turned = false;
    const support::NameServer names([&](const std::string&) {
      return std::optional<std::vector<std::string>>(
          {turned ? "169.254.169.254" : "10.0.0.5", turned ? "::ffff:10.0.0.5" : "fd00:ec2::254"});
    });
    RawServer server(answers_empty(protocol));
    Asking asking(net::EgressPolicy{}, 10, net::make_resolver({.servers = names.address()}));
    asking.dialer().lead_elsewhere(server.port());
    const picker::Call call = to(asking, "rebinding.test", protocol);
    EXPECT_EQ(asking.ask_and_wait(call).outcome, Outcome::kEmpty);
    turned = true;
    EXPECT_EQ(asking.ask_and_wait(call).outcome, Outcome::kRefused);
    EXPECT_EQ(asking.dialer().dialled(), std::vector<std::string>{"10.0.0.5"});
  }
}

TEST(HostileAddress, IsNotReachedByAConnectionThatIsKept) {
  RawServer server([](RawConnection& connection, int) {
    while (connection.read_request()) connection.answer(200, "{}");
  });
  Asking asking{net::EgressPolicy{}};
  asking.dialer().lead_elsewhere(server.port());
  for (const char* address : {"10.0.0.5", "169.254.169.254", "10.0.0.6", "10.0.0.5"}) {
    asking.resolver().put("picker", {address});
  }
  const picker::Call call = to(asking, "picker");
  // The connection to 10.0.0.5 is kept, but serves only while the name stands for that.
  EXPECT_EQ(asking.ask_and_wait(call).outcome, Outcome::kEmpty);
  EXPECT_EQ(asking.ask_and_wait(call).outcome, Outcome::kRefused);
  EXPECT_EQ(asking.ask_and_wait(call).outcome, Outcome::kEmpty);
  EXPECT_EQ(asking.ask_and_wait(call).outcome, Outcome::kEmpty);
  EXPECT_EQ(asking.dialer().dialled(), (std::vector<std::string>{"10.0.0.5", "10.0.0.6"}));
}

TEST(HostileAddress, CannotBePutIntoThePathOrAHeader) {
  Asking asking(generous());
  for (const char* path : {"", "@169.254.169.254/", ".evil.test/", ":22/", "/a b", "/a\r\nX: y",
                           "/\xc3\xa9", "\\\\evil"}) {
    const auto call =
        with(asking.call(80), [&](picker::Settings& settings) { settings.path = path; });
    EXPECT_EQ(asking.ask_and_wait(call).outcome, Outcome::kRefused) << path;
  }
  for (const auto& header :
       std::vector<std::pair<std::string, std::string>>{{"Host", "evil"},
                                                        {"x", "a\r\nb: c"},
                                                        {"x\r\ny", "a"},
                                                        {"Content-Length", "1"},
                                                        {"Transfer-Encoding", "chunked"},
                                                        {"connection", "close"},
                                                        {"x", std::string("a\0b", 3)}}) {
    picker::Call call = asking.call(80);
    call.headers = {header};
    EXPECT_EQ(asking.ask_and_wait(call).outcome, Outcome::kRefused) << header.first;
  }
  EXPECT_TRUE(asking.dialer().dialled().empty());
}

TEST(HostileAddress, OfAHostThatIsNotListedIsNotLookedUp) {
  Asking asking(net::EgressPolicy{.hosts = {"svc.cluster.local"}});
  for (const Protocol protocol : kProtocols) {
    for (const char* host : {"evil.test", "10.0.0.1"}) {
      const Reply reply = asking.ask_and_wait(to(asking, host, protocol));
      EXPECT_EQ(reply.outcome, Outcome::kRefused) << host << " over " << name_of(protocol);
    }
  }
  EXPECT_EQ(asking.resolver().asked(), 0);
  EXPECT_TRUE(asking.dialer().dialled().empty());
}

TEST(HostileAddress, IsNotFoundInTheEnvironment) {
  for (const char* name : {"http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "https_proxy"}) {
    setenv(name, "http://127.0.0.1:9", 1);
  }
  RawServer server([](RawConnection& connection, int) {
    while (connection.read_request()) connection.answer(200, "{}");
  });
  Asking asking;
  EXPECT_EQ(asking.ask_and_wait(asking.call(server.port())).outcome, Outcome::kEmpty);
  for (const char* name : {"http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "https_proxy"}) {
    unsetenv(name);
  }
}

TEST(HostileAddress, OfANameThatIsNeverResolvedEndsInTime) {
  Asking asking;
  asking.resolver().put("slow.test", {});
  picker::Call call = to(asking, "slow.test");
  call.deadline_ns = kNanosecondsPerSecond / 4;
  EXPECT_EQ(asking.ask_and_wait(call).outcome, Outcome::kTimeout);
  const Reply unknown = asking.ask_and_wait(to(asking, "unknown.test"));
  EXPECT_EQ(unknown.outcome, Outcome::kRefused);
  EXPECT_TRUE(unknown.repeatable);
}

}  // namespace
}  // namespace ebb::asker
