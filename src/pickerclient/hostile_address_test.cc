// Pickers at forbidden addresses, over HTTP and gRPC. The tests check which addresses were
// dialled.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "pickerclient/host_name.h"
#include "support/net/h2_server.h"
#include "support/net/name_server.h"
#include "support/net/raw_server.h"
#include "support/picker/picker_client_scene.h"

namespace ebb::picker_client {
namespace {

using picker::Outcome;
using picker::Protocol;
using picker::Reply;
using support::PickerClientScene;
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

picker::Call to(const PickerClientScene& scene, std::string_view host,
                Protocol protocol = Protocol::kHttp) {
  return with(scene.call(80), [&](picker::Settings& settings) {
    settings.host = host;
    settings.protocol = protocol;
  });
}

// Answers every request without names, and closes the connection after each.
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
  PickerClientScene scene(generous());
  for (const Protocol protocol : kProtocols) {
    for (const std::string_view host : kHostile) {
      SCOPED_TRACE(fmt::format("{} over {}", host, name_of(protocol)));
      ASSERT_TRUE(net::parse_ip(host));
      const Reply reply = scene.ask_and_wait(to(scene, host, protocol));
      EXPECT_EQ(reply.outcome, Outcome::kRefused);
      EXPECT_FALSE(reply.repeatable);
    }
  }
  EXPECT_TRUE(scene.dialer().dialled().empty());
}

TEST(HostileAddress, IsNeverDialledBehindAName) {
  PickerClientScene scene(generous());
  for (const Protocol protocol : kProtocols) {
    for (std::size_t i = 0; i < std::size(kHostile); ++i) {
      SCOPED_TRACE(fmt::format("{} over {}", kHostile[i], name_of(protocol)));
      const std::string name = fmt::format("picker-{}.{}.svc", i, name_of(protocol));
      scene.resolver().put(name, {std::string(kHostile[i])});
      EXPECT_EQ(scene.ask_and_wait(to(scene, name, protocol)).outcome, Outcome::kRefused);
    }
  }
  EXPECT_TRUE(scene.dialer().dialled().empty());
  EXPECT_EQ(scene.resolver().asked(), static_cast<int>(2 * std::size(kHostile)));
}

// Without this the two tests above would also hold for a picker client that never dials at all.
TEST(HostileAddress, IsDistinguishedFromAnAllowedOne) {
  for (const Protocol protocol : kProtocols) {
    SCOPED_TRACE(name_of(protocol));
    RawServer server(answers_empty(protocol));
    PickerClientScene scene(generous());
    scene.dialer().lead_elsewhere(server.port());
    for (const char* host : {"10.0.0.1", "8.8.8.8"}) {
      EXPECT_EQ(scene.ask_and_wait(to(scene, host, protocol)).outcome, Outcome::kEmpty) << host;
    }
    EXPECT_EQ(scene.dialer().dialled(), (std::vector<std::string>{"10.0.0.1", "8.8.8.8"}));
  }
}

TEST(HostileAddress, InOddFormsIsNotEvenLookedUp) {
  PickerClientScene scene(generous());
  for (const Protocol protocol : kProtocols) {
    for (const std::string_view host : kOdd) {
      SCOPED_TRACE(fmt::format("{} over {}", host, name_of(protocol)));
      EXPECT_FALSE(is_host_name(host));
      const Reply reply = scene.ask_and_wait(to(scene, host, protocol));
      EXPECT_EQ(reply.outcome, Outcome::kRefused);
      EXPECT_FALSE(reply.repeatable);
    }
  }
  EXPECT_TRUE(scene.dialer().dialled().empty());
  EXPECT_EQ(scene.resolver().asked(), 0);
}

TEST(HostileAddress, OfLoopbackOrThePublicNeedsAFlag) {
  PickerClientScene scene(net::EgressPolicy{.own = {net::parse_ip("10.0.0.7").value()}});
  for (const Protocol protocol : kProtocols) {
    for (const char* host : {"127.0.0.1", "127.255.255.254", "::1", "8.8.8.8", "2606:4700::1111",
                             "198.18.0.1", "10.0.0.7"}) {
      SCOPED_TRACE(fmt::format("{} over {}", host, name_of(protocol)));
      const Reply reply = scene.ask_and_wait(to(scene, host, protocol));
      EXPECT_EQ(reply.outcome, Outcome::kRefused);
      EXPECT_FALSE(reply.repeatable);
    }
  }
  EXPECT_TRUE(scene.dialer().dialled().empty());
}

TEST(HostileAddress, AmongGoodOnesIsPassedOver) {
  for (const Protocol protocol : kProtocols) {
    SCOPED_TRACE(name_of(protocol));
    RawServer server(answers_empty(protocol));
    PickerClientScene scene{net::EgressPolicy{}};
    scene.dialer().lead_elsewhere(server.port());
    scene.resolver().put("picker", {"169.254.169.254", "127.0.0.1", "10.0.0.5", "8.8.8.8"});
    EXPECT_EQ(scene.ask_and_wait(to(scene, "picker", protocol)).outcome, Outcome::kEmpty);
    EXPECT_EQ(scene.dialer().dialled(), std::vector<std::string>{"10.0.0.5"});
  }
}

TEST(HostileAddress, ThatANameChangesToIsNotDialled) {
  for (const Protocol protocol : kProtocols) {
    SCOPED_TRACE(name_of(protocol));
    RawServer server(answers_empty(protocol));
    PickerClientScene scene{net::EgressPolicy{}};
    scene.dialer().lead_elsewhere(server.port());
    for (const char* address : {"10.0.0.5", "169.254.169.254", "127.0.0.1", "10.0.0.6"}) {
      scene.resolver().put("rebinding.test", {address});
    }
    const picker::Call call = to(scene, "rebinding.test", protocol);
    EXPECT_EQ(scene.ask_and_wait(call).outcome, Outcome::kEmpty);
    EXPECT_EQ(scene.ask_and_wait(call).outcome, Outcome::kRefused);
    EXPECT_EQ(scene.ask_and_wait(call).outcome, Outcome::kRefused);
    EXPECT_EQ(scene.ask_and_wait(call).outcome, Outcome::kEmpty);
    EXPECT_EQ(scene.dialer().dialled(), (std::vector<std::string>{"10.0.0.5", "10.0.0.6"}));
    EXPECT_EQ(scene.resolver().asked(), 4);
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
    PickerClientScene scene(net::EgressPolicy{}, 10,
                            net::make_resolver({.servers = names.address()}));
    scene.dialer().lead_elsewhere(server.port());
    const picker::Call call = to(scene, "rebinding.test", protocol);
    EXPECT_EQ(scene.ask_and_wait(call).outcome, Outcome::kEmpty);
    turned = true;
    EXPECT_EQ(scene.ask_and_wait(call).outcome, Outcome::kRefused);
    EXPECT_EQ(scene.dialer().dialled(), std::vector<std::string>{"10.0.0.5"});
  }
}

TEST(HostileAddress, IsNotReachedByAConnectionThatIsKept) {
  RawServer server([](RawConnection& connection, int) {
    while (connection.read_request()) connection.answer(200, "{}");
  });
  PickerClientScene scene{net::EgressPolicy{}};
  scene.dialer().lead_elsewhere(server.port());
  for (const char* address : {"10.0.0.5", "169.254.169.254", "10.0.0.6", "10.0.0.5"}) {
    scene.resolver().put("picker", {address});
  }
  const picker::Call call = to(scene, "picker");
  // The connection to 10.0.0.5 is kept, but used only while the name resolves to that address.
  EXPECT_EQ(scene.ask_and_wait(call).outcome, Outcome::kEmpty);
  EXPECT_EQ(scene.ask_and_wait(call).outcome, Outcome::kRefused);
  EXPECT_EQ(scene.ask_and_wait(call).outcome, Outcome::kEmpty);
  EXPECT_EQ(scene.ask_and_wait(call).outcome, Outcome::kEmpty);
  EXPECT_EQ(scene.dialer().dialled(), (std::vector<std::string>{"10.0.0.5", "10.0.0.6"}));
}

TEST(HostileAddress, CannotBePutIntoThePathOrAHeader) {
  PickerClientScene scene(generous());
  for (const char* path : {"", "@169.254.169.254/", ".evil.test/", ":22/", "/a b", "/a\r\nX: y",
                           "/\xc3\xa9", "\\\\evil"}) {
    const auto call =
        with(scene.call(80), [&](picker::Settings& settings) { settings.path = path; });
    EXPECT_EQ(scene.ask_and_wait(call).outcome, Outcome::kRefused) << path;
  }
  for (const auto& header :
       std::vector<std::pair<std::string, std::string>>{{"Host", "evil"},
                                                        {"x", "a\r\nb: c"},
                                                        {"x\r\ny", "a"},
                                                        {"Content-Length", "1"},
                                                        {"Transfer-Encoding", "chunked"},
                                                        {"connection", "close"},
                                                        {"x", std::string("a\0b", 3)}}) {
    picker::Call call = scene.call(80);
    call.headers = {header};
    EXPECT_EQ(scene.ask_and_wait(call).outcome, Outcome::kRefused) << header.first;
  }
  EXPECT_TRUE(scene.dialer().dialled().empty());
}

TEST(HostileAddress, OfAHostThatIsNotListedIsNotLookedUp) {
  PickerClientScene scene(net::EgressPolicy{.hosts = {"svc.cluster.local"}});
  for (const Protocol protocol : kProtocols) {
    for (const char* host : {"evil.test", "10.0.0.1"}) {
      const Reply reply = scene.ask_and_wait(to(scene, host, protocol));
      EXPECT_EQ(reply.outcome, Outcome::kRefused) << host << " over " << name_of(protocol);
    }
  }
  EXPECT_EQ(scene.resolver().asked(), 0);
  EXPECT_TRUE(scene.dialer().dialled().empty());
}

TEST(HostileAddress, OnAPortOfTheControlPlaneIsNotDialled) {
  RawServer server(answers_empty(Protocol::kHttp));
  net::EgressPolicy egress = generous();
  egress.allow_ports = {10259};
  PickerClientScene scene(egress);
  scene.dialer().lead_elsewhere(server.port());
  const auto outcome = [&](const char* host, std::uint16_t port) {
    return scene
        .ask_and_wait(
            with(to(scene, host), [&](picker::Settings& settings) { settings.port = port; }))
        .outcome;
  };
  scene.resolver().put("kubelet.test", {"10.0.0.1"});
  const std::uint16_t ports[] = {2379, 2380, 6443, 10250, 10255, 10256, 10257};
  for (const std::uint16_t port : ports) {
    for (const char* host : {"10.0.0.1", "8.8.8.8", "127.0.0.1", "::1", "kubelet.test"}) {
      EXPECT_EQ(outcome(host, port), Outcome::kRefused) << host << " " << port;
    }
  }
  EXPECT_TRUE(scene.dialer().dialled().empty());
  EXPECT_EQ(outcome("10.0.0.1", 10259), Outcome::kEmpty);
}

TEST(HostileAddress, OfAnotherNamespaceIsNotEvenLookedUp) {
  net::EgressPolicy egress = generous();
  egress.services_only = true;
  PickerClientScene scene(egress);
  for (const Protocol protocol : kProtocols) {
    for (const char* host : {"10.0.0.1", "127.0.0.1", "::1", "picker.bank", "picker.bank.svc",
                             "picker.bank.svc.cluster.local", "kubernetes.default.svc", "evil.test",
                             "picker.shop.svc.evil.test", "0.picker.shop.svc", "picker.shop."}) {
      picker::Call call = to(scene, host, protocol);
      call.tenant = "shop";
      const Reply reply = scene.ask_and_wait(call);
      EXPECT_EQ(reply.outcome, Outcome::kRefused) << host << " over " << name_of(protocol);
      EXPECT_FALSE(reply.repeatable);
    }
  }
  EXPECT_EQ(scene.resolver().asked(), 0);
  EXPECT_TRUE(scene.dialer().dialled().empty());
}

TEST(HostileAddress, OfAServiceIsLookedUpByItsFullName) {
  RawServer server(answers_empty(Protocol::kHttp));
  const support::NameServer names([](const std::string& name) {
    std::vector<std::string> found;
    if (name == "picker.shop.svc.cluster.local") found = {"10.0.0.5"};
    if (name == "alias.shop.svc.cluster.local") {
      found = {"alias:picker.bank.svc.cluster.local", "10.0.0.6"};
    }
    // The names that a resolver in the controller's namespace would look up for short names.
    if (name == "picker" || name == "picker.shop" || name.starts_with("picker.ebb")) {
      found = {"10.0.0.7"};
    }
    return std::optional(found);
  });
  PickerClientScene scene(net::EgressPolicy{.services_only = true}, 10,
                          net::make_resolver({.servers = names.address()}));
  scene.dialer().lead_elsewhere(server.port());
  const auto outcome = [&](const char* host) {
    picker::Call call = to(scene, host);
    call.tenant = "shop";
    return scene.ask_and_wait(call).outcome;
  };
  for (const char* host : {"picker", "picker.shop", "picker.shop.svc"}) {
    EXPECT_EQ(outcome(host), Outcome::kEmpty) << host;
  }
  EXPECT_EQ(scene.dialer().dialled(), std::vector<std::string>(3, "10.0.0.5"));
  // A Service of type ExternalName leads to another namespace.
  EXPECT_EQ(outcome("alias"), Outcome::kRefused);
  EXPECT_EQ(scene.dialer().dialled().size(), 3U);
}

TEST(HostileAddress, IsNotFoundInTheEnvironment) {
  for (const char* name : {"http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "https_proxy"}) {
    setenv(name, "http://127.0.0.1:9", 1);
  }
  RawServer server([](RawConnection& connection, int) {
    while (connection.read_request()) connection.answer(200, "{}");
  });
  PickerClientScene scene;
  EXPECT_EQ(scene.ask_and_wait(scene.call(server.port())).outcome, Outcome::kEmpty);
  for (const char* name : {"http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "https_proxy"}) {
    unsetenv(name);
  }
}

TEST(HostileAddress, OfANameThatIsNeverResolvedEndsInTime) {
  PickerClientScene scene;
  scene.resolver().put("slow.test", {});
  picker::Call call = to(scene, "slow.test");
  call.deadline_ns = kNanosecondsPerSecond / 4;
  EXPECT_EQ(scene.ask_and_wait(call).outcome, Outcome::kTimeout);
  const Reply unknown = scene.ask_and_wait(to(scene, "unknown.test"));
  EXPECT_EQ(unknown.outcome, Outcome::kRefused);
  EXPECT_TRUE(unknown.repeatable);
}

}  // namespace
}  // namespace ebb::picker_client
