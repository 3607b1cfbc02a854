// The API server without HTTP and disk. Writing a pod of 3 KB is compared with parsing and
// printing the same text with Boost.JSON, the minimum for a server that accepts and stores JSON;
// a list is compared with copying its bytes.
#include <cstring>
#include <string>
#include <vector>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "apiserver/api_server.h"
#include "bench/measure.h"
#include "bench/pod_bodies.h"
#include "bench/resident_memory.h"

namespace ebb::bench {
namespace {

using apiserver::ApiServer;
using model::ApiRequest;
using model::Method;

constexpr auto kNow = Timestamp::from_seconds(1793534400);
constexpr int kPods = 20'000;
constexpr std::string_view kCollection = "/api/v1/namespaces/default/pods";

void publish_all(ApiServer& server) {
  const std::vector<apiserver::Change> staged = server.take_staged();
  if (!staged.empty()) server.publish(staged.back().revision, kNow);
}

void send(ApiServer& server, Method method, std::string path, std::string body) {
  ApiRequest request;
  request.method = method;
  request.path = std::move(path);
  request.content_type = "application/json";
  request.body = std::move(body);
  request.received = kNow;
  const apiserver::Reply reply = server.handle(request, kNow);
  if (reply.response.code >= 300) std::printf("%s\n", reply.response.body.str().c_str());
  publish_all(server);
}

double parse_and_print(const std::vector<std::string>& bodies) {
  return seconds([&] {
    for (const std::string& body : bodies) {
      keep(boost::json::serialize(boost::json::parse(body)));
    }
  });
}

}  // namespace

void run_apiserver_benchmarks() {
  std::vector<std::string> bodies;
  for (int i = 0; i < kPods; ++i) {
    bodies.push_back(pod_body({.name = fmt::format("web-{:05}", i)}));
  }
  const double reference = parse_and_print(bodies);

  const std::size_t before = resident_bytes();
  ApiServer server{apiserver::Settings{}};
  server.bootstrap(kNow);
  publish_all(server);
  const double create = seconds([&] {
    for (const std::string& body : bodies) {
      send(server, Method::kPost, std::string(kCollection), body);
    }
  });
  const std::size_t memory = resident_bytes() - before;

  ApiRequest list;
  list.path = kCollection;
  list.received = kNow;
  std::string copied;
  std::size_t size = 0;
  const double listing = seconds([&] { size = server.handle(list, kNow).response.body.size(); });
  const std::string text = server.handle(list, kNow).response.body.str();
  copied.resize(text.size());
  const double copying = seconds([&] {
    std::memcpy(copied.data(), text.data(), text.size());
    keep(copied);
  });

  const double update = seconds([&] {
    for (int i = 0; i < kPods; ++i) {
      ApiRequest patch;
      patch.method = Method::kPatch;
      patch.path = fmt::format("{}/web-{:05}/status", kCollection, i);
      patch.content_type = "application/strategic-merge-patch+json";
      patch.body = R"({"status":{"phase":"Running","podIP":"10.0.0.1"}})";
      patch.received = kNow;
      keep(server.handle(patch, kNow));
      publish_all(server);
    }
  });
  const double remove = seconds([&] {
    for (int i = 0; i < kPods; ++i) {
      send(server, Method::kDelete, fmt::format("{}/web-{:05}", kCollection, i), "");
    }
  });

  print("api.create_vs_parse_and_print", create / reference, "x", "5.00");
  print("api.patch_status_vs_parse_and_print", update / reference, "x", "8.00");
  print("api.delete_vs_parse_and_print", remove / reference, "x", "3.00");
  print("api.list_vs_memcpy", listing / copying, "x", "2.00");
  print("api.creates_per_second", kPods / create, "/s", "-");
  print("api.memory_per_pod_vs_json", static_cast<double>(memory) / static_cast<double>(size), "x",
        "1.30");
  print("api.stored_bytes_per_pod", static_cast<double>(size) / kPods, "bytes", "3000");
}

}  // namespace ebb::bench
