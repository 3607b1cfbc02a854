#include "apiserver/objects/scale.h"

#include <limits>
#include <string_view>
#include <utility>

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "base/check.h"
#include "schema/core/json.h"
#include "schema/core/selector_text.h"

namespace ebb::apiserver {

namespace json = boost::json;
using model::Status;
using model::StatusOr;

namespace {

Status cannot_unmarshal(const json::value& replicas) {
  const std::string what = replicas.is_number() ? "number " + json::serialize(replicas)
                           : replicas.is_bool() ? "bool"
                           : replicas.is_array()
                               ? "array"
                               : std::string(replicas.is_object() ? "object" : "string");
  return model::bad_request(fmt::format(
      "Scale in version \"v1\" cannot be handled as a Scale: json: cannot unmarshal {} into Go "
      "struct field ScaleSpec.spec.replicas of type int32",
      what));
}

// Absent and null are 0, as for any required number in Kubernetes.
StatusOr<std::int64_t> wanted_replicas(const json::object& scale) {
  const json::value* replicas = schema::lookup(scale, {"spec", "replicas"});
  if (replicas == nullptr || replicas->is_null()) return 0;
  const std::int64_t* number = replicas->if_int64();
  if (number == nullptr || *number < std::numeric_limits<std::int32_t>::min() ||
      *number > std::numeric_limits<std::int32_t>::max()) {
    return tl::unexpected(cannot_unmarshal(*replicas));
  }
  return *number;
}

// Workloads and Scales have the replicas in the same field.
const FieldSet& replicas_field() {
  static const FieldSet kReplicas({{"f:spec", "f:replicas"}});
  return kReplicas;
}

Manager under_version(Manager manager, std::string api_version) {
  manager.api_version = std::move(api_version);
  return manager;
}

}  // namespace

json::object scale_of(const schema::Kind& kind, const json::object& workload) {
  EBB_CHECK(kind.has_scale);
  json::object metadata;
  for (const char* name : {"name", "namespace", "uid", "resourceVersion", "creationTimestamp"}) {
    if (const json::value* value = schema::lookup(workload, {"metadata", name})) {
      metadata[name] = *value;
    }
  }
  // Kubernetes omits zero replicas in the spec, but not in the status.
  json::object spec;
  const std::int64_t wanted = schema::integer_at(workload, {"spec", "replicas"}).value_or(0);
  if (wanted != 0) spec["replicas"] = wanted;
  json::object status{
      {"replicas", schema::integer_at(workload, {"status", "replicas"}).value_or(0)}};
  const std::string selector =
      schema::selector_text(schema::object_at(workload, {"spec", "selector"})).value_or("");
  if (!selector.empty()) status["selector"] = selector;
  return {{"kind", "Scale"},
          {"apiVersion", "autoscaling/v1"},
          {"metadata", std::move(metadata)},
          {"spec", std::move(spec)},
          {"status", std::move(status)}};
}

StatusOr<void> apply_scale(json::object& workload, const json::object& scale) {
  EBB_ASSIGN_OR_RETURN(auto replicas, wanted_replicas(scale));
  if (replicas < 0) {
    const model::Subject subject{.group = "autoscaling",
                                 .resource = {},
                                 .kind = "Scale",
                                 .name = schema::text_at(workload, {"metadata", "name"})};
    return tl::unexpected(
        model::invalid(subject, {model::invalid_value("spec.replicas", std::to_string(replicas),
                                                      "must be greater than or equal to 0")}));
  }
  schema::ensure_object(workload, {"spec"})["replicas"] = replicas;
  return {};
}

ManagedFields scale_managers(const ManagedFields& workload) {
  ManagedFields scale;
  for (const ManagedEntry& entry : workload.entries()) {
    if (!entry.owned.has_any(replicas_field())) continue;
    scale.entries().push_back(
        {.manager = under_version(entry.manager, schema::scale_kind().api_version()),
         .time = entry.time,
         .owned = OwnedFields(replicas_field())});
  }
  return scale;
}

ManagedFields with_scale_managers(const schema::Kind& kind, ManagedFields workload,
                                  const ManagedFields& scale) {
  for (ManagedEntry& entry : workload.entries()) {
    const Manager in_scale = under_version(entry.manager, schema::scale_kind().api_version());
    if (scale.find(in_scale) != nullptr || !entry.owned.has_any(replicas_field())) continue;
    entry.owned = OwnedFields(difference(entry.owned.set(), replicas_field()));
  }
  workload.drop_empty();
  for (const ManagedEntry& entry : scale.entries()) {
    const Manager manager = under_version(entry.manager, kind.api_version());
    const ManagedEntry* known = workload.find(manager);
    if (known != nullptr && known->owned.has_any(replicas_field()) && manager.subresource.empty()) {
      continue;  // unchanged, so it keeps its time
    }
    workload.set(manager, replicas_field(), entry.time);
  }
  return workload;
}

}  // namespace ebb::apiserver
