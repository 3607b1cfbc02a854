// `ebb webhook` beside `ebb up`, as processes: how much longer a scale-down takes while ebb
// decides, and how many reviews one replica answers.
//
// A scale-down is a write of /scale over one connection. It is compared with the same write where
// no webhook is called. Most of what ebb adds are its own writes, one per victim, so they are
// compared with the same number of patches by a client that has nothing to decide. Pods do not go,
// because no ReplicaSet controller runs. Each ReplicaSet is scaled down once.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bench/ebb_process.h"
#include "bench/https_client.h"
#include "bench/measure.h"
#include "bench/picker_process.h"
#include "bench/pod_bodies.h"
#include "bench/references.h"
#include "bench/require.h"
#include "bench/server_process.h"
#include "support/objects/temporary_folder.h"

namespace ebb::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kConnections = 64;
constexpr std::size_t kReviews = 5'000;
constexpr int kRounds = 3;
constexpr int kKept = 1;  // pods that stay in each ReplicaSet
constexpr int kPlainSize = 1'000'000;
constexpr std::string_view kShop = "shop";    // has policies
constexpr std::string_view kOther = "other";  // has none, so no webhook is called
constexpr std::string_view kConfigurations =
    "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
constexpr std::string_view kMergePatch = "application/merge-patch+json";

// ReplicaSets with this many victims each.
struct Size {
  int victims = 0;
  int sets = 0;
};
constexpr std::array kSizes{Size{10, 100}, Size{100, 50}, Size{500, 20}};

struct Set {
  std::string name{};
  std::string uid{};
};

std::uint16_t free_port() {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  require(::bind(listener, any, size) == 0 && ::getsockname(listener, any, &size) == 0, "no port");
  ::close(listener);
  return ntohs(address.sin_port);
}

std::string field(const std::string& json, std::string_view name) {
  const std::string start = fmt::format(R"("{}":")", name);
  const auto at = json.find(start);
  require(at != std::string::npos, fmt::format("no {} in {}", name, json));
  const auto value = at + start.size();
  return json.substr(value, json.find('"', value) - value);
}

double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const auto index = static_cast<std::size_t>(share * static_cast<double>(values.size()));
  return values[std::min(index, values.size() - 1)];
}

class WebhookBench {
 public:
  void run() {
    announce("starting ebb up and ebb webhook");
    create_places();
    start_webhook();
    announce("creating 16,170 pods");
    for (const Size& size : kSizes) sets_.push_back(create_sets(size));
    const Set plain = create_set(kOther, "plain", kPlainSize);
    const Set unpicked = create_set(kShop, "unpicked", kPlainSize);
    wait_until_registered();
    announce("scaling down");
    measure_scale_downs(plain, unpicked);
    announce("sending reviews");
    measure_reviews(unpicked);
  }

 private:
  void create(std::string target, std::string body) {
    client_.ask({.method = "POST", .target = std::move(target), .body = std::move(body)});
  }
  void create_places();
  void start_webhook();
  void wait_until_registered();
  Set create_set(std::string_view namespace_name, std::string name, int replicas);
  std::vector<Set> create_sets(const Size& size);
  void create_pods(const std::vector<Set>& sets, int pods);
  double scale(std::string_view namespace_name, const std::string& set, int replicas);
  double patch_pods(const Set& set, int pods);
  void measure_scale_downs(const Set& plain, const Set& unpicked);
  void report(const Size& size, const std::vector<double>& times, double plain, double patches);
  void measure_reviews(const Set& unpicked);
  double reviews_per_second(HttpsClient& client, const std::string& path, const std::string& body);

  PickerProcess picker_;  // first, while there is one thread
  support::TemporaryFolder folder_;
  ServerProcess server_{folder_.path() / "data"};
  HttpsClient client_{server_.endpoint()};
  std::uint16_t port_ = free_port();
  std::optional<EbbProcess> webhook_;
  Endpoint endpoint_{.port = port_};  // of the webhook
  std::vector<std::vector<Set>> sets_;
};

void WebhookBench::create_places() {
  create("/api/v1/nodes", R"({"kind":"Node","apiVersion":"v1","metadata":{"name":"still"}})");
  for (const std::string_view name : {kShop, kOther}) {
    create("/api/v1/namespaces",
           fmt::format(R"({{"kind":"Namespace","apiVersion":"v1","metadata":{{"name":"{}"}}}})",
                       name));
  }
}

void WebhookBench::start_webhook() {
  create(std::string(kConfigurations),
         R"({"kind":"ValidatingWebhookConfiguration",)"
         R"("apiVersion":"admissionregistration.k8s.io/v1","metadata":{"name":"ebb-webhook"}})");
  const int silence = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  webhook_.emplace(
      std::vector<std::string>{
          "webhook",
          fmt::format("--kubeconfig={}", (folder_.path() / "data/ebb.kubeconfig").string()),
          "--namespace=default", "--address=127.0.0.1", fmt::format("--port={}", port_),
          fmt::format("--metrics-port={}", free_port()),
          fmt::format("--external-url=https://127.0.0.1:{}", port_),
          "--picker-allow-cidr=127.0.0.0/8", "-v=0"},
      silence, silence);
  ::close(silence);
}

