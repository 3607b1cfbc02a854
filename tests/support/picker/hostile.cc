#include "support/picker/hostile.h"

#include <memory>

#include <gtest/gtest.h>
#include <zlib.h>

#include "base/check.h"
#include "support/picker/calm_calls.h"
#include "support/picker/picker_client_scene.h"

namespace ebb::support {
namespace {

// How much longer than its budget a call may take. No thread is woken exactly on time, and on a
// busy machine a thread may wait for tens of milliseconds: hence a quarter of a second. On a slower
// machine, calls without faults are slow too; a multiple of the slowest of them is allowed, because
// it is compared with the slowest of many.
Nanoseconds allowance_ns(const CalmCalls& calm) {
  constexpr Nanoseconds kWakingUpNs = kNanosecondsPerSecond / 4;
  constexpr Nanoseconds kSlowestTimes = 4;
  return kWakingUpNs + kSlowestTimes * calm.slowest_ns();
}

}  // namespace

void expect_outcomes(const std::vector<Hostile>& pickers, const HostileOptions& options) {
  // Servers that never answer wait for their client to go, so the picker client ends first.
  std::vector<std::unique_ptr<RawServer>> servers;
  PickerClientScene scene;
  std::vector<picker::CallId> ids;
  const CalmCalls calm;
  for (const Hostile& hostile : pickers) {
    servers.push_back(std::make_unique<RawServer>(hostile.script, hostile.tls));
    picker::Call call = scene.call(servers.back()->port());
    call.deadline_ns = options.budget_ns;
    if (options.change) options.change(call);
    ids.push_back(scene.ask(std::move(call)));
  }
  for (std::size_t i = 0; i < pickers.size(); ++i) {
    const picker::Reply reply = scene.reply(ids[i]);
    EXPECT_EQ(to_string(reply.outcome), to_string(pickers[i].outcome))
        << pickers[i].name << ": " << reply.detail;
    EXPECT_EQ(reply.repeatable, pickers[i].repeatable) << pickers[i].name << ": " << reply.detail;
    EXPECT_EQ(reply.detail.find(kSentinel), std::string::npos) << pickers[i].name;
  }
  const Nanoseconds max_ns = options.budget_ns + allowance_ns(calm);
  for (std::size_t i = 0; i < pickers.size(); ++i) {
    EXPECT_LE(scene.took_ns(ids[i]), max_ns) << pickers[i].name;
  }
  for (const std::string& address : scene.dialer().dialled()) EXPECT_EQ(address, "127.0.0.1");
}

std::string gzip(const std::string& text) {
  constexpr int kGzip = 15 + 16;
  z_stream stream{};
  EBB_CHECK(deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzip, 9, Z_DEFAULT_STRATEGY) ==
            Z_OK);
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EBB_CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

}  // namespace ebb::support
