#include "model/decode_object.h"

#include <array>

#include <fmt/format.h>

#include "model/decode_pod.h"
#include "model/decode_policy.h"
#include "model/decode_workload.h"
#include "model/json_value.h"

namespace ebb::model {
namespace {

struct Kind {
  std::string_view api_version;
  std::string_view name;
  void (*decode)(const JsonValue&, Snapshot&);
};

// Every kind that is read, and where its records go.
constexpr std::array kKinds = {
    Kind{"v1", "Pod", [](const JsonValue& v, Snapshot& s) { s.pods.push_back(decode_pod(v)); }},
    Kind{"apps/v1", "ReplicaSet",
         [](const JsonValue& v, Snapshot& s) { s.replica_sets.push_back(decode_replica_set(v)); }},
    Kind{"apps/v1", "Deployment",
         [](const JsonValue& v, Snapshot& s) { s.deployments.push_back(decode_deployment(v)); }},
    Kind{"v1", "Node", [](const JsonValue& v, Snapshot& s) { s.nodes.push_back(decode_node(v)); }},
    Kind{"ebb.dev/v1alpha1", "DownscalePolicy",
         [](const JsonValue& v, Snapshot& s) { s.policies.push_back(decode_policy(v)); }},
    Kind{"ebb.dev/v1alpha1", "PodGroupCost",
         [](const JsonValue& v, Snapshot& s) {
           s.pod_group_costs.push_back(decode_pod_group_cost(v));
         }},
};

// `Pod shop/web-1 (items[3])`, as far as the object tells.
std::string describe(simdjson::dom::element object, std::string_view kind,
                     std::string_view position) {
  std::string_view name;
  std::string_view name_space;
  if (object["metadata"]["name"].get(name) != simdjson::SUCCESS) name = {};
  if (object["metadata"]["namespace"].get(name_space) != simdjson::SUCCESS) name_space = {};
  std::string text(kind);
  if (!name.empty()) {
    text += name_space.empty() ? fmt::format(" {}", name) : fmt::format(" {}/{}", name_space, name);
  }
  if (!position.empty()) text += fmt::format(" ({})", position);
  return text;
}

}  // namespace

Result<void> decode_object(simdjson::dom::element object, const ItemType& type,
                           std::string_view position, Snapshot& into) {
  DecodeContext context(into.pool);
  const JsonValue value(context, object);
  const auto [api_version, kind] = value.members({"apiVersion", "kind"});
  // Items of a PodList say neither; the list says it for them.
  const std::string_view version_name =
      api_version.present() ? api_version.string() : type.api_version;
  const std::string_view kind_name = kind.present() ? kind.string() : type.kind;
  if (kind_name.empty()) kind.report("is missing; every object says what it is");

  const Kind* known = nullptr;
  for (const Kind& candidate : kKinds) {
    if (candidate.name == kind_name && candidate.api_version == version_name) known = &candidate;
  }
  if (known != nullptr) {
    known->decode(value, into);
  } else if (!context.problem()) {
    ++into.skipped[std::string(kind_name)];
  }
  if (!context.problem()) return {};
  return fail(
      ErrorCode::kInvalidInput,
      fmt::format("{}: {}", describe(object, kind_name.empty() ? "object" : kind_name, position),
                  *context.problem()));
}

}  // namespace ebb::model
