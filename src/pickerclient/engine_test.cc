// The order in which calls start, poll by poll.
#include "pickerclient/engine.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "net/address/steady_clock.h"
#include "support/net/identities.h"

namespace ebb::picker_client {
namespace {

class RefusingDialer : public net::Dialer {
 public:
  [[nodiscard]] int open(net::Endpoint& /*where*/) override { return -1; }
};

// Certificates take long to parse, so a poll must not do that for many calls: every step of another
// tenant's call waits for the end of a poll.
TEST(Engine, LetsOtherTenantsCallBetweenCallsWithCertificates) {
  constexpr picker::CallId kOther = 100;
  const Nanoseconds start_ns = net::steady_now_ns();
  const std::string ca_pem = support::make_identity().certificate_pem;
  std::vector<picker::CallId> done;
  Engine engine({.egress = {.loopback = true}, .dialer = std::make_shared<RefusingDialer>()},
                [&done](picker::CallId id, const picker::Reply&) { done.push_back(id); });
  const auto ask = [&](picker::CallId id, const char* tenant, picker::Settings settings) {
    settings.host = "127.0.0.1";
    // One server each, because calls to the same server may share a connection.
    settings.port = static_cast<std::uint16_t>(20'000 + id);
    engine.ask({.id = id,
                .tenant = tenant,
                .settings = std::make_shared<const picker::Settings>(std::move(settings)),
                .body = std::make_shared<const std::string>("{}")},
               start_ns + 60 * kNanosecondsPerSecond);
  };
  for (picker::CallId id = 1; id <= 20; ++id) ask(id, "busy", {.tls = true, .ca_pem = ca_pem});
  ask(kOther, "other", {});
  std::size_t max_per_poll = 0;
  while (done.size() < 21) {
    const std::size_t before = done.size();
    engine.poll();
    max_per_poll = std::max(max_per_poll, done.size() - before);
  }
  EXPECT_LE(max_per_poll, 3U);
  EXPECT_LT(std::find(done.begin(), done.end(), kOther) - done.begin(), 5);
  EXPECT_LT(net::steady_now_ns() - start_ns, 20 * kNanosecondsPerSecond) << "it never waits";
}

}  // namespace
}  // namespace ebb::picker_client
