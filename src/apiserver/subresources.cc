// The subresources that are not just views of the object: scale, eviction, binding, finalize.
#include <utility>

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "apiserver/call.h"
#include "apiserver/decode.h"
#include "apiserver/lifecycle.h"
#include "apiserver/negotiate.h"
#include "apiserver/patch_request.h"
#include "apiserver/remove.h"
#include "apiserver/scale.h"
#include "apiserver/update.h"
#include "apiserver/write.h"
#include "schema/json.h"
#include "schema/time.h"

namespace ebb::apiserver {

namespace json = boost::json;
using model::StatusOr;

namespace {

Reply answer_with_scale(const Object& object) {
  Reply reply;
  reply.response.body = Bytes(json::serialize(scale_of(object.kind(), object.content())));
  reply.after = object.revision();
  return reply;
}

// Bodies of kinds that are not stored: an object, of whatever version.
StatusOr<json::object> read_object(const Call& call) {
  const std::string_view type = media_type(call.request.content_type);
  if (!type.empty() && type != "application/json") {
    return tl::unexpected(model::unsupported_media_type(type, "application/json"));
  }
  StatusOr<ParsedJson> parsed = parse_json(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  if (!parsed->value.is_object()) {
    return tl::unexpected(model::bad_request("the body must be a JSON object"));
  }
  return std::move(parsed->value.get_object());
}

Answer save_scale(const Call& call, const Target& old, const json::object& scale) {
  const StatusOr<WriteOptions> options = parse_write_options(call.request, call.query);
  if (!options) return tl::unexpected(options.error());
  const StatusOr<void> checked =
      check_preconditions(call, old, schema::text_at(scale, {"metadata", "uid"}),
                          schema::text_at(scale, {"metadata", "resourceVersion"}));
  if (!checked) return tl::unexpected(checked.error());
  json::object workload = old.content;
  const StatusOr<void> applied = apply_scale(workload, scale);
  if (!applied) return tl::unexpected(applied.error());
  prepare_update(call.kind(), workload, old.content);
  const StatusOr<ObjectPtr> stored = store_state(
      call, {.old = old, .object = std::move(workload), .options = *options, .warnings = {}});
  if (!stored) return tl::unexpected(stored.error());
  return answer_with_scale(**stored);
}

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

// An eviction that was sent to evictions rather than to a pod.
Answer evict_named(const Call& call, std::string_view name) {
  if (name.empty()) {
    return tl::unexpected(model::bad_request("metadata.name must name the pod to evict"));
  }
  Route route = call.route;
  route.name = name;
  return evict({call.state, call.request, route, call.query, call.form, call.now});
}

}  // namespace

Answer get_scale(const Call& call) {
  const ObjectPtr object =
      call.store().find(call.kind(), call.route.namespace_name, call.route.name);
  if (!object) return tl::unexpected(model::not_found(call.subject()));
  return answer_with_scale(*object);
}

Answer update_scale(const Call& call) {
  const StatusOr<Target> old = target_of(call);
  if (!old) return tl::unexpected(old.error());
  const StatusOr<json::object> scale = read_object(call);
  if (!scale) return tl::unexpected(scale.error());
  return save_scale(call, *old, *scale);
}

Answer patch_scale(const Call& call) {
  const StatusOr<Target> old = target_of(call);
  if (!old) return tl::unexpected(old.error());
  // A Scale has no lists, so a strategic patch of it merges by any shape that knows none.
  static constexpr schema::Shape kPlain{};
  const StatusOr<ParsedJson> patched =
      apply_patch_body(call, &kPlain, scale_of(call.kind(), old->content));
  if (!patched) return tl::unexpected(patched.error());
  if (!patched->value.is_object()) {
    return tl::unexpected(model::bad_request("the patched Scale is no JSON object"));
  }
  return save_scale(call, *old, patched->value.get_object());
}

Answer evict(const Call& call) {
  const StatusOr<json::object> eviction = read_object(call);
  if (!eviction) return tl::unexpected(eviction.error());
  const std::string_view name = schema::text_at(*eviction, {"metadata", "name"});
  if (call.route.name.empty()) return evict_named(call, name);
  if (!name.empty() && name != call.route.name) {
    return tl::unexpected(model::bad_request(fmt::format(
        "name in URL does not match name in Eviction object: {} != {}", call.route.name, name)));
  }
  const json::object* given = schema::object_at(*eviction, {"deleteOptions"});
  StatusOr<DeleteOptions> options = read_delete_options(given == nullptr ? json::object() : *given);
  if (!options) return tl::unexpected(options.error());
  const StatusOr<WriteOptions> write = parse_write_options(call.request, call.query);
  if (!write) return tl::unexpected(write.error());
  options->dry_run = options->dry_run || write->dry_run;

  const StatusOr<Target> pod = target_of(call);
  if (!pod) return tl::unexpected(pod.error());
  const StatusOr<Removal> removal = remove_object(call, *pod, *options);
  if (!removal) return tl::unexpected(removal.error());
  return answer_success(call, 201, removal->object->revision(), "");
}

Answer bind(const Call& call) {
  const StatusOr<WriteOptions> options = parse_write_options(call.request, call.query);
  if (!options) return tl::unexpected(options.error());
  const StatusOr<json::object> binding = read_object(call);
  if (!binding) return tl::unexpected(binding.error());
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

  json::object pod = old->content;
  if (schema::object_at(pod, {"metadata"})->contains("deletionTimestamp")) {
    return tl::unexpected(model::conflict(
        call.subject(),
        fmt::format("pod {} is being deleted, cannot be assigned to a host", call.route.name)));
  }
  if (const std::string_view assigned = schema::text_at(pod, {"spec", "nodeName"});
      !assigned.empty()) {
    return tl::unexpected(model::conflict(
        call.subject(),
        fmt::format("pod {} is already assigned to node \"{}\"", call.route.name, assigned)));
  }
  schema::ensure_object(pod, {"spec"})["nodeName"] = node;
  set_condition(pod,
                {{"type", "PodScheduled"},
                 {"status", "True"},
                 {"lastProbeTime", nullptr},
                 {"lastTransitionTime", schema::format_time(Timestamp::from_seconds(
                                            call.now.since_epoch_ns() / kNanosecondsPerSecond))}});
  const Revision revision =
      options->dry_run ? 0 : call.store().put(call.kind(), std::move(pod), call.now)->revision();
  return answer_success(call, 201, revision, "");
}

Answer finalize_namespace(const Call& call) {
  const StatusOr<json::object> body = read_object(call);
  if (!body) return tl::unexpected(body.error());
  const StatusOr<Target> old = target_of(call);
  if (!old) return tl::unexpected(old.error());
  const StatusOr<void> checked =
      check_preconditions(call, *old, schema::text_at(*body, {"metadata", "uid"}),
                          schema::text_at(*body, {"metadata", "resourceVersion"}));
  if (!checked) return tl::unexpected(checked.error());

  json::object changed = old->content;
  json::object& spec = schema::ensure_object(changed, {"spec"});
  const json::array* finalizers = schema::array_at(*body, {"spec", "finalizers"});
  if (finalizers == nullptr || finalizers->empty()) {
    spec.stable_erase("finalizers");
  } else {
    spec["finalizers"] = *finalizers;
  }
  return save(call, {.old = *old, .object = std::move(changed), .options = {}, .warnings = {}});
}

}  // namespace ebb::apiserver
