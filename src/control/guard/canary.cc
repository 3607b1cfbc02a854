#include "control/guard/canary.h"

#include "base/check.h"
#include "control/core/json_document.h"
#include "model/api/requests.h"
#include "schema/core/json.h"

namespace ebb::control {
namespace {

using boost::json::array;
using boost::json::object;

// The value only has to differ from the previous one, which usually belongs to an earlier
// generation. A Deployment's must be below its progress deadline.
constexpr std::int64_t kArmings = 100;

std::int64_t next_value(const Canary& canary) {
  const std::int64_t value = canary.generation % kArmings;
  return value == canary.min_ready_seconds ? (value + 1) % kArmings : value;
}

std::string path_of(GuardedKind guarded, const SoleControllerOptions& options) {
  return model::object_path(
      kind_of(guarded), {.namespace_name = options.namespace_name, .name = options.canary_name});
}

// Each kind has its own labels, because a Deployment adopts ReplicaSets that its selector matches.
object labels_of(GuardedKind guarded) {
  return {{kCanaryLabel, guarded == GuardedKind::kReplicaSets ? "replicaset" : "deployment"}};
}

}  // namespace

const schema::Kind& kind_of(GuardedKind guarded) {
  static const schema::Kind* const kReplicaSet = schema::find_kind("apps/v1", "ReplicaSet");
  static const schema::Kind* const kDeployment = schema::find_kind("apps/v1", "Deployment");
  EBB_CHECK(kReplicaSet != nullptr && kDeployment != nullptr);
  return guarded == GuardedKind::kReplicaSets ? *kReplicaSet : *kDeployment;
}

std::string_view controller_name(GuardedKind guarded) {
  return guarded == GuardedKind::kReplicaSets ? "replicaset-controller" : "deployment-controller";
}

std::optional<Canary> read_canary(const Bytes& body) {
  const auto document = parse_document(body.str());
  if (!document) return std::nullopt;
  Canary canary{
      .uid = std::string(schema::text_at(*document, {"metadata", "uid"})),
      .created = model::time_at(*document, {"metadata", "creationTimestamp"}),
      .generation = schema::integer_at(*document, {"metadata", "generation"}).value_or(0),
      .observed = schema::integer_at(*document, {"status", "observedGeneration"}).value_or(0),
      .min_ready_seconds = schema::integer_at(*document, {"spec", "minReadySeconds"}).value_or(0)};
  if (canary.uid.empty()) return std::nullopt;
  return canary;
}

model::ApiRequest get_canary(GuardedKind guarded, const SoleControllerOptions& options) {
  return model::get_request(path_of(guarded, options));
}

model::ApiRequest create_canary(GuardedKind guarded, const SoleControllerOptions& options) {
  const schema::Kind& kind = kind_of(guarded);
  object labels = labels_of(guarded);
  labels["app.kubernetes.io/managed-by"] = "ebb";
  object spec{{"replicas", 0},
              {"selector", {{"matchLabels", labels_of(guarded)}}},
              {"template",
               {{"metadata", {{"labels", labels_of(guarded)}}},
                {"spec", {{"containers", array{{{"name", "canary"}, {"image", "canary"}}}}}}}}};
  // A paused Deployment gets no ReplicaSet.
  if (guarded == GuardedKind::kDeployments) spec["paused"] = true;
  const object document{
      {"apiVersion", kind.api_version()},
      {"kind", kind.name},
      {"metadata",
       {{"name", options.canary_name},
        {"namespace", options.namespace_name},
        {"labels", std::move(labels)},
        {"annotations",
         {{"kubernetes.io/description",
           "Shows ebb whether another controller is acting: any other controller raises "
           "status.observedGeneration. It never has pods. Do not scale or edit it."}}}}},
      {"spec", std::move(spec)}};
  return model::create_request(model::collection_path(kind, options.namespace_name), document);
}

model::ApiRequest arm_canary(GuardedKind guarded, const SoleControllerOptions& options,
                             const Canary& canary) {
  return model::merge_patch_request(
      path_of(guarded, options),
      {{"metadata", {{"uid", canary.uid}}}, {"spec", {{"minReadySeconds", next_value(canary)}}}});
}

model::ApiRequest delete_canary(GuardedKind guarded, const SoleControllerOptions& options,
                                const Canary& canary) {
  return model::delete_request(path_of(guarded, options), {.uid = canary.uid});
}

}  // namespace ebb::control
