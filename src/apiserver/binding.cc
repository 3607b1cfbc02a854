// POST on a pod's binding: the scheduler says on which node it runs.
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "apiserver/admission.h"
#include "apiserver/call.h"
#include "apiserver/update.h"
#include "apiserver/write.h"
#include "schema/json.h"
#include "schema/time.h"

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

// A pod can read where it runs from its own labels, as in Kubernetes since 1.35.
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

// Why a pod cannot be assigned any more.
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
  const StatusOr<WriteOptions> options = parse_write_options(call.request, call.query);
  if (!options) return tl::unexpected(options.error());
  StatusOr<json::object> binding = read_subresource(call, schema::binding_kind());
  if (!binding) return tl::unexpected(binding.error());
  if (is_admitted(call)) {
    binding = admit_document(call, schema::binding_kind(), *options, *std::move(binding));
    if (!binding) return tl::unexpected(binding.error());
  }
  const std::string_view node = schema::text_at(*binding, {"target", "name"});
  if (node.empty()) {
    return tl::unexpected(model::invalid(
        {.group = "", .resource = "bindings", .kind = "Binding", .name = call.route.name},
        {model::required_value("target.name", "")}));
  }
  const StatusOr<Target> old = target_of(call);
  if (!old) return tl::unexpected(old.error());
  const StatusOr<void> checked =
      check_preconditions(call, *old, schema::text_at(*binding, {"metadata", "uid"}),
                          schema::text_at(*binding, {"metadata", "resourceVersion"}));
  if (!checked) return tl::unexpected(checked.error());
  if (auto refused = refusal(call, old->content)) return tl::unexpected(*std::move(refused));

  json::object pod = old->content;
  assign(call, node, pod);
  const Revision revision =
      options->dry_run ? 0 : call.store().put(call.kind(), std::move(pod), call.now)->revision();
  return answer_success(call, 201, revision, "");
}

}  // namespace ebb::apiserver
