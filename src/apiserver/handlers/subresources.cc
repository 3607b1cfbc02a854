// The subresources scale, eviction and finalize. Binding has its own file, and status is a view of
// the object.
#include <utility>

#include <fmt/format.h>

#include "apiserver/decode/decode.h"
#include "apiserver/handlers/admission.h"
#include "apiserver/handlers/apply.h"
#include "apiserver/handlers/delete_object.h"
#include "apiserver/handlers/managed_fields_update.h"
#include "apiserver/handlers/patch_request.h"
#include "apiserver/handlers/update.h"
#include "apiserver/handlers/write.h"
#include "apiserver/objects/lifecycle.h"
#include "apiserver/objects/scale.h"
#include "apiserver/request/call.h"
#include "schema/core/json.h"

namespace ebb::apiserver {

namespace json = boost::json;
using model::StatusOr;

namespace {

Reply answer_with_scale(const Call& call, const Object& object) {
  Reply reply;
  const json::object scale = scale_of(object.kind(), object.content());
  if (call.form.representation == Representation::kTable) {
    reply.response.body =
        encode_as_table(call.form, schema::scale_kind(), scale, object.revision(), call.now);
  } else {
    reply.response.body = encode_document(call.form.encoding, *schema::scale_kind().schema, scale);
  }
  reply.after = object.revision();
  return reply;
}

// A write to a Scale, for the ownership rules.
FieldWrite scale_write(const Call& call, const WriteOptions& options) {
  static const FieldSet kNone;
  const FieldWrite of_workload = field_write(call, options);
  Manager manager = of_workload.manager;
  manager.api_version = schema::scale_kind().api_version();
  return {.kind = schema::scale_kind(),
          .manager = std::move(manager),
          .now = of_workload.now,
          .ignored = kNone};
}

// The client that scales becomes the owner of the replicas, if they had an owner before.
ManagedFields track_scale(const Call& call, const WriteOptions& options, const Target& old,
                          const json::object& scale) {
  ManagedFields managed = scale_managers(managed_fields_of(old.content));
  if (managed.empty()) return managed;
  return track_update(scale_write(call, options), std::move(managed),
                      scale_of(call.kind(), old.content), scale);
}

StatusOr<json::object> mutate_scale(const Call& call, const Target& old, json::object scale,
                                    const WriteOptions& options) {
  const json::object old_scale = scale_of(call.kind(), old.content);
  Admission admission = admission_of_update(call, options, old_scale);
  admission.shown = &schema::scale_kind();
  return mutate(call, admission, std::move(scale));
}

Answer save_scale(const Call& call, const Target& old, json::object scale,
                  const WriteOptions& options, const ManagedFields& managed) {
  EBB_RETURN_IF_ERROR(check_preconditions(call, old, schema::text_at(scale, {"metadata", "uid"}),
                                          schema::text_at(scale, {"metadata", "resourceVersion"})));
  if (is_admitted(call)) {
    EBB_ASSIGN_OR_RETURN(scale, mutate_scale(call, old, std::move(scale), options));
  }
  json::object workload = old.content;
  EBB_RETURN_IF_ERROR(apply_scale(workload, scale));
  prepare_update(call.kind(), workload, old.content);
  update_managed_fields(workload,
                        with_scale_managers(call.kind(), managed_fields_of(old.content), managed),
                        &old.content);
  EBB_ASSIGN_OR_RETURN(const ObjectPtr stored, store_state(call, {.old = old,
                                                                  .object = std::move(workload),
                                                                  .options = options,
                                                                  .warnings = {},
                                                                  .of_scale = true}));
  return answer_with_scale(call, *stored);
}

Answer apply_to_scale(const Call& call, const Target& old, const WriteOptions& options) {
  const schema::Kind& kind = schema::scale_kind();
  EBB_ASSIGN_OR_RETURN(const Configuration configuration, read_configuration(call, kind, options));
  EBB_ASSIGN_OR_RETURN(
      Applied applied,
      apply_configuration(scale_write(call, options),
                          scale_managers(managed_fields_of(old.content)),
                          scale_of(call.kind(), old.content), configuration.object, options.force));
  EBB_ASSIGN_OR_RETURN(Decoded scale,
                       conform(kind, {.value = std::move(applied.object), .duplicates = {}},
                               FieldValidation::kIgnore));
  EBB_RETURN_IF_ERROR(fit_to_path(call, scale.object));
  return save_scale(call, old, scale.object, options, applied.managed);
}

// An eviction posted to the evictions resource instead of to a pod.
Answer evict_named(const Call& call, std::string_view name) {
  if (name.empty()) {
    return tl::unexpected(model::bad_request("metadata.name must name the pod to evict"));
  }
  Route route = call.route;
  route.name = name;
  return evict({call.state, call.request, route, call.query, call.form, call.now, call.session});
}

}  // namespace

Answer get_scale(const Call& call) {
  const ObjectPtr object =
      call.store().find(call.kind(), call.route.namespace_name, call.route.name);
  if (!object) return tl::unexpected(model::not_found(call.subject()));
  return answer_with_scale(call, *object);
}

Answer update_scale(const Call& call) {
  EBB_ASSIGN_OR_RETURN(const Target old, target_of(call));
  EBB_ASSIGN_OR_RETURN(const WriteOptions options, parse_write_options(call.request, call.query));
  EBB_ASSIGN_OR_RETURN(const json::object scale, read_subresource(call, schema::scale_kind()));
  return save_scale(call, old, scale, options, track_scale(call, options, old, scale));
}

Answer patch_scale(const Call& call) {
  EBB_ASSIGN_OR_RETURN(const Target old, target_of(call));
  const schema::Kind& kind = schema::scale_kind();
  EBB_ASSIGN_OR_RETURN(const WriteOptions options, parse_write_options(call.request, call.query));
  if (options.applies) return apply_to_scale(call, old, options);
  EBB_ASSIGN_OR_RETURN(ParsedJson patched,
                       apply_patch_body(call, kind.schema, scale_of(call.kind(), old.content)));
  EBB_ASSIGN_OR_RETURN(const Decoded scale,
                       conform_patched(call, kind, std::move(patched), options));
  return save_scale(call, old, scale.object, options,
                    track_scale(call, options, old, scale.object));
}

Answer evict(const Call& call) {
  EBB_ASSIGN_OR_RETURN(json::object eviction, read_subresource(call, schema::eviction_kind()));
  if (call.route.name.empty()) {
    return evict_named(call, schema::text_at(eviction, {"metadata", "name"}));
  }
  EBB_ASSIGN_OR_RETURN(const WriteOptions write, parse_write_options(call.request, call.query));
  if (is_admitted(call)) {
    EBB_ASSIGN_OR_RETURN(eviction,
                         admit_document(call, schema::eviction_kind(), write, std::move(eviction)));
  }
  const json::object* given = schema::object_at(eviction, {"deleteOptions"});
  EBB_ASSIGN_OR_RETURN(DeleteOptions options,
                       read_delete_options(given == nullptr ? json::object() : *given));
  options.dry_run = options.dry_run || write.dry_run;

  EBB_ASSIGN_OR_RETURN(const Target pod, target_of(call));
  EBB_ASSIGN_OR_RETURN(const DeleteResult removal, delete_object(call, pod, options));
  return answer_success(call, 201, removal.object->revision(), "");
}

Answer finalize_namespace(const Call& call) {
  EBB_ASSIGN_OR_RETURN(json::object body, read_subresource(call, call.kind()));
  EBB_ASSIGN_OR_RETURN(const Target old, target_of(call));
  EBB_RETURN_IF_ERROR(check_preconditions(call, old, schema::text_at(body, {"metadata", "uid"}),
                                          schema::text_at(body, {"metadata", "resourceVersion"})));

  EBB_ASSIGN_OR_RETURN(const WriteOptions options, parse_write_options(call.request, call.query));
  if (is_admitted(call)) {
    EBB_ASSIGN_OR_RETURN(
        body, mutate(call, admission_of_update(call, options, old.content), std::move(body)));
  }
  json::object changed = old.content;
  json::object& spec = schema::ensure_object(changed, {"spec"});
  const json::array* finalizers = schema::array_at(body, {"spec", "finalizers"});
  if (finalizers == nullptr || finalizers->empty()) {
    spec.stable_erase("finalizers");
  } else {
    spec["finalizers"] = *finalizers;
  }
  return save(call, {.old = old, .object = std::move(changed), .options = options, .warnings = {}});
}

}  // namespace ebb::apiserver
