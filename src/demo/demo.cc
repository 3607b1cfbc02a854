#include "demo/demo.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "cluster/server/clock.h"
#include "demo/demo_load.h"
#include "schema/core/json.h"

namespace ebb::demo {
namespace {

namespace json = boost::json;
using model::Method;
using schema::text_at;

constexpr std::string_view kNamespace = "shop";
// The Deployment with a picker, and the name of its policy.
constexpr std::string_view kPicked = "airflow-worker";

struct Workload {
  DemoWave wave;
  std::string_view image;
  std::string_view cpu;
};
// Two of them shrink first, so that the first minute shows scale-downs.
constexpr std::array kWorkloads = {
    Workload{
        {"checkout", 4, 10, 240 * kNanosecondsPerSecond}, "registry.example/checkout:1.4", "250m"},
    Workload{
        {"catalog", 3, 8, 180 * kNanosecondsPerSecond}, "registry.example/catalog:2.0", "100m"},
    Workload{{"worker", 5, 12, 300 * kNanosecondsPerSecond, true},
             "registry.example/worker:0.9",
             "500m"},
    Workload{{kPicked, 4, 11, 210 * kNanosecondsPerSecond, true},
             "registry.example/airflow:2.9",
             "250m"},
};

Result<json::object> send(cluster::LiveServer& server, Method method, std::string path,
                          const json::object& body = {}) {
  model::ApiRequest request;
  request.method = method;
  request.path = std::move(path);
  request.content_type =
      method == Method::kPatch ? "application/merge-patch+json" : "application/json";
  request.accept = "application/json";
  if (!body.empty()) request.body = json::serialize(body);
  request.received = cluster::wall_now();
  const std::string what = request.path;
  const model::ApiResponse response = server.ask(std::move(request));
  json::error_code error;
  json::value answer = json::parse(response.body.str(), error);
  if (error || !answer.is_object()) {
    return fail(ErrorCode::kInvalidInput, fmt::format("demo: {}: the response is not JSON", what));
  }
  if (response.code >= 300) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("demo: {}: {}", what, text_at(answer.get_object(), {"message"})));
  }
  return std::move(answer.get_object());
}

json::object deployment_of(const Workload& workload) {
  const json::object labels{{"app", workload.wave.name}};
  const json::object container{
      {"name", workload.wave.name},
      {"image", workload.image},
      {"resources",
       json::object{{"requests", json::object{{"cpu", workload.cpu}, {"memory", "64Mi"}}}}}};
  return {{"apiVersion", "apps/v1"},
          {"kind", "Deployment"},
          {"metadata", json::object{{"name", workload.wave.name}, {"labels", labels}}},
          {"spec",
           json::object{
               {"replicas", (workload.wave.min_replicas + workload.wave.max_replicas) / 2},
               {"selector", json::object{{"matchLabels", labels}}},
               {"template",
                json::object{{"metadata", json::object{{"labels", labels}}},
                             {"spec", json::object{{"containers", json::array{container}}}}}}}}};
}

std::string policies_path() {
  return fmt::format("/apis/ebb.dev/v1alpha1/namespaces/{}/downscalepolicies", kNamespace);
}

json::object picker_at(std::uint16_t port) {
  return {{"podPicker", json::object{{"http", json::object{{"host", "127.0.0.1"},
                                                           {"port", port},
                                                           {"path", "/idle-workers"}}}}}};
}

json::object policy_of(std::uint16_t picker_port) {
  json::object spec = picker_at(picker_port);
  spec["targetRef"] = json::object{{"kind", "Deployment"}, {"name", kPicked}};
  return {{"apiVersion", "ebb.dev/v1alpha1"},
          {"kind", "DownscalePolicy"},
          {"metadata", json::object{{"name", kPicked}}},
          {"spec", std::move(spec)}};
}

Result<bool> has_workloads(cluster::LiveServer& server) {
  for (const char* path :
       {"/apis/apps/v1/deployments", "/apis/apps/v1/replicasets", "/api/v1/pods"}) {
    EBB_ASSIGN_OR_RETURN(auto list, send(server, Method::kGet, path));
    const json::array* items = schema::array_at(list, {"items"});
    if (items != nullptr && !items->empty()) return true;
  }
  EBB_ASSIGN_OR_RETURN(auto namespaces, send(server, Method::kGet, "/api/v1/namespaces"));
  const json::array* items = schema::array_at(namespaces, {"items"});
  for (const json::value& item : items == nullptr ? json::array() : *items) {
    if (text_at(item.get_object(), {"metadata", "name"}) == kNamespace) return true;
  }
  return false;
}

}  // namespace

Result<Outcome> make_demo(cluster::LiveServer& server, std::uint16_t picker_port) {
  EBB_ASSIGN_OR_RETURN(auto occupied, has_workloads(server));
  if (occupied) {
    const auto patched =
        send(server, Method::kPatch, fmt::format("{}/{}", policies_path(), kPicked),
             json::object{{"spec", picker_at(picker_port)}});
    return patched ? Outcome::kThereBefore : Outcome::kNone;
  }
  EBB_RETURN_IF_ERROR(send(server, Method::kPost, "/api/v1/namespaces",
                           json::object{{"apiVersion", "v1"},
                                        {"kind", "Namespace"},
                                        {"metadata", json::object{{"name", kNamespace}}}}));
  for (const Workload& workload : kWorkloads) {
    EBB_RETURN_IF_ERROR(send(server, Method::kPost,
                             fmt::format("/apis/apps/v1/namespaces/{}/deployments", kNamespace),
                             deployment_of(workload)));
  }
  EBB_RETURN_IF_ERROR(send(server, Method::kPost, policies_path(), policy_of(picker_port)));
  return Outcome::kMade;
}

std::unique_ptr<model::Component> make_demo_load() {
  std::vector<DemoWave> waves;
  for (const Workload& workload : kWorkloads) waves.push_back(workload.wave);
  return std::make_unique<DemoLoad>(kNamespace, waves);
}

}  // namespace ebb::demo
