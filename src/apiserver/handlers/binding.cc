// POST on a pod's binding: the scheduler assigns a node.
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "apiserver/handlers/admission.h"
#include "apiserver/handlers/update.h"
#include "apiserver/handlers/write.h"
#include "apiserver/request/call.h"
#include "schema/core/json.h"
#include "schema/core/time.h"

namespace ebb::apiserver {

namespace json = boost::json;
using model::StatusOr;

namespace {

void set_condition(json::object& pod, json::object condition) {
  json::object& status = schema::ensure_object(pod, {"status"});
  json::value& conditions = status["conditions"];
  if (!conditions.is_array()) conditions.emplace_array();
  const std::string_view type = schema::text_at(condition, {"type"});
  for (json::value& present : conditions.get_array()) {
    if (present.is_object() && schema::text_at(present.get_object(), {"type"}) == type) {
      present = std::move(condition);
      return;
    }
  }
  conditions.get_array().push_back(std::move(condition));
}

// Copies topology labels from the node to the pod, as Kubernetes does since 1.35.
void copy_topology_labels(const Call& call, std::string_view node_name, json::object& pod) {
  const ObjectPtr node = call.store().newest(*schema::find_kind("", "v1", "nodes"), "", node_name);
  if (!node) return;
  for (const LabelView& label : node->labels()) {
    if (label.first != "topology.kubernetes.io/zone" &&
        label.first != "topology.kubernetes.io/region") {
      continue;
    }
    schema::ensure_object(pod, {"metadata", "labels"})[label.first] = label.second;
  }
}

// Returns why a pod can no longer be assigned.
std::optional<model::Status> refusal(const Call& call, const json::object& pod) {
  if (schema::object_at(pod, {"metadata"})->contains("deletionTimestamp")) {
    return model::conflict(
        call.subject(),
        fmt::format("pod {} is being deleted, cannot be assigned to a host", call.route.name));
  }
  const std::string_view assigned = schema::text_at(pod, {"spec", "nodeName"});
  if (assigned.empty()) return std::nullopt;
  return model::conflict(call.subject(), fmt::format("pod {} is already assigned to node \"{}\"",
                                                     call.route.name, assigned));
}

void assign(const Call& call, std::string_view node, json::object& pod) {
  schema::ensure_object(pod, {"spec"})["nodeName"] = node;
  copy_topology_labels(call, node, pod);
  const std::int64_t now_seconds = call.now.since_epoch_ns() / kNanosecondsPerSecond;
  set_condition(
      pod, {{"type", "PodScheduled"},
            {"status", "True"},
            {"lastTransitionTime", schema::format_time(Timestamp::from_seconds(now_seconds))}});
}

}  // namespace

Answer bind(const Call& call) {
  EBB_ASSIGN_OR_RETURN(const WriteOptions options, parse_write_options(call.request, call.query));
  EBB_ASSIGN_OR_RETURN(json::object binding, read_subresource(call, schema::binding_kind()));
  if (is_admitted(call)) {
    EBB_ASSIGN_OR_RETURN(binding,
                         admit_document(call, schema::binding_kind(), options, std::move(binding)));
  }
  const std::string_view node = schema::text_at(binding, {"target", "name"});
  if (node.empty()) {
    return tl::unexpected(model::invalid(
        {.group = "", .resource = "bindings", .kind = "Binding", .name = call.route.name},
        {model::required_value("target.name", "")}));
  }
  EBB_ASSIGN_OR_RETURN(const Target old, target_of(call));
  EBB_RETURN_IF_ERROR(
      check_preconditions(call, old, schema::text_at(binding, {"metadata", "uid"}),
                          schema::text_at(binding, {"metadata", "resourceVersion"})));
  if (auto refused = refusal(call, old.content)) return tl::unexpected(*std::move(refused));

  json::object pod = old.content;
  assign(call, node, pod);
  const Revision revision =
      options.dry_run ? 0 : call.store().put(call.kind(), std::move(pod), call.now)->revision();
  return answer_success(call, 201, revision, "");
}

}  // namespace ebb::apiserver
