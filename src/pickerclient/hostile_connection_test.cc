// Pickers that are slow, close the connection, speak another protocol, or have the wrong
// identity.
#include <chrono>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "net/client/curl_loop.h"
#include "net/tls/certificate.h"
#include "support/picker/hostile.h"
#include "support/picker/picker_client_scene.h"

namespace ebb::picker_client {
namespace {

using picker::Outcome;
using support::PickerClientScene;
using support::RawConnection;
using support::RawServer;
using support::RawTls;
using support::with;

// Each byte arrives before a timeout that counts only silence.
RawServer::Script drips(std::string start, std::string drop) {
  return [start = std::move(start), drop = std::move(drop)](RawConnection& connection, int) {
    (void)connection.read_request();
    connection.write(start);
    while (connection.write(drop)) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  };
}

RawServer::Script says(std::string text) {
  return [text = std::move(text)](RawConnection& connection, int) {
    (void)connection.read_request();
    connection.write(text);
  };
}

TEST(HostilePicker, TakesItsTime) {
  const std::string ok = "HTTP/1.1 200 OK\r\n";
  support::expect_outcomes(
      {
          {"never reads",
           [](RawConnection& connection, int) {
             std::this_thread::sleep_for(std::chrono::seconds(2));
             (void)connection.is_closed_by_client();
           },
           Outcome::kTimeout, false},
          {"never answers",
           [](RawConnection& connection, int) { (void)connection.is_closed_by_client(); },
           Outcome::kTimeout, false},
          {"a slow status line", drips("HTTP/1.1 200 ", "O"), Outcome::kTimeout, false},
          {"a slow head", drips(ok, "X: y\r\n"), Outcome::kTimeout, false},
          {"a slow body", drips(ok + "Content-Length: 1000000\r\n\r\n", " "), Outcome::kTimeout,
           false},
          {"slow chunks", drips(ok + "Transfer-Encoding: chunked\r\n\r\n", "1\r\n \r\n"),
           Outcome::kTimeout, false},
          {"a slow chunk size", drips(ok + "Transfer-Encoding: chunked\r\n\r\n1;", "x"),
           Outcome::kTimeout, false},
          {"slow preliminary answers", drips("", "HTTP/1.1 100 Continue\r\n\r\n"),
           Outcome::kTimeout, false},
          {"a slow error", drips("HTTP/1.1 503 X\r\nContent-Length: 1000000\r\n\r\n", " "),
           Outcome::kStatusCode, true},
      },
      {.budget_ns = kNanosecondsPerSecond});
}

TEST(HostilePicker, NeverFinishesItsHandshake) {
  const auto tls = [](picker::Call& call) {
    call = with(std::move(call), [](picker::Settings& settings) { settings.tls = true; });
  };
  support::expect_outcomes(
      {{"silent", [](RawConnection& connection, int) { (void)connection.is_closed_by_client(); },
        Outcome::kTimeout, false},
       {"a record that does not end", drips(std::string("\x16\x03\x03\x3f\xff", 5), "x"),
        Outcome::kTimeout, false}},
      {.budget_ns = kNanosecondsPerSecond, .change = tls});
}

TEST(HostilePicker, BreaksOff) {
  const std::string ok = "HTTP/1.1 200 OK\r\n";
  const auto resets_after = [](std::string text) {
    return [text = std::move(text)](RawConnection& connection, int) {
      (void)connection.read_request();
      connection.write(text);
      connection.reset();
    };
  };
  const auto large = [](picker::Call& call) {
    call.body = std::make_shared<std::string>(4UL << 20U, ' ');
  };
  support::expect_outcomes({
      {"at once", [](RawConnection& connection, int) { connection.reset(); }, Outcome::kRefused,
       true},
      {"without a word", [](RawConnection&, int) {}, Outcome::kRefused, true},
      {"after the request", resets_after(""), Outcome::kRefused, true},
      {"in the status line", resets_after("HTTP/1."), Outcome::kRefused, true},
      {"in the head", resets_after(ok + "X: y\r\n"), Outcome::kRefused, true},
      {"in the body", resets_after(ok + "Content-Length: 100\r\n\r\n{"), Outcome::kMalformed, true},
      {"in a chunk", resets_after(ok + "Transfer-Encoding: chunked\r\n\r\n10\r\n{"),
       Outcome::kMalformed, true},
  });
  support::expect_outcomes({{"in the middle of the request",
                             [](RawConnection& connection, int) {
                               std::array<char, 1000> some{};
                               (void)connection.read_some(some.data(), some.size());
                               connection.reset();
                             },
                             Outcome::kRefused, true}},
                           {.change = large});
}

TEST(HostilePicker, SpeaksSomethingElse) {
  support::expect_outcomes({
      {"HTTP/0.9", says(R"({"chosen_pods":["a"]})"), Outcome::kMalformed, true},
      {"a later version", says("HTTP/7.5 200 OK\r\n\r\n{}"), Outcome::kMalformed, true},
      {"no version", says("HTTP/ 200 OK\r\n\r\n{}"), Outcome::kMalformed, true},
      {"no code", says("HTTP/1.1 OK\r\n\r\n{}"), Outcome::kMalformed, true},
      {"a code of six digits", says("HTTP/1.1 200200 OK\r\n\r\n{}"), Outcome::kMalformed, true},
      {"a mail server", says("220 SENTINEL ESMTP\r\n"), Outcome::kMalformed, true},
      {"zeros", says(std::string(1000, '\0')), Outcome::kMalformed, true},
      {"a frame of HTTP/2", says(std::string("\x00\x00\x00\x04\x00\x00\x00\x00\x00", 9)),
       Outcome::kMalformed, true},
      {"a head with NUL", says(std::string("HTTP/1.1 200 OK\r\nX: \0\r\n\r\n{}", 27)),
       Outcome::kMalformed, true},
      {"a redirect to metadata",
       says("HTTP/1.1 307 X\r\nLocation: http://169.254.169.254/SENTINEL\r\nContent-Length: "
            "0\r\n\r\n"),
       Outcome::kStatusCode, false},
      {"a redirect to itself",
       says("HTTP/1.1 302 X\r\nLocation: /pick\r\nContent-Length: 0\r\n\r\n"), Outcome::kStatusCode,
       false},
      {"another place for the next time",
       says("HTTP/1.1 200 X\r\nAlt-Svc: h2=\"169.254.169.254:80\"\r\nRefresh: 0; "
            "url=http://169.254.169.254/\r\nContent-Length: 2\r\n\r\n{}"),
       Outcome::kEmpty, false},
      {"wants another protocol",
       says("HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n"),
       Outcome::kRefused, true},
      {"wants a password",
       says("HTTP/1.1 401 X\r\nWWW-Authenticate: NTLM\r\nContent-Length: 0\r\n\r\n"),
       Outcome::kStatusCode, false},
      {"wants a proxy's password",
       says("HTTP/1.1 407 X\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n"),
       Outcome::kStatusCode, false},
  });
}

TEST(HostilePicker, IsForgottenWithItsCookies) {
  std::string second;
  RawServer server([&](RawConnection& connection, int) {
    while (auto request = connection.read_request()) {
      second = *request;
      connection.answer(200, "{}",
                        "Set-Cookie: a=b; Path=/\r\nStrict-Transport-Security: max-age=99\r\n");
    }
  });
  PickerClientScene scene;
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(scene.ask_and_wait(scene.call(server.port())).outcome, Outcome::kEmpty);
  }
  EXPECT_EQ(second.find("ookie"), std::string::npos);
}

class HostileTlsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    authority = net::make_authority("good").value();
    stranger = net::make_authority("stranger").value();
    good = net::issue_server_certificate(authority, {"127.0.0.1", "picker.test"}).value();
  }
  [[nodiscard]] std::function<void(picker::Call&)> trusting() const {
    return [this](picker::Call& call) {
      call = with(std::move(call), [&](picker::Settings& settings) {
        settings.tls = true;
        settings.ca_pem = authority.certificate_pem;
      });
    };
  }
  [[nodiscard]] static RawTls tls_of(const net::KeyPair& pair) {
    return {pair.certificate_pem, pair.key_pem};
  }

  net::KeyPair authority;
  net::KeyPair stranger;
  net::KeyPair good;
};