void WebhookBench::wait_until_registered() {
  const Request request{.target = fmt::format("{}/ebb-webhook", kConfigurations)};
  const auto end = Clock::now() + std::chrono::seconds(30);
  std::string configuration;
  while (configuration.find("caBundle") == std::string::npos) {
    require(Clock::now() < end, "ebb webhook did not register itself");
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    configuration = client_.ask(request);
  }
  endpoint_.authority_pem = from_base64(field(configuration, "caBundle"));
  // Until its cache has all pods.
  std::this_thread::sleep_for(std::chrono::seconds(3));
}

Set WebhookBench::create_set(std::string_view namespace_name, std::string name, int replicas) {
  const std::string answer = client_.ask(
      {.method = "POST",
       .target = fmt::format("/apis/apps/v1/namespaces/{}/replicasets", namespace_name),
       .body = fmt::format(
           R"({{"kind":"ReplicaSet","apiVersion":"apps/v1","metadata":{{"name":"{0}"}},)"
           R"("spec":{{"replicas":{1},"selector":{{"matchLabels":{{"app":"{0}"}}}},"template":)"
           R"({{"metadata":{{"labels":{{"app":"{0}"}}}},"spec":)"
           R"({{"containers":[{{"name":"web","image":"web"}}]}}}}}}}})",
           name, replicas)});
  return {.name = std::move(name), .uid = field(answer, "uid")};
}

std::vector<Set> WebhookBench::create_sets(const Size& size) {
  std::vector<Set> sets;
  const int pods = size.victims + kKept;
  for (int i = 0; i < size.sets; ++i) {
    sets.push_back(create_set(kShop, fmt::format("web-{}-{}", size.victims, i), pods));
    create(fmt::format("/apis/ebb.dev/v1alpha1/namespaces/{}/downscalepolicies", kShop),
           fmt::format(R"({{"kind":"DownscalePolicy","apiVersion":"ebb.dev/v1alpha1",)"
                       R"("metadata":{{"name":"{0}"}},"spec":{{"targetRef":{{)"
                       R"("apiVersion":"apps/v1","kind":"ReplicaSet","name":"{0}"}},)"
                       R"("podPicker":{{"http":{{"host":"127.0.0.1","port":{1}}}}}}}}})",
                       sets.back().name, picker_.port()));
  }
  create_pods(sets, pods);
  return sets;
}

// Running and ready, on a node without a kubelet, so that nothing else changes them.
void WebhookBench::create_pods(const std::vector<Set>& sets, int pods) {
  const std::string collection = fmt::format("/api/v1/namespaces/{}/pods", kShop);
  const auto per_set = static_cast<std::size_t>(pods);
  const auto name_of = [&](std::size_t index) {
    return fmt::format("{}-{}", sets[index / per_set].name, index % per_set);
  };
  client_.send(sets.size() * per_set, kConnections, [&](std::size_t index) {
    const Set& set = sets[index / per_set];
    return Request{
        .method = "POST",
        .target = collection,
        .body = fmt::format(
            R"({{"kind":"Pod","apiVersion":"v1","metadata":{{"name":"{}","labels":{{"app":"{}"}},)"
            R"("ownerReferences":[{{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"{}",)"
            R"("uid":"{}","controller":true}}]}},)"
            R"("spec":{{"nodeName":"still","containers":[{{"name":"web",{}}}],)"
            R"("volumes":[{{"name":"cache","emptyDir":{{}}}}]}}}})",
            name_of(index), set.name, set.name, set.uid, pod_container())};
  });
  client_.send(sets.size() * per_set, kConnections, [&](std::size_t index) {
    return Request{.method = "PATCH",
                   .target = fmt::format("{}/{}/status", collection, name_of(index)),
                   .body = R"({"status":{"phase":"Running","conditions":[{"type":"Ready",)"
                           R"("status":"True","lastTransitionTime":"2026-01-01T00:00:00Z"}]}})",
                   .content_type = kMergePatch};
  });
}

// Milliseconds.
double WebhookBench::scale(std::string_view namespace_name, const std::string& set, int replicas) {
  return 1e3 * seconds([&] {
           client_.ask({.method = "PATCH",
                        .target = fmt::format("/apis/apps/v1/namespaces/{}/replicasets/{}/scale",
                                              namespace_name, set),
                        .body = fmt::format(R"({{"spec":{{"replicas":{}}}}})", replicas),
                        .content_type = kMergePatch});
         });
}

// Milliseconds in which a client patches an annotation of so many pods.
double WebhookBench::patch_pods(const Set& set, int pods) {
  const auto count = static_cast<std::size_t>(pods);
  return 1e3 * seconds([&] {
           client_.send(count, std::min(count, kConnections), [&](std::size_t index) {
             return Request{
                 .method = "PATCH",
                 .target = fmt::format("/api/v1/namespaces/{}/pods/{}-{}", kShop, set.name, index),
                 .body = R"({"metadata":{"annotations":{"example.com/touched":"yes"}}})",
                 .content_type = kMergePatch};
           });
         });
}

