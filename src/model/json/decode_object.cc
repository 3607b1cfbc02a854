#include "model/json/decode_object.h"

#include <array>

#include <boost/algorithm/string/predicate.hpp>
#include <fmt/format.h>

#include "model/json/decode_node.h"
#include "model/json/decode_pod.h"
#include "model/json/decode_policy.h"
#include "model/json/decode_workload.h"
#include "model/json/identity.h"
#include "model/json/json_value.h"
#include "model/json/printable.h"

namespace ebb::model {
namespace {

constexpr std::string_view kList = "List";

struct Kind {
  std::string_view api_version;
  std::string_view name;
  void (*decode)(const JsonValue&, Snapshot&);
  void (*drop_last)(Snapshot&);
};

template <auto Records, auto decode>
constexpr Kind make_kind(std::string_view api_version, std::string_view name) {
  return {api_version, name,
          [](const JsonValue& value, Snapshot& into) { (into.*Records).push_back(decode(value)); },
          [](Snapshot& into) { (into.*Records).pop_back(); }};
}

// The supported kinds, and the list that each is stored in.
constexpr std::array kKinds = {
    make_kind<&Snapshot::pods, decode_pod>("v1", "Pod"),
    make_kind<&Snapshot::replica_sets, decode_replica_set>("apps/v1", "ReplicaSet"),
    make_kind<&Snapshot::deployments, decode_deployment>("apps/v1", "Deployment"),
    make_kind<&Snapshot::nodes, decode_node>("v1", "Node"),
    make_kind<&Snapshot::policies, decode_policy>("ebb.dev/v1alpha1", "DownscalePolicy"),
    make_kind<&Snapshot::pod_group_costs, decode_pod_group_cost>("ebb.dev/v1alpha1",
                                                                 "PodGroupCost"),
};

// `Pod shop/web-1 (items[3])`, as far as the object tells.
std::string describe(simdjson::dom::element object, std::string_view kind,
                     std::string_view position) {
  std::string_view name;
  std::string_view namespace_name;
  if (object["metadata"]["name"].get(name) != simdjson::SUCCESS) name = {};
  if (object["metadata"]["namespace"].get(namespace_name) != simdjson::SUCCESS) namespace_name = {};
  std::string text(kind);
  if (!name.empty()) {
    text += namespace_name.empty() ? fmt::format(" {}", name)
                                   : fmt::format(" {}/{}", namespace_name, name);
  }
  if (!position.empty()) text += fmt::format(" ({})", position);
  return text;
}

// `List` itself, or `PodList` and the like. Other kinds may end that way too, but only a list has
// items.
bool is_list(std::string_view kind, const JsonValue& items) {
  return kind == kList || (kind.ends_with(kList) && items.exists());
}

Result<void> decode_items(const JsonValue& items, const ItemType& type, std::string_view position,
                          Snapshot& into, OnInvalid on_invalid) {
  Result<void> result;
  std::size_t index = 0;
  items.each_item([&](const JsonValue& item) {
    if (!result) return;
    const std::string_view separator = position.empty() ? "" : ".";
    result =
        decode_object(item.element(), type,
                      fmt::format("{}{}items[{}]", position, separator, index++), into, on_invalid);
  });
  return result;
}

// Returns the kind of the record; null if objects of this kind are skipped.
const Kind* decode_record(std::string_view api_version, std::string_view kind,
                          const JsonValue& value, Snapshot& into) {
  bool known_name = false;
  for (const Kind& known : kKinds) {
    if (known.name == kind && known.api_version == api_version) {
      known.decode(value, into);
      return &known;
    }
    known_name = known_name || boost::algorithm::iequals(known.name, kind);
  }
  // A known kind in an unsupported version or spelling must not look as if it were read.
  ++into.skipped[known_name ? fmt::format("{} {}", api_version, kind) : std::string(kind)];
  return nullptr;
}

void keep_undecoded(simdjson::dom::element object, std::string_view kind, std::string problem,
                    Snapshot& into) {
  const std::string text = simdjson::minify(object);
  into.undecoded.push_back(
      undecoded_object(kind, identity_in_json(text), std::move(problem), into.pool));
}

}  // namespace

Result<void> decode_object(simdjson::dom::element object, const ItemType& type,
                           std::string_view position, Snapshot& into, OnInvalid on_invalid) {
  if (!object.is_object()) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("{}{}expected an object with apiVersion and kind, got {}", position,
                            position.empty() ? "" : ": ", describe_type(object)));
  }
  DecodeContext context(into.pool);
  const JsonValue value(context, object);
  const auto [api_version, kind, items] = value.members({"apiVersion", "kind", "items"});
  // Items of a PodList have neither field; the list has both.
  const std::string_view version_name =
      api_version.present() ? api_version.string() : type.api_version;
  const std::string_view kind_name = kind.present() ? kind.string() : type.kind;
  if (kind_name.empty()) kind.report("is missing; every object must have it");
  if (version_name.empty()) api_version.report("is missing; every object must have it");

  const Kind* known = nullptr;
  if (!context.problem()) {
    if (is_list(kind_name, items)) {
      if (!items.exists()) items.report("is missing; a List must have items (they may be empty)");
      const std::string_view item_kind = kind_name.substr(0, kind_name.size() - kList.size());
      const ItemType item_type = item_kind.empty() ? ItemType{} : ItemType{version_name, item_kind};
      EBB_RETURN_IF_ERROR(decode_items(items, item_type, position, into, on_invalid));
    } else {
      known = decode_record(version_name, kind_name, value, into);
    }
  }
  if (!context.problem()) return {};
  const auto problem_at = [&](std::string_view place) {
    return fmt::format("{}: {}", describe(object, kind_name.empty() ? "object" : kind_name, place),
                       *context.problem());
  };
  if (known == nullptr || on_invalid == OnInvalid::kFail) {
    return fail(ErrorCode::kInvalidInput, problem_at(position));
  }
  std::string problem = printable_and_short(problem_at({}));
  if (!context.damaged()) {
    into.remarks.push_back(std::move(problem));
    return {};
  }
  known->drop_last(into);
  keep_undecoded(object, kind_name, std::move(problem), into);
  return {};
}

}  // namespace ebb::model
