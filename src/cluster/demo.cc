#include "cluster/demo.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "cluster/clock.h"
#include "schema/json.h"
#include "schema/time.h"

namespace ebb::cluster {
namespace {

namespace json = boost::json;
using model::Method;
using schema::text_at;

constexpr std::string_view kNamespace = "shop";
constexpr std::string_view kHashLabel = "pod-template-hash";

struct Workload {
  std::string_view name;
  int replicas;
  std::string_view image;
  std::string_view hash;  // of its pod template, as a Deployment controller would name it
  std::string_view cpu;
};
constexpr std::array kWorkloads = {
    Workload{"checkout", 8, "registry.example/checkout:1.4", "6c8f7d9b5", "250m"},
    Workload{"catalog", 6, "registry.example/catalog:2.0", "7d5c4b8f9", "100m"},
    Workload{"worker", 9, "registry.example/worker:0.9", "5f9b6c7d4", "500m"},
};

// What makes pods of a workload differ when it shrinks.
void mark_pod(const Workload& workload, int number, json::object& metadata) {
  if (workload.name == "worker" && number < 3) {
    metadata["annotations"] =
        json::object{{"controller.kubernetes.io/pod-deletion-cost", number == 0 ? "-10" : "100"}};
  }
  if (workload.name == "checkout" && number == 0) {
    metadata["labels"].as_object()["kubernetes.io/prefer-for-scale-down"] = "true";
  }
}

Result<json::object> send(LiveServer& server, Method method, std::string path,
                          const json::object& body = {}) {
  ApiRequest request;
  request.method = method;
  request.path = std::move(path);
  request.content_type = "application/json";
  request.accept = "application/json";
  if (!body.empty()) request.body = json::serialize(body);
  request.received = wall_now();
  const std::string what = request.path;
  const ApiResponse response = server.ask(std::move(request));
  json::error_code error;
  json::value answer = json::parse(response.body.str(), error);
  if (error || !answer.is_object()) {
    return fail(ErrorCode::kInvalidInput, fmt::format("demo: {}: no answer in JSON", what));
  }
  if (response.code >= 300) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("demo: {}: {}", what, text_at(answer.get_object(), {"message"})));
  }
  return std::move(answer.get_object());
}

json::object labels_of(const Workload& workload, bool with_hash) {
  json::object labels{{"app", workload.name}};
  if (with_hash) labels[kHashLabel] = workload.hash;
  return labels;
}

json::object pod_spec(const Workload& workload) {
  return json::object{
      {"containers",
       json::array{json::object{
           {"name", workload.name},
           {"image", workload.image},
           {"resources", json::object{{"requests", json::object{{"cpu", workload.cpu},
                                                                {"memory", "64Mi"}}}}}}}}};
}

json::object workload_spec(const Workload& workload, bool with_hash) {
  return json::object{
      {"replicas", workload.replicas},
      {"selector", json::object{{"matchLabels", labels_of(workload, with_hash)}}},
      {"template",
       json::object{{"metadata", json::object{{"labels", labels_of(workload, with_hash)}}},
                    {"spec", pod_spec(workload)}}}};
}

json::array owned_by(const json::object& owner) {
  return json::array{json::object{{"apiVersion", text_at(owner, {"apiVersion"})},
                                  {"kind", text_at(owner, {"kind"})},
                                  {"name", text_at(owner, {"metadata", "name"})},
                                  {"uid", text_at(owner, {"metadata", "uid"})},
                                  {"controller", true},
                                  {"blockOwnerDeletion", true}}};
}

std::string apps_path(std::string_view plural) {
  return fmt::format("/apis/apps/v1/namespaces/{}/{}", kNamespace, plural);
}

json::object condition(std::string_view type, std::string_view reason, std::string_view message) {
  const Timestamp now =
      Timestamp::from_seconds(wall_now().since_epoch_ns() / kNanosecondsPerSecond);
  const std::string time = schema::format_time(now);
  return {{"type", type},       {"status", "True"},           {"reason", reason},
          {"message", message}, {"lastTransitionTime", time}, {"lastUpdateTime", time}};
}

// The status that its controller would have written once all pods are there.
Result<void> set_status(LiveServer& server, std::string_view plural, json::object object,
                        json::object status) {
  status["observedGeneration"] = schema::integer_at(object, {"metadata", "generation"}).value_or(1);
  object["status"] = std::move(status);
  const std::string path =
      fmt::format("{}/{}/status", apps_path(plural), text_at(object, {"metadata", "name"}));
  auto set = send(server, Method::kPut, path, object);
  if (!set) return propagate(set);
  return {};
}

