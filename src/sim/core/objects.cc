#include "sim/core/objects.h"

#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include "base/check.h"
#include "model/api/requests.h"
#include "schema/core/envelope.h"
#include "schema/core/json.h"
#include "schema/core/kind.h"
#include "schema/protobuf/protobuf.h"

namespace ebb::sim {
namespace {

using boost::json::array;
using boost::json::object;

const schema::Kind& served(std::string_view api_version, std::string_view name) {
  const schema::Kind* const kind = schema::find_kind(api_version, name);
  EBB_CHECK(kind != nullptr);
  return *kind;
}

object pod_spec(int version) {
  return {{"terminationGracePeriodSeconds", 5},
          {"containers",
           array{object{{"name", "web"},
                        {"image", fmt::format("web:{}", version)},
                        {"env", array{object{{"name", "PASSWORD"}, {"value", kSecret}}}}}}}};
}

object anti_affinity(std::string_view app) {
  const object term{{"topologyKey", "kubernetes.io/hostname"},
                    {"labelSelector", {{"matchLabels", {{"app", app}}}}}};
  return {{"podAntiAffinity",
           {{"preferredDuringSchedulingIgnoredDuringExecution",
             array{object{{"weight", 50}, {"podAffinityTerm", term}}}}}}};
}

object workload_spec(const WorkloadSpec& wanted) {
  object pod = pod_spec(wanted.version);
  if (wanted.spread) pod["affinity"] = anti_affinity(wanted.name);
  object spec{
      {"replicas", wanted.replicas},
      {"selector", {{"matchLabels", {{"app", wanted.name}}}}},
      {"template", {{"metadata", {{"labels", {{"app", wanted.name}}}}}, {"spec", std::move(pod)}}}};
  if (wanted.min_ready_seconds > 0) spec["minReadySeconds"] = wanted.min_ready_seconds;
  return spec;
}

}  // namespace

const schema::Kind& pods() {
  static const schema::Kind& kind = served("v1", "Pod");
  return kind;
}
const schema::Kind& replica_sets() {
  static const schema::Kind& kind = served("apps/v1", "ReplicaSet");
  return kind;
}
const schema::Kind& deployments() {
  static const schema::Kind& kind = served("apps/v1", "Deployment");
  return kind;
}
const schema::Kind& node_objects() {
  static const schema::Kind& kind = served("v1", "Node");
  return kind;
}
const schema::Kind& secrets() {
  static const schema::Kind& kind = served("v1", "Secret");
  return kind;
}
const schema::Kind& policies() {
  static const schema::Kind& kind = served("ebb.dev/v1alpha1", "DownscalePolicy");
  return kind;
}

const schema::Kind& group_costs() {
  static const schema::Kind& kind = served("ebb.dev/v1alpha1", "PodGroupCost");
  return kind;
}

const schema::Kind& decision_objects() {
  static const schema::Kind& kind = served("ebb.dev/v1alpha1", "DownscaleDecision");
  return kind;
}

std::string path_of(const schema::Kind& kind, std::string_view name, std::string_view subresource) {
  return model::object_path(
      kind,
      {.namespace_name = std::string(kind.namespaced ? kNamespace : ""), .name = std::string(name)},
      subresource);
}

std::string collection_of(const schema::Kind& kind) {
  return model::collection_path(kind, kind.namespaced ? kNamespace : std::string_view());
}

object replica_set_object(const WorkloadSpec& wanted) {
  return {{"apiVersion", "apps/v1"},
          {"kind", "ReplicaSet"},
          {"metadata", {{"name", wanted.name}}},
          {"spec", workload_spec(wanted)}};
}

object deployment_object(const WorkloadSpec& wanted) {
  object spec = workload_spec(wanted);
  if (wanted.recreate) spec["strategy"] = object{{"type", "Recreate"}};
  return {{"apiVersion", "apps/v1"},
          {"kind", "Deployment"},
          {"metadata", {{"name", wanted.name}}},
          {"spec", std::move(spec)}};
}

object pod_object(std::string_view name, std::string_view app) {
  object metadata{{"labels", {{"app", app}}}};
  if (name.empty()) {
    metadata["generateName"] = fmt::format("{}-stray-", app);
  } else {
    metadata["name"] = name;
  }
  return {{"apiVersion", "v1"},
          {"kind", "Pod"},
          {"metadata", std::move(metadata)},
          {"spec", pod_spec(1)}};
}

object secret_object() {
  return {{"apiVersion", "v1"},
          {"kind", "Secret"},
          {"metadata", {{"name", "password"}}},
          {"stringData", {{"password", kSecret}}}};
}

object picker_object(const PickerSpec& wanted) {
  // A value in the settings themselves may be a secret as well.
  array headers{object{{"name", "x-team"}, {"value", kSecret}}};
  if (!wanted.header_secret.empty()) {
    const object key{
        {"name", wanted.header_secret}, {"key", "token"}, {"optional", wanted.header_optional}};
    headers.push_back(object{{"name", "authorization"}, {"valueFrom", {{"secretKeyRef", key}}}});
  }
  object endpoint{{"host", wanted.host},
                  {wanted.grpc ? "metadata" : "httpHeaders", std::move(headers)}};
  if (wanted.grpc) {
    endpoint["tls"] = wanted.tls;
  } else if (wanted.tls) {
    endpoint["scheme"] = "https";
  }
  if (wanted.tls && !wanted.certificate_secret.empty()) {
    endpoint["clientCertificate"] = object{{"secretRef", {{"name", wanted.certificate_secret}}}};
  }
  return {{wanted.grpc ? "grpc" : "http", std::move(endpoint)},
          {"context", wanted.full ? "full" : "names"},
          {"timeoutSeconds", wanted.timeout_seconds},
          {"maxRetries", wanted.max_retries}};
}

object policy_object(std::string_view name, std::string_view target_kind, std::string_view target,
                     object picker) {
  return {{"apiVersion", "ebb.dev/v1alpha1"},
          {"kind", "DownscalePolicy"},
          {"metadata", {{"name", name}}},
          {"spec",
           {{"targetRef", {{"kind", target_kind}, {"name", target}}},
            {"podPicker", std::move(picker)}}}};
}

object ranking_policy_object(std::string_view name, std::string_view target_kind,
                             std::string_view target, object ranking, object picker) {
  object spec{{"targetRef", {{"kind", target_kind}, {"name", target}}},
              {"ranking", std::move(ranking)}};
  if (!picker.empty()) spec["podPicker"] = std::move(picker);
  return {{"apiVersion", "ebb.dev/v1alpha1"},
          {"kind", "DownscalePolicy"},
          {"metadata", {{"name", name}}},
          {"spec", std::move(spec)}};
}

object picker_secret_object(std::string_view name, std::string_view trailer) {
  const std::string value = fmt::format("{}{}", kPickerSecret, trailer);
  // The bytes before the value are a multiple of three, so that its base64 text is the same as
  // alone.
  return {{"apiVersion", "v1"},
          {"kind", "Secret"},
          {"metadata", {{"name", name}}},
          {"stringData",
           {{"token", value},
            {"tls.crt", fmt::format("-----BEGIN CERTIFICATE-----\n\n\n{}\n", value)},
            {"tls.key", fmt::format("-----BEGIN PRIVATE KEY-----\n\n\n{}\n", value)}}}};
}

namespace {

object read_protobuf(std::string_view bytes) {
  const auto envelope = schema::open_envelope(bytes);
  if (!envelope) return {};
  const schema::Kind* const kind = schema::find_kind(envelope->api_version, envelope->kind);
  if (kind == nullptr) return {};
  auto decoded = schema::decode_message(*kind->schema, envelope->message);
  return decoded ? *std::move(decoded) : object();
}

}  // namespace

object read_object(std::string_view text) {
  if (text.starts_with(schema::kProtobufMagic)) return read_protobuf(text);
  boost::json::error_code error;
  boost::json::value value = boost::json::parse(text, error);
  if (error || !value.is_object()) return {};
  return std::move(value.get_object());
}

std::string_view annotation(const boost::json::object& object, std::string_view key) {
  return schema::text_at(object, {"metadata", "annotations", key});
}

}  // namespace ebb::sim