TEST_F(HostileTlsTest, HasAnInvalidCertificate) {
  const auto expired = support::expired(good.certificate_pem, authority.key_pem);
  const auto elsewhere = net::issue_server_certificate(authority, {"elsewhere"}).value();
  const auto strange = net::issue_server_certificate(stranger, {"127.0.0.1"}).value();
  bool asked = false;
  const RawServer::Script sees = [&](RawConnection& connection, int) {
    asked = asked || connection.read_request().has_value();
  };
  support::expect_outcomes(
      {
          {"expired", sees, Outcome::kTls, false, RawTls{expired, good.key_pem}},
          {"another name", sees, Outcome::kTls, false, tls_of(elsewhere)},
          {"a stranger's", sees, Outcome::kTls, false, tls_of(strange)},
          {"signed by itself", sees, Outcome::kTls, false, tls_of(stranger)},
          {"no TLS at all",
           [](RawConnection& connection, int) {
             connection.write("HTTP/1.1 400 SENTINEL\r\n\r\n");
             (void)connection.is_closed_by_client();
           },
           Outcome::kTls, true},
          {"breaks off in the handshake",
           [](RawConnection& connection, int) {
             std::array<char, 100> hello{};
             (void)connection.read_some(hello.data(), hello.size());
             connection.reset();
           },
           Outcome::kTls, true},
          {"ends in the handshake",
           [](RawConnection& connection, int) {
             std::array<char, 100> hello{};
             (void)connection.read_some(hello.data(), hello.size());
           },
           Outcome::kTls, true},
      },
      {.change = trusting()});
  EXPECT_FALSE(asked) << "a request was sent to an untrusted server";
}

