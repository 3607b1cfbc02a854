#include "bench/load/steps.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "bench/load/continue_token.h"
#include "bench/measure.h"
#include "bench/pod_bodies.h"
#include "bench/require.h"

namespace ebb::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view kCollection = "/api/v1/namespaces/default/pods";
// The number of requests in flight at a time, with a long timeout.
constexpr std::size_t kPart = 5'000;
constexpr int kShards = 10;

std::string pod_path(std::size_t index) { return fmt::format("{}/web-{:06}", kCollection, index); }

std::string write_pods(HttpsClient& client, const WriteStep& step,
                       const HttpsClient::MakeRequest& make) {
  // The time to connect is not measured.
  client.send(step.connections, step.connections,
              [](std::size_t) { return Request{.target = "/version"}; });
  const double time = seconds([&] {
    for (std::size_t done = 0; done < step.count; done += kPart) {
      client.send(std::min(kPart, step.count - done), step.connections,
                  [&](std::size_t index) { return make(step.first + done + index); });
    }
  });
  return fmt::format(R"("seconds":{:.4f},"rate":{:.1f})", time,
                     static_cast<double>(step.count) / time);
}

Request update_request(std::size_t index, std::string_view value) {
  return {.method = "PATCH",
          .target = pod_path(index),
          .body = fmt::format(R"({{"metadata":{{"annotations":{{"update":"{}"}}}}}})", value),
          .content_type = "application/merge-patch+json"};
}

// The revision of the list, from its beginning.
std::string current_revision(HttpsClient& client) {
  constexpr std::string_view kStart = R"("resourceVersion":")";
  const std::string list = client.ask({.target = fmt::format("{}?limit=1", kCollection)});
  const auto at = list.find(kStart);
  require(at != std::string::npos, "a list without a revision");
  const auto value = at + kStart.size();
  return list.substr(value, list.find('"', value) - value);
}

double percentile(std::vector<double>& values, double part) {
  const auto place = static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + place, values.end());
  return values[static_cast<std::size_t>(place)];
}

// From when an update is sent until a watcher has all of its event, over all watchers.
class Latencies {
 public:
  void sent() { sent_.push_back(Clock::now()); }
  void came(std::size_t nth) {
    require(nth <= sent_.size(), "an event of nobody's update");
    ms_.push_back(std::chrono::duration<double, std::milli>(Clock::now() - sent_[nth - 1]).count());
  }
  std::vector<double>& ms() { return ms_; }

 private:
  std::vector<Clock::time_point> sent_;
  std::vector<double> ms_;
};

std::vector<double> measure_latencies(HttpsClient& client, const WatchStep& step,
                                      const std::string& target) {
  Latencies latencies;
  client.watch(step.watchers, target, [&](std::size_t nth) { latencies.came(nth); });
  const auto begin = Clock::now();
  for (std::size_t i = 0; i < step.paced; ++i) {
    client.take_events_until(begin + i * std::chrono::milliseconds(step.pace_ms));
    latencies.sent();
    client.ask(update_request(i, fmt::format("paced-{}", i)));
  }
  client.wait_for_events(step.paced * step.watchers);
  client.close_watches();
  return std::move(latencies.ms());
}

}  // namespace

std::string create_pods(HttpsClient& client, const WriteStep& step) {
  return write_pods(client, step, [&](std::size_t index) {
    const std::string name = fmt::format("web-{:06}", index);
    return Request{
        .method = "POST",
        .target = std::string(kCollection),
        .body = pod_body(
            {.name = name, .owner_uid = step.owner, .shard = static_cast<int>(index % kShards)})};
  });
}

std::string delete_pods(HttpsClient& client, const WriteStep& step) {
  return write_pods(client, step, [](std::size_t index) {
    return Request{.method = "DELETE", .target = pod_path(index)};
  });
}

std::string list_pods(HttpsClient& client, const ListStep& step) {
  const bool protobuf = step.form == "protobuf";
  Request request{.accept = protobuf ? "application/vnd.kubernetes.protobuf" : "application/json"};
  client.ask({.target = "/version"});
  std::size_t bytes = 0;
  std::size_t pages = 0;
  const double time = seconds([&] {
    std::string token;
    do {
      request.target = step.limit == 0 ? std::string(kCollection)
                                       : fmt::format("{}?limit={}{}{}", kCollection, step.limit,
                                                     token.empty() ? "" : "&continue=", token);
      const HttpsClient::Body page = client.fetch(request);
      token = protobuf ? continue_token_of_protobuf(page.beginning)
                       : continue_token_of_json(page.beginning);
      bytes += page.size;
      ++pages;
    } while (!token.empty());
  });
  return fmt::format(R"("seconds":{:.4f},"bytes":{},"pages":{})", time, bytes, pages);
}

std::string watch_pods(HttpsClient& client, const WatchStep& step) {
  const auto target = [&] {
    return fmt::format("{}?watch=1&resourceVersion={}", kCollection, current_revision(client));
  };
  client.send(step.connections, step.connections,
              [](std::size_t) { return Request{.target = "/version"}; });
  client.watch(step.watchers, target());
  const double time = seconds([&] {
    client.send(step.updates, step.connections, [](std::size_t index) {
      return update_request(index, fmt::format("quick-{}", index));
    });
    client.wait_for_events(step.updates * step.watchers);
  });
  client.close_watches();
  std::vector<double> ms = measure_latencies(client, step, target());
  return fmt::format(
      R"("seconds":{:.4f},"events_per_second":{:.0f},"p50_ms":{:.2f},"p99_ms":{:.2f})", time,
      static_cast<double>(step.updates * step.watchers) / time, percentile(ms, 0.5),
      percentile(ms, 0.99));
}

}  // namespace ebb::bench
