// Many pickers that send as much as they can at once. The memory of the picker client is bounded
// by the number of calls, not by what pickers send.
#include <memory>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "picker/outcome.h"
#include "pickerclient/protocol.h"
#include "support/net/h2_server.h"
#include "support/objects/resident_memory.h"
#include "support/picker/hostile.h"
#include "support/picker/picker_client_scene.h"

namespace ebb::picker_client {
namespace {

using picker::kMaxAnswerBytes;
using picker::Outcome;
using support::gzip;
using support::PickerClientScene;
using support::RawConnection;
using support::RawServer;
using support::with;

constexpr std::size_t kAtOnce = 48;
// An answer is gathered in a text that doubles when it is full, so it may take two of its limit.
// Beside it there are its head, what curl reads into, unpacks with and decrypts with.
constexpr std::uint64_t kMaxPerTenant = 2 * kMaxAnswerBytes + kMaxHeadBytes + (128UL << 10U);
// Once for all: what an answer takes while it is decoded, one at a time, and the threads of the
// servers here, which are in the same process.
constexpr std::uint64_t kMaxBeside = (12UL << 20U) + kAtOnce * (128UL << 10U);

// All connections send the same bytes, so that what is measured is not what is sent: `start`
// once, then `piece` until the client has had enough.
RawServer::Script pours(std::string start, std::string piece) {
  const auto shared_start = std::make_shared<const std::string>(std::move(start));
  const auto shared_piece = std::make_shared<const std::string>(std::move(piece));
  return [shared_start, shared_piece](RawConnection& connection, int) {
    (void)connection.read_request();
    connection.write(*shared_start);
    while (connection.write(*shared_piece)) {
    }
  };
}

// Sends `bytes` and then nothing, without saying that it was all.
RawServer::Script leaves_open(std::string bytes) {
  const auto shared = std::make_shared<const std::string>(std::move(bytes));
  return [shared](RawConnection& connection, int) {
    (void)connection.read_request();
    connection.write(*shared);
    (void)connection.read_request();
  };
}

RawServer::Script answers(const std::string& body, const std::string& headers = "") {
  const auto shared = std::make_shared<const std::string>(
      fmt::format("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n{}\r\n{}", body.size(), headers, body));
  return [shared](RawConnection& connection, int) {
    while (connection.read_request()) connection.write(*shared);
  };
}

struct Flood {
  std::string name;
  RawServer::Script script;
  Outcome outcome;
  picker::Protocol protocol = picker::Protocol::kHttp;
};

std::vector<Flood> floods() {
  const std::string ok = "HTTP/1.1 200 OK\r\n";
  const std::string chunked = ok + "Transfer-Encoding: chunked\r\n\r\n";
  const std::string packed = "Content-Encoding: gzip\r\n";
  const std::string bomb = gzip(std::string(64UL << 20U, ' '));
  const std::string gzip_head("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", 10);
  const std::string chunk = fmt::format("{:x}\r\n{}\r\n", 32'768, std::string(32'768, ' '));
  std::string lines;
  for (int i = 0; i < 500; ++i) lines += fmt::format("X-{}: {}\r\n", i, std::string(100, 'x'));
  std::string nothing;
  for (int i = 0; i < 5000; ++i) nothing += std::string("\x00\x00\x00\xff\xff", 5);
  std::string one_line = "X: " + std::string(1UL << 20U, 'x');
  return {
      {"a bomb", answers(bomb, packed), Outcome::kOversize},
      {"a bomb in a bomb", answers(gzip(bomb), "Content-Encoding: gzip, gzip\r\n"),
       Outcome::kOversize},
      {"endless chunks", pours(chunked, chunk), Outcome::kOversize},
      {"endlessly unpacks to nothing", pours(ok + packed + "\r\n" + gzip_head, nothing),
       Outcome::kOversize},
      {"endless head", pours(ok, lines), Outcome::kOversize},
      {"a line of the head that does not end", pours(ok, one_line), Outcome::kOversize},
      {"endless trailers", pours(chunked + "0\r\n", lines), Outcome::kOversize},
      {"one byte more", answers(std::string(kMaxAnswerBytes + 1, ' ')), Outcome::kOversize},
      {"one byte more, not announced",
       leaves_open(ok + "\r\n" + std::string(kMaxAnswerBytes + 1, ' ')), Outcome::kOversize},
      {"an error with an endless body", pours("HTTP/1.1 500 X\r\n\r\n", chunk),
       Outcome::kStatusCode},
      {"as long as it may be", answers(std::string(kMaxAnswerBytes, ' ')), Outcome::kEmpty},
      {"an endless message of gRPC",
       [](RawConnection& connection, int) {
         support::serve_h2(connection, [](const support::H2Request&) {
           return support::H2Answer{
               .headers = {{":status", "200"}, {"content-type", "application/grpc"}},
               .body = std::string(8192, '\0'),
               .endless = true};
         });
       },
       Outcome::kOversize, picker::Protocol::kGrpc},
  };
}

void ask_many(PickerClientScene& scene, const Flood& flood, std::uint16_t port, std::size_t count) {
  const picker::Call call = with(
      scene.call(port), [&](picker::Settings& settings) { settings.protocol = flood.protocol; });
  std::vector<picker::CallId> ids;
  for (std::size_t i = 0; i < count; ++i) ids.push_back(scene.ask(call));
  for (const picker::CallId id : ids) {
    const picker::Reply reply = scene.reply(id);
    EXPECT_EQ(to_string(reply.outcome), to_string(flood.outcome)) << reply.detail;
  }
}

TEST(HostileMemory, IsBoundedByTheNumberOfCalls) {
  for (const Flood& flood : floods()) {
    SCOPED_TRACE(flood.name);
    RawServer server(flood.script);
    PickerClientScene scene;
    // Allocates the memory that is needed once, for any picker.
    ask_many(scene, flood, server.port(), 1);
    const support::ResidentMemory memory;
    ask_many(scene, flood, server.port(), kAtOnce);
    if (!support::ResidentMemory::is_meaningful()) continue;
    EXPECT_LE(memory.growth(), kAtOnce * kMaxPerTenant + kMaxBeside);
  }
}

// They send all but the last byte, and keep what they have sent occupied.
TEST(HostileMemory, IsBoundedForAllAnswersTogether) {
  RawServer server([](RawConnection& connection, int) {
    (void)connection.read_request();
    connection.write(fmt::format("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", kMaxAnswerBytes));
    connection.write(std::string(kMaxAnswerBytes - 1, ' '));
    (void)connection.read_request();
  });
  constexpr std::size_t kMaxTotal = 4 * kMaxAnswerBytes;
  PickerClientScene scene({.loopback = true}, 10'000, nullptr, kMaxTotal);
  picker::Call call = scene.call(server.port());
  call.deadline_ns = 3 * kNanosecondsPerSecond;
  std::vector<picker::CallId> ids;
  for (std::size_t i = 0; i < 16; ++i) ids.push_back(scene.ask(call));
  std::size_t given_up = 0;
  for (const picker::CallId id : ids) {
    given_up += scene.reply(id).outcome == Outcome::kOversize ? 1 : 0;
  }
  EXPECT_GE(given_up, 12U);
}

}  // namespace
}  // namespace ebb::picker_client
