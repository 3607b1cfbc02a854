// The whole program over HTTPS with its disk, `ebb up --data-dir`: rates of writes and reads, the
// cost of a change that a thousand clients watch, and memory. Client and server share the
// machine's processors, so rates mean little by themselves; they are compared with the same disk
// and the same TLS without the server.
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>

#include "bench/https_client.h"
#include "bench/measure.h"
#include "bench/pod_bodies.h"
#include "bench/references.h"
#include "bench/require.h"
#include "bench/resident_memory.h"
#include "bench/server_process.h"
#include "support/objects/temporary_folder.h"

namespace ebb::bench {
namespace {

constexpr std::size_t kPods = 20'000;
constexpr std::size_t kStoredBytes = 3'000;  // a pod has
constexpr std::size_t kRounds = 4;
constexpr std::size_t kConnections = 64;
constexpr std::size_t kAlone = 100;  // writes a round over one connection
constexpr int kShards = 10;
constexpr std::size_t kWatchers = 1'000;
constexpr std::size_t kUpdates = 200;
constexpr std::size_t kUpdaters = 8;
constexpr std::string_view kCollection = "/api/v1/namespaces/default/pods";

std::string pod_name(std::size_t index) { return fmt::format("web-{:06}", index); }

// The text of a field that comes once in the JSON.
std::string field(const std::string& json, std::string_view name) {
  const std::string start = fmt::format(R"("{}":")", name);
  const auto at = json.find(start);
  require(at != std::string::npos, fmt::format("no {} in the answer", name));
  const auto value = at + start.size();
  return json.substr(value, json.find('"', value) - value);
}

// Pods belong to a ReplicaSet; without it they would be collected.
std::string make_owner(HttpsClient& client) {
  return field(client.ask({.method = "POST",
                           .target = "/apis/apps/v1/namespaces/default/replicasets",
                           .body = R"({"kind":"ReplicaSet","apiVersion":"apps/v1",)"
                                   R"("metadata":{"name":"web-7d4b9c6f5d"},)"
                                   R"("spec":{"replicas":0,)"
                                   R"("selector":{"matchLabels":{"app":"web"}},"template":)"
                                   R"({"metadata":{"labels":{"app":"web"}},"spec":)"
                                   R"({"containers":[{"name":"web","image":"web"}]}}}})"}),
               "uid");
}

class ClusterBench {
 public:
  void run() {
    announce("starting ebb up");
    owner_ = make_owner(client_);
    const std::size_t before = resident_bytes(server_.pid());
    announce("creating 20,000 pods");
    measure_writes("create", [this](std::size_t index) { return create_request(index); });
    measure_memory(before);
    announce("listing them");
    measure_lists();
    announce("watching with 1,000 watchers");
    measure_watches();
    announce("deleting the pods");
    measure_writes("delete", [](std::size_t index) {
      return Request{.method = "DELETE",
                     .target = fmt::format("{}/{}", kCollection, pod_name(index))};
    });
  }

 private:
  [[nodiscard]] Request create_request(std::size_t index) const {
    const std::string name = pod_name(index);
    return {.method = "POST",
            .target = std::string(kCollection),
            .body = pod_body(
                {.name = name, .owner_uid = owner_, .shard = static_cast<int>(index % kShards)})};
  }
  void measure_writes(const char* verb, const HttpsClient::MakeRequest& make);
  void measure_memory(std::size_t before);
  void measure_lists();
  void measure_watches();
  double seconds_of_updates(std::size_t watchers);

