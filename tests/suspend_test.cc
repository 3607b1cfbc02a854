// A machine that is suspended: the kernel's monotonic clock stops, while leases expire and other
// processes take over. This program replaces clock_gettime to simulate that.
#include <atomic>
#include <chrono>
#include <ctime>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "net/address/steady_clock.h"
#include "net/client/http_client.h"
#include "runtime/host/clock.h"
#include "schema/core/json.h"
#include "support/cluster/controlled_cluster.h"
#include "support/net/raw_server.h"

namespace {

std::atomic<std::time_t> suspended_seconds = 0;

void suspend(std::time_t seconds) { suspended_seconds += seconds; }

}  // namespace

// In place of the C library's, for everything in this program.
extern "C" int clock_gettime(clockid_t clock, timespec* time) noexcept {
  const long result = ::syscall(SYS_clock_gettime, clock, time);
  if (result == 0 && clock == CLOCK_BOOTTIME) time->tv_sec += suspended_seconds;
  return static_cast<int>(result);
}

namespace ebb {
namespace {

constexpr std::time_t kHour = 3600;

TEST(Suspend, CountsForDeadlines) {
  const Nanoseconds steady_ns = net::steady_now_ns();
  const Now before = runtime::clock_now();
  suspend(kHour);
  EXPECT_GE(net::steady_now_ns() - steady_ns, kHour * kNanosecondsPerSecond);
  EXPECT_GE(elapsed_ns(before.mono, runtime::clock_now().mono), kHour * kNanosecondsPerSecond);
}

// The machine goes to sleep when a connection is about to be made.
class SleepyDialer final : public net::Dialer {
 public:
  int open(net::Endpoint& where) override {
    suspend(kHour);
    return system_.open(where);
  }

 private:
  net::SystemDialer system_;
};

// Curl's own deadline does not notice.
TEST(Suspend, ARequestThatWasStillConnectingIsNotSentAfterwards) {
  for (const bool lines : {false, true}) {
    SCOPED_TRACE(lines ? "on a line" : "by curl");
    std::atomic<int> requests = 0;
    support::RawServer server([&](support::RawConnection& connection, int /*number*/) {
      if (!connection.read_request()) return;
      ++requests;
      connection.answer(200, "done");
    });
    SleepyDialer dialer;
    std::optional<net::HttpReply> reply;
    {
      net::HttpClient client({.dialer = &dialer, .http1_connections = lines});
      client.send(
          {.method = "DELETE", .url = server.url("/pods/a"), .total_ns = 5 * kNanosecondsPerSecond},
          [&](net::HttpReply given) { reply = std::move(given); });
      for (int i = 0; i < 300 && !reply; ++i) client.poll(kNanosecondsPerSecond / 10);
    }
    ASSERT_TRUE(reply.has_value());
    EXPECT_EQ(reply->failure, net::HttpReply::Failure::kNotSent) << reply->error;
    EXPECT_EQ(reply->reason, net::HttpReply::Reason::kTimeout) << reply->error;
    EXPECT_EQ(requests, 0);
  }
}

std::string holder(support::ControlledCluster& cluster) {
  const auto lease =
      cluster.ask(model::Method::kGet,
                  "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/ebb-controller");
  return std::string(schema::text_at(lease, {"spec", "holderIdentity"}));
}

// It would release the lease, which another process may hold by then.
TEST(Suspend, ALeaderHasLostItsLeaseAfterwardsAndSendsNothing) {
  support::ControlledCluster cluster(support::ControlledCluster::quick());
  std::ostringstream log;
  runtime::ControllersSettings settings;
  settings.process.lease = control::LeaseSettings{.identity = "first"};
  support::RunningControllers running(cluster.make(settings, log));
  ASSERT_TRUE(support::eventually([&] { return running->ready() && holder(cluster) == "first"; }));
  // A turn that read the clock before may still be running; its lease was valid then.
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  suspend(kHour);
  running.stop();
  EXPECT_TRUE(running->lost_lease());
  EXPECT_EQ(holder(cluster), "first");
}

}  // namespace
}  // namespace ebb