Result<void> make_pods(LiveServer& server, const Workload& workload, const json::object& set) {
  for (int i = 0; i < workload.replicas; ++i) {
    json::object metadata{{"generateName", fmt::format("{}-", text_at(set, {"metadata", "name"}))},
                          {"labels", labels_of(workload, true)},
                          {"ownerReferences", owned_by(set)}};
    mark_pod(workload, i, metadata);
    auto pod = send(server, Method::kPost, fmt::format("/api/v1/namespaces/{}/pods", kNamespace),
                    json::object{{"apiVersion", "v1"},
                                 {"kind", "Pod"},
                                 {"metadata", std::move(metadata)},
                                 {"spec", pod_spec(workload)}});
    if (!pod) return propagate(pod);
  }
  return {};
}

Result<void> make_workload(LiveServer& server, const Workload& workload) {
  auto deployment = send(
      server, Method::kPost, apps_path("deployments"),
      json::object{
          {"apiVersion", "apps/v1"},
          {"kind", "Deployment"},
          {"metadata",
           json::object{{"name", workload.name},
                        {"labels", labels_of(workload, false)},
                        {"annotations", json::object{{"deployment.kubernetes.io/revision", "1"}}}}},
          {"spec", workload_spec(workload, false)}});
  if (!deployment) return propagate(deployment);
  auto set = send(
      server, Method::kPost, apps_path("replicasets"),
      json::object{
          {"apiVersion", "apps/v1"},
          {"kind", "ReplicaSet"},
          {"metadata",
           json::object{{"name", fmt::format("{}-{}", workload.name, workload.hash)},
                        {"labels", labels_of(workload, true)},
                        {"annotations", json::object{{"deployment.kubernetes.io/desired-replicas",
                                                      std::to_string(workload.replicas)},
                                                     {"deployment.kubernetes.io/max-replicas",
                                                      std::to_string(workload.replicas +
                                                                     (workload.replicas + 3) / 4)},
                                                     {"deployment.kubernetes.io/revision", "1"}}},
                        {"ownerReferences", owned_by(*deployment)}}},
          {"spec", workload_spec(workload, true)}});
  if (!set) return propagate(set);
  if (auto pods = make_pods(server, workload, *set); !pods) return propagate(pods);
  const json::object counts{{"replicas", workload.replicas},
                            {"readyReplicas", workload.replicas},
                            {"availableReplicas", workload.replicas}};
  json::object set_counts = counts;
  set_counts["fullyLabeledReplicas"] = workload.replicas;
  json::object deployment_counts = counts;
  deployment_counts["updatedReplicas"] = workload.replicas;
  deployment_counts["conditions"] = json::array{
      condition("Available", "MinimumReplicasAvailable", "Deployment has minimum availability."),
      condition("Progressing", "NewReplicaSetAvailable",
                fmt::format("ReplicaSet \"{}-{}\" has successfully progressed.", workload.name,
                            workload.hash))};
  if (auto told = set_status(server, "replicasets", *set, std::move(set_counts)); !told) {
    return propagate(told);
  }
  return set_status(server, "deployments", *deployment, std::move(deployment_counts));
}

Result<bool> has_workloads(LiveServer& server) {
  for (const char* path :
       {"/apis/apps/v1/deployments", "/apis/apps/v1/replicasets", "/api/v1/pods"}) {
    auto list = send(server, Method::kGet, path);
    if (!list) return propagate(list);
    const json::array* items = schema::array_at(*list, {"items"});
    if (items != nullptr && !items->empty()) return true;
  }
  auto namespaces = send(server, Method::kGet, "/api/v1/namespaces");
  if (!namespaces) return propagate(namespaces);
  const json::array* items = schema::array_at(*namespaces, {"items"});
  for (const json::value& item : items == nullptr ? json::array() : *items) {
    if (text_at(item.get_object(), {"metadata", "name"}) == kNamespace) return true;
  }
  return false;
}

}  // namespace

Result<bool> make_demo(LiveServer& server) {
  auto occupied = has_workloads(server);
  if (!occupied) return propagate(occupied);
  if (*occupied) return false;
  auto made = send(server, Method::kPost, "/api/v1/namespaces",
                   json::object{{"apiVersion", "v1"},
                                {"kind", "Namespace"},
                                {"metadata", json::object{{"name", kNamespace}}}});
  if (!made) return propagate(made);
  for (const Workload& workload : kWorkloads) {
    if (auto done = make_workload(server, workload); !done) return propagate(done);
  }
  return true;
}

}  // namespace ebb::cluster