  support::TemporaryFolder folder_;
  BareLog bare_log_{folder_.path() / "bare.db"};
  ServerProcess server_{folder_.path() / "data"};
  HttpsClient client_{server_.endpoint()};
  std::string owner_;
  std::size_t list_bytes_ = 0;
  std::size_t updates_ = 0;
};

// All pods are written once, in rounds, each with its own comparison.
void ClusterBench::measure_writes(const char* verb, const HttpsClient::MakeRequest& make) {
  const std::string row(kStoredBytes, 'x');
  std::vector<double> rates;
  std::vector<double> against_bare;
  std::vector<double> against_alone;
  std::size_t done = 0;
  const auto rate_of = [&](std::size_t count, std::size_t connections) {
    const double time = seconds([&] {
      client_.send(count, connections, [&](std::size_t index) { return make(done + index); });
    });
    done += count;
    return static_cast<double>(count) / time;
  };
  constexpr std::size_t kTogether = kPods / kRounds - kAlone;
  for (std::size_t round = 0; round < kRounds; ++round) {
    const double bare = static_cast<double>(kTogether) /
                        seconds([&] { bare_log_.insert(kTogether, row, kConnections); });
    const double alone = rate_of(kAlone, 1);
    rates.push_back(rate_of(kTogether, kConnections));
    against_bare.push_back(rates.back() / bare);
    against_alone.push_back(rates.back() / alone);
  }
  const auto name = [&](const char* rest) { return fmt::format("cluster.{}{}", verb, rest); };
  print(name("s_per_second").c_str(), median(rates), "/s", "-");
  print(name("_rate_vs_bare_sqlite").c_str(), median(against_bare), "x", ">=0.20");
  print(name("_rate_of_64_connections_vs_1").c_str(), median(against_alone), "x", ">=3");
}

void ClusterBench::measure_memory(std::size_t before) {
  const std::size_t held = resident_bytes(server_.pid()) - before;
  list_bytes_ =
      client_.send(1, 1, [](std::size_t) { return Request{.target = std::string(kCollection)}; });
  print("cluster.stored_bytes_per_pod", static_cast<double>(list_bytes_) / kPods, "bytes", "3000");
  print("cluster.memory_per_pod", static_cast<double>(held) / kPods, "bytes", "-");
  print("cluster.memory_vs_json", static_cast<double>(held) / static_cast<double>(list_bytes_), "x",
        "<=2");
}

void ClusterBench::measure_lists() {
  PlainServer plain(list_bytes_);
  HttpsClient plain_client(plain.endpoint());
  const auto get = [](HttpsClient& from, const std::string& target) {
    return seconds(
        [&] { from.send(1, 1, [&](std::size_t) { return Request{.target = target}; }); });
  };
  const std::string all(kCollection);
  std::vector<double> rates;
  std::vector<double> against_plain;
  std::vector<double> part_against_all;
  get(plain_client, all);  // connects
  for (std::size_t round = 0; round < kRounds; ++round) {
    const double plain_time = get(plain_client, all);
    const double time = get(client_, all);
    const double part = get(client_, all + "?labelSelector=shard%3D3");
    rates.push_back(static_cast<double>(list_bytes_) / 1e6 / time);
    against_plain.push_back(time / plain_time);
    part_against_all.push_back(part / time);
  }
  print("cluster.list_of_20000_pods", median(rates), "MB/s", "-");
  print("cluster.list_vs_same_bytes_over_tls", median(against_plain), "x", "<=1.5");
  print("cluster.list_of_a_tenth_by_label_vs_all", median(part_against_all), "x", "<=0.15");
}

// From the first update until every watcher has seen the last.
double ClusterBench::seconds_of_updates(std::size_t watchers) {
  return seconds([&] {
    client_.send(kUpdates, kUpdaters, [this](std::size_t index) {
      return Request{
          .method = "PATCH",
          .target = fmt::format("{}/{}", kCollection, pod_name(index)),
          .body = fmt::format(R"({{"metadata":{{"annotations":{{"update":"{}"}}}}}})", ++updates_),
          .content_type = "application/merge-patch+json"};
    });
    client_.wait_for_events(kUpdates * watchers);
  });
}

void ClusterBench::measure_watches() {
  const auto target = [&] {
    const std::string list = client_.ask({.target = fmt::format("{}?limit=1", kCollection)});
    return fmt::format("{}?watch=1&resourceVersion={}", kCollection,
                       field(list, "resourceVersion"));
  };
  client_.watch(1, target());
  const double alone = seconds_of_updates(1);
  client_.close_watches();

  const std::size_t before = resident_bytes(server_.pid());
  client_.watch(kWatchers, target());
  const std::size_t opened = resident_bytes(server_.pid()) - before;
  const double together = seconds_of_updates(kWatchers);
  const std::size_t used = resident_bytes(server_.pid()) - before;
  const auto megabytes = static_cast<double>(client_.watched_bytes()) / 1e6;
  client_.close_watches();

  print("cluster.watch_events_per_second", kUpdates * kWatchers / together, "/s", "-");
  print("cluster.watch_bytes", megabytes / together, "MB/s", "-");
  print("cluster.time_of_1000_watchers_vs_1", together / alone, "x", "<=100");
  print("cluster.memory_per_watcher", static_cast<double>(opened) / 1e3 / kWatchers, "KB", "<=50");
  print("cluster.memory_per_watcher_in_use", static_cast<double>(used) / 1e3 / kWatchers, "KB",
        "<=100");
}

// A thousand watchers are a thousand files.
void raise_file_limit() {
  rlimit limit{};
  require(::getrlimit(RLIMIT_NOFILE, &limit) == 0, "no limit of files");
  limit.rlim_cur = std::max<rlim_t>(limit.rlim_cur, std::min<rlim_t>(4096, limit.rlim_max));
  require(::setrlimit(RLIMIT_NOFILE, &limit) == 0, "too few files may be open");
}

}  // namespace

void run_cluster_benchmarks() {
  raise_file_limit();
  ClusterBench().run();
}

}  // namespace ebb::bench
