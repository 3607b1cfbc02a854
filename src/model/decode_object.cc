#include "model/decode_object.h"

#include <array>

#include <boost/algorithm/string/predicate.hpp>
#include <fmt/format.h>

#include "model/decode_node.h"
#include "model/decode_pod.h"
#include "model/decode_policy.h"
#include "model/decode_workload.h"
#include "model/json_value.h"

namespace ebb::model {
namespace {

constexpr std::string_view kList = "List";

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

// `List` itself, or `PodList` and the like. Other kinds may end that way too, but
// only a list has items.
bool is_list(std::string_view kind, const JsonValue& items) {
  return kind == kList || (kind.ends_with(kList) && items.exists());
}

Result<void> decode_items(const JsonValue& items, const ItemType& type, std::string_view position,
                          Snapshot& into) {
  Result<void> result;
  std::size_t index = 0;
  items.each_item([&](const JsonValue& item) {
    if (!result) return;
    const std::string_view separator = position.empty() ? "" : ".";
    result = decode_object(item.element(), type,
                           fmt::format("{}{}items[{}]", position, separator, index++), into);
  });
  return result;
}

void decode_record(std::string_view api_version, std::string_view kind, const JsonValue& value,
                   Snapshot& into) {
  bool known_name = false;
  for (const Kind& known : kKinds) {
    if (known.name == kind && known.api_version == api_version) return known.decode(value, into);
    known_name = known_name || boost::algorithm::iequals(known.name, kind);
  }
  // A kind that is read, but not in this version or spelling, must not look as if it were.
  ++into.skipped[known_name ? fmt::format("{} {}", api_version, kind) : std::string(kind)];
}

}  // namespace

Result<void> decode_object(simdjson::dom::element object, const ItemType& type,
                           std::string_view position, Snapshot& into) {
  if (!object.is_object()) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("{}{}expected an object with apiVersion and kind, got {}", position,
                            position.empty() ? "" : ": ", describe_type(object)));
  }
  DecodeContext context(into.pool);
  const JsonValue value(context, object);
  const auto [api_version, kind, items] = value.members({"apiVersion", "kind", "items"});
  // Items of a PodList say neither; the list says it for them.
  const std::string_view version_name =
      api_version.present() ? api_version.string() : type.api_version;
  const std::string_view kind_name = kind.present() ? kind.string() : type.kind;
  if (kind_name.empty()) kind.report("is missing; every object says what it is");
  if (version_name.empty()) api_version.report("is missing; every object says what it is");

  if (!context.problem()) {
    if (is_list(kind_name, items)) {
      if (!items.exists()) items.report("is missing; a List has items, if only an empty list");
      const std::string_view item_kind = kind_name.substr(0, kind_name.size() - kList.size());
      const ItemType item_type = item_kind.empty() ? ItemType{} : ItemType{version_name, item_kind};
      if (auto done = decode_items(items, item_type, position, into); !done) return done;
    } else {
      decode_record(version_name, kind_name, value, into);
    }
  }
  if (!context.problem()) return {};
  return fail(
      ErrorCode::kInvalidInput,
      fmt::format("{}: {}", describe(object, kind_name.empty() ? "object" : kind_name, position),
                  *context.problem()));
}

}  // namespace ebb::model
