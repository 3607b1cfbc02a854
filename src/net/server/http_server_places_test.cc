// Which connections a full server keeps, on real sockets.
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "support/net/http_client.h"
#include "support/net/http_server_scene.h"
#include "support/threads/guarded.h"

namespace ebb::net {
namespace {

using support::Exchange;
using support::HttpClient;
using support::Signal;

class HttpServerPlaces : public support::HttpServerScene {};

TEST_F(HttpServerPlaces, GivesThePlaceOfTheLongestIdleToANewConnection) {
  settings.threads = 1;  // so that one connection is seen to be idle before the next is served
  settings.connections = 2;
  start();
  HttpClient first(port());
  EXPECT_EQ(first.ask("GET", "/").code, 200);
  HttpClient second(port());
  EXPECT_EQ(second.ask("GET", "/").code, 200);
  EXPECT_EQ(first.ask("GET", "/").code, 200);
  HttpClient third(port());
  EXPECT_EQ(third.ask("GET", "/").code, 200);
  EXPECT_TRUE(second.is_closed_by_server());
  EXPECT_EQ(first.ask("GET", "/").code, 200);
}

TEST_F(HttpServerPlaces, ClosesNewConnectionsWhileAllOthersAreBeingAnswered) {
  settings.connections = 2;
  support::Guarded<std::vector<Exchange>> kept;
  Signal both_asked;
  handler.answer = [&](Exchange exchange) {
    const std::size_t count = kept.with([&](auto& exchanges) {
      exchanges.push_back(std::move(exchange));
      return exchanges.size();
    });
    if (count == 2) both_asked.set();
  };
  start();
  HttpClient first(port());
  first.send_request("GET", "/");
  HttpClient second(port());
  second.send_request("GET", "/");
  ASSERT_TRUE(both_asked.wait());
  HttpClient third(port());
  EXPECT_TRUE(third.is_closed_by_server());
  for (const Exchange& exchange : kept.get()) exchange->respond({}, Bytes("late"));
  EXPECT_EQ(first.receive().body, "late");
  EXPECT_EQ(second.receive().body, "late");
  kept.set({});
}

TEST_F(HttpServerPlaces, EvictsAnAnswerThatIsNotTakenWhereThatIsAllowed) {
  settings.connections = 2;
  settings.evict_answering = true;
  handler.answer = [](const Exchange& exchange) {
    const bool large = exchange->request().path == "/large";
    exchange->respond({}, Bytes(std::string(large ? 32UL << 20 : 2, 'x')));
  };
  start();
  std::vector<std::unique_ptr<HttpClient>> slow;
  for (int i = 0; i < 2; ++i) {
    slow.push_back(std::make_unique<HttpClient>(port()));
    slow.back()->send_request("GET", "/large");
    EXPECT_EQ(slow.back()->receive_head().code, 200);
  }
  EXPECT_EQ(HttpClient(port()).ask("GET", "/").body, "xx");
}

// Ways to hold a connection without being served: all of one peer, more than there are places.
class HeldConnections : public support::HttpServerScene,
                        public ::testing::WithParamInterface<std::string_view> {
 protected:
  void hold(const std::string& from) {
    for (int i = 0; i < 40; ++i) {
      held.push_back(std::make_unique<HttpClient>(port(), "", "", from));
      if (GetParam() == "answered") {
        EXPECT_EQ(held.back()->ask("GET", "/").code, 200);
      } else {
        held.back()->send(GetParam());
      }
    }
  }

  std::vector<std::unique_ptr<HttpClient>> held;
};

TEST_P(HeldConnections, CostNoRequestOfAnotherPeer) {
  settings.connections = 20;
  settings.connections_per_peer = 5;
  start();
  HttpClient old(port(), "", "", "127.0.0.3");
  EXPECT_EQ(old.ask("GET", "/").code, 200);
  hold("127.0.0.2");
  for (int i = 0; i < 20; ++i) EXPECT_EQ(HttpClient(port()).ask("GET", "/").code, 200);
  EXPECT_EQ(old.ask("GET", "/").code, 200) << "another peer's idle connection was given up";
}

TEST_P(HeldConnections, CostNoRequestOfTheSamePeer) {
  settings.connections = 20;
  settings.connections_per_peer = 5;
  start();
  hold("127.0.0.1");
  for (int i = 0; i < 20; ++i) EXPECT_EQ(HttpClient(port()).ask("GET", "/").code, 200);
}

TEST_P(HeldConnections, OfManyPeersCostNoRequest) {
  settings.connections = 20;
  settings.connections_per_peer = 10;
  start();
  for (const char* from : {"127.0.0.2", "127.0.0.3", "127.0.0.4"}) hold(from);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(HttpClient(port()).ask("GET", "/").code, 200);
}

std::string name_of(const ::testing::TestParamInfo<std::string_view>& info) {
  constexpr std::array kNames = {"Silent", "Idle", "HalfAHead", "HalfABody"};
  return kNames[info.index];
}
INSTANTIATE_TEST_SUITE_P(AllPhases, HeldConnections,
                         ::testing::Values("", "answered", "GET / HTTP/1.1\r\nHost: l",
                                           "POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nx"),
                         name_of);

TEST_F(HttpServerPlaces, HalfAHandshakeLosesItsPlace) {
  const auto authority = make_authority("test");
  ASSERT_TRUE(authority);
  const auto pair = issue_server_certificate(*authority, {"127.0.0.1"});
  ASSERT_TRUE(pair);
  settings.tls = *pair;
  settings.connections = 3;
  start();
  std::vector<std::unique_ptr<HttpClient>> held;
  for (int i = 0; i < 10; ++i) {
    held.push_back(std::make_unique<HttpClient>(port()));
    held.back()->send({"\x16\x03\x01\x02\x00\x01", 6});
  }
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(HttpClient(port(), authority->certificate_pem).ask("GET", "/").code, 200);
  }
}

}  // namespace
}  // namespace ebb::net