void WebhookBench::measure_scale_downs(const Set& plain, const Set& unpicked) {
  std::vector<double> plain_times;
  std::vector<double> unpicked_times;
  std::array<std::vector<double>, kSizes.size()> times;
  std::array<std::vector<double>, kSizes.size()> patches;
  for (int i = 0; i < kSizes.front().sets; ++i) {
    plain_times.push_back(scale(kOther, plain.name, kPlainSize - i - 1));
    unpicked_times.push_back(scale(kShop, unpicked.name, kPlainSize - i - 1));
    for (std::size_t at = 0; at < kSizes.size(); ++at) {
      if (i >= kSizes.at(at).sets) continue;
      const Set& set = sets_.at(at).at(static_cast<std::size_t>(i));
      patches.at(at).push_back(patch_pods(set, kSizes.at(at).victims));
      times.at(at).push_back(scale(kShop, set.name, kKept));
    }
  }
  const double write = median(plain_times);
  print("webhook.write_without_webhook_p50", write, "ms", "-");
  print("webhook.write_without_policy_p50", median(unpicked_times), "ms", "-");
  print("webhook.write_without_policy_p99", quantile(unpicked_times, 0.99), "ms", "-");
  print("webhook.write_without_policy_vs_without_webhook", median(unpicked_times) / write, "x",
        "<=3");
  for (std::size_t at = 0; at < kSizes.size(); ++at) {
    report(kSizes.at(at), times.at(at), write, median(patches.at(at)));
  }
}

void WebhookBench::report(const Size& size, const std::vector<double>& times, double plain,
                          double patches) {
  const std::string name = fmt::format("webhook.scale_down_with_{}_victims", size.victims);
  const double added = median(times) - plain;
  print(fmt::format("{}_adds_p50", name).c_str(), added, "ms", "-");
  print(fmt::format("{}_adds_p99", name).c_str(), quantile(times, 0.99) - plain, "ms", "<=1500");
  print(fmt::format("{}_vs_without_webhook", name).c_str(), median(times) / plain, "x", "-");
  print(fmt::format("{}_added_vs_as_many_patches", name).c_str(), added / patches, "x", "<=3");
}

double WebhookBench::reviews_per_second(HttpsClient& client, const std::string& path,
                                        const std::string& body) {
  const Request request{.method = "POST", .target = path, .body = body};
  return kReviews / seconds([&] {
           client.send(kReviews, kConnections, [&](std::size_t) { return request; });
         });
}

// Reviews of deletes, of which there is one per pod, and of scale-downs that concern no policy. The
// same requests to a server that does nothing show what TLS and HTTP cost.
void WebhookBench::measure_reviews(const Set& unpicked) {
  const Set& set = sets_.back().front();
  const std::string path = fmt::format("/api/v1/namespaces/{}/pods/{}-0", kShop, set.name);
  constexpr std::string_view kReview =
      R"({{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{{"uid":"u-1",)"
      R"("resource":{{"group":"{}","version":"v1","resource":"{}"}},"namespace":"{}","name":"{}",)"
      R"("operation":"{}","userInfo":{{"username":)"
      R"("system:serviceaccount:kube-system:replicaset-controller"}},"object":{},"oldObject":{}}}}})";
  const std::string remove = fmt::format(kReview, "", "pods", kShop, set.name + "-0", "DELETE",
                                         "null", client_.ask({.target = path}));
  const auto sized = [&](int size) {
    return fmt::format(R"({{"metadata":{{"name":"{}","uid":"{}"}},"spec":{{"replicas":{}}}}})",
                       unpicked.name, unpicked.uid, size);
  };
  const std::string resize = fmt::format(kReview, "apps", "replicasets", kShop, unpicked.name,
                                         "UPDATE", sized(2), sized(3));
  HttpsClient webhook(endpoint_);
  const PlainServer bare(100);
  HttpsClient reference(bare.endpoint());
  std::vector<double> removals;
  std::vector<double> resizes;
  std::vector<double> removal_ratios;
  std::vector<double> resize_ratios;
  for (int i = 0; i < kRounds; ++i) {
    removals.push_back(reviews_per_second(webhook, "/fence?timeout=3s", remove));
    removal_ratios.push_back(reviews_per_second(reference, "/", remove) / removals.back());
    resizes.push_back(reviews_per_second(webhook, "/scale-down?timeout=3s", resize));
    resize_ratios.push_back(reviews_per_second(reference, "/", resize) / resizes.back());
  }
  print("webhook.reviews_of_deletes", median(removals), "/s", "-");
  print("webhook.reviews_of_scale_downs_without_policy", median(resizes), "/s", "-");
  print("webhook.time_of_a_delete_vs_bare_https", median(removal_ratios), "x", "<=5");
  print("webhook.time_of_a_scale_down_without_policy_vs_bare_https", median(resize_ratios), "x",
        "<=3");
}

}  // namespace

void run_webhook_benchmarks() { WebhookBench().run(); }

}  // namespace ebb::bench