TEST_F(HostileTlsTest, IsCalledIfItsCertificateIsValid) {
  support::expect_outcomes({{"good",
                             [](RawConnection& connection, int) {
                               while (connection.read_request())
                                 connection.answer(200, R"({"tied_pods":["a"]})");
                             },
                             Outcome::kAnswered, false, tls_of(good)}},
                           {.change = trusting()});
}

TEST_F(HostileTlsTest, GetsTheNameOfTheSettings) {
  std::string sni;
  std::string request;
  RawServer server(
      [&](RawConnection& connection, int) {
        sni = connection.server_name();
        request = connection.read_request().value_or("");
        connection.answer(200, "{}");
      },
      tls_of(good));
  PickerClientScene scene;
  scene.resolver().put("service.shop", {"127.0.0.1"});
  picker::Call call = scene.call(server.port());
  trusting()(call);
  call = with(std::move(call), [](picker::Settings& settings) {
    settings.host = "service.shop";
    settings.server_name = "picker.test";
  });
  const picker::Reply reply = scene.ask_and_wait(call);
  EXPECT_EQ(reply.outcome, Outcome::kEmpty) << reply.detail;
  EXPECT_EQ(sni, "picker.test");
  EXPECT_NE(request.find(fmt::format("\r\nHost: service.shop:{}\r\n", server.port())),
            std::string::npos);
}

TEST_F(HostileTlsTest, IsNotReachedOverAConnectionOfACallThatTrustsIt) {
  RawServer server(
      [&](RawConnection& connection, int) {
        while (connection.read_request()) connection.answer(200, "{}");
      },
      tls_of(good));
  PickerClientScene scene;
  picker::Call trusts = scene.call(server.port());
  trusting()(trusts);
  const picker::Call does_not =
      with(trusts, [&](picker::Settings& settings) { settings.ca_pem = stranger.certificate_pem; });
  const picker::Call has_none =
      with(trusts, [](picker::Settings& settings) { settings.ca_pem.clear(); });
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(scene.ask_and_wait(trusts).outcome, Outcome::kEmpty);
    EXPECT_EQ(scene.ask_and_wait(does_not).outcome, Outcome::kTls);
    EXPECT_EQ(scene.ask_and_wait(has_none).outcome, Outcome::kTls);
  }
}

TEST_F(HostileTlsTest, DoesNotTakeOneClientForAnother) {
  const auto client = net::issue_server_certificate(authority, {"client"}).value();
  RawTls tls = tls_of(good);
  tls.ask_for_certificate = true;
  std::atomic<int> shown = 0;
  RawServer server(
      [&](RawConnection& connection, int) {
        if (connection.client_certificate_pem() == client.certificate_pem) ++shown;
        while (connection.read_request()) connection.answer(200, "{}");
      },
      tls);
  PickerClientScene scene;
  picker::Call call = scene.call(server.port());
  trusting()(call);
  call.certificate_pem = client.certificate_pem;
  call.key_pem = client.key_pem;
  const picker::Reply reply = scene.ask_and_wait(call);
  EXPECT_EQ(reply.outcome, Outcome::kEmpty) << reply.detail;
  EXPECT_EQ(shown, 1);

  // A certificate is public. A tenant that has it without its key must not get the connection or
  // the TLS session of its owner.
  picker::Call thief = call;
  thief.key_pem = stranger.key_pem;
  EXPECT_EQ(scene.ask_and_wait(thief).outcome, Outcome::kBadSettings);
  thief.certificate_pem.clear();
  thief.key_pem.clear();
  EXPECT_EQ(scene.ask_and_wait(thief).outcome, Outcome::kEmpty);
  EXPECT_EQ(shown, 1);
}

TEST_F(HostileTlsTest, MayNotEndTheProcessByAnUnwantedSignal) {
  // SIGPIPE would end the test. Curl keeps it away, of OpenSSL too since 7.88.
  RawServer server(
      [](RawConnection& connection, int) {
        std::array<char, 100> some{};
        (void)connection.read_some(some.data(), some.size());
        connection.reset();
      },
      tls_of(good));
  PickerClientScene scene;
  picker::Call call = scene.call(server.port());
  trusting()(call);
  call.body = std::make_shared<std::string>(8UL << 20U, ' ');
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(scene.ask_and_wait(call).outcome, Outcome::kRefused);
  }
}

}  // namespace
}  // namespace ebb::picker_client
