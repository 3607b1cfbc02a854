// The subresources that are not just views of the object: scale, eviction, finalize. Binding has
// a file of its own.
#include <utility>

#include <fmt/format.h>

#include "apiserver/admission.h"
#include "apiserver/apply.h"
#include "apiserver/call.h"
#include "apiserver/decode.h"
#include "apiserver/lifecycle.h"
#include "apiserver/patch_request.h"
#include "apiserver/remove.h"
#include "apiserver/scale.h"
#include "apiserver/tracking.h"
#include "apiserver/update.h"
#include "apiserver/write.h"
#include "schema/json.h"

namespace ebb::apiserver {

namespace json = boost::json;
using model::StatusOr;

namespace {

Reply answer_with_scale(const Call& call, const Object& object) {
  Reply reply;
  const json::object scale = scale_of(object.kind(), object.content());
  if (call.form.representation == Representation::kTable) {
    reply.response.body =
        represent_as_table(call.form, schema::scale_kind(), scale, object.revision(), call.now);
  } else {
    reply.response.body =
        represent_document(call.form.encoding, *schema::scale_kind().shape, scale);
  }
  reply.after = object.revision();
  return reply;
}

// A write to a Scale as ownership sees it.
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

// Whoever scales owns the replicas, if anybody has owned them so far.
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
  const StatusOr<void> checked =
      check_preconditions(call, old, schema::text_at(scale, {"metadata", "uid"}),
                          schema::text_at(scale, {"metadata", "resourceVersion"}));
  if (!checked) return tl::unexpected(checked.error());
  if (is_admitted(call)) {
    StatusOr<json::object> mutated = mutate_scale(call, old, std::move(scale), options);
    if (!mutated) return tl::unexpected(mutated.error());
    scale = *std::move(mutated);
  }
  json::object workload = old.content;
  const StatusOr<void> applied = apply_scale(workload, scale);
  if (!applied) return tl::unexpected(applied.error());
  prepare_update(call.kind(), workload, old.content);
  settle_managed_fields(workload,
                        with_scale_managers(call.kind(), managed_fields_of(old.content), managed),
                        &old.content);
  const StatusOr<ObjectPtr> stored = store_state(call, {.old = old,
                                                        .object = std::move(workload),
                                                        .options = options,
                                                        .warnings = {},
                                                        .of_scale = true});
  if (!stored) return tl::unexpected(stored.error());
  return answer_with_scale(call, **stored);
}

Answer apply_to_scale(const Call& call, const Target& old, const WriteOptions& options) {
  const schema::Kind& kind = schema::scale_kind();
  const StatusOr<Configuration> configuration = read_configuration(call, kind, options);
  if (!configuration) return tl::unexpected(configuration.error());
  StatusOr<Applied> applied = apply_configuration(
      scale_write(call, options), scale_managers(managed_fields_of(old.content)),
      scale_of(call.kind(), old.content), configuration->object, options.force);
  if (!applied) return tl::unexpected(applied.error());
  StatusOr<Decoded> scale = conform(kind, {.value = std::move(applied->object), .duplicates = {}},
                                    FieldValidation::kIgnore);
  if (!scale) return tl::unexpected(scale.error());
  if (const StatusOr<void> fits = fit_to_path(call, scale->object); !fits) {
    return tl::unexpected(fits.error());
  }
  return save_scale(call, old, scale->object, options, applied->managed);
}

// An eviction that was sent to evictions rather than to a pod.
Answer evict_named(const Call& call, std::string_view name) {
  if (name.empty()) {
    return tl::unexpected(model::bad_request("metadata.name must name the pod to evict"));
  }
  Route route = call.route;
  route.name = name;
  return evict(
      {call.state, call.request, route, call.query, call.form, call.now, call.consultation});
}

}  // namespace

Answer get_scale(const Call& call) {
  const ObjectPtr object =
      call.store().find(call.kind(), call.route.namespace_name, call.route.name);
  if (!object) return tl::unexpected(model::not_found(call.subject()));
  return answer_with_scale(call, *object);
}

Answer update_scale(const Call& call) {
  const StatusOr<Target> old = target_of(call);
  if (!old) return tl::unexpected(old.error());
  const StatusOr<WriteOptions> options = parse_write_options(call.request, call.query);
  if (!options) return tl::unexpected(options.error());
  const StatusOr<json::object> scale = read_subresource(call, schema::scale_kind());
  if (!scale) return tl::unexpected(scale.error());
  return save_scale(call, *old, *scale, *options, track_scale(call, *options, *old, *scale));
}

Answer patch_scale(const Call& call) {
  const StatusOr<Target> old = target_of(call);
  if (!old) return tl::unexpected(old.error());
  const schema::Kind& kind = schema::scale_kind();
  const StatusOr<WriteOptions> options = parse_write_options(call.request, call.query);
  if (!options) return tl::unexpected(options.error());
  if (options->applies) return apply_to_scale(call, *old, *options);
  StatusOr<ParsedJson> patched =
      apply_patch_body(call, kind.shape, scale_of(call.kind(), old->content));
  if (!patched) return tl::unexpected(patched.error());
  const StatusOr<Decoded> scale = conform_patched(call, kind, *std::move(patched), *options);
  if (!scale) return tl::unexpected(scale.error());
  return save_scale(call, *old, scale->object, *options,
                    track_scale(call, *options, *old, scale->object));
}

Answer evict(const Call& call) {
  StatusOr<json::object> eviction = read_subresource(call, schema::eviction_kind());
  if (!eviction) return tl::unexpected(eviction.error());
  if (call.route.name.empty()) {
    return evict_named(call, schema::text_at(*eviction, {"metadata", "name"}));
  }
  const StatusOr<WriteOptions> write = parse_write_options(call.request, call.query);
  if (!write) return tl::unexpected(write.error());
  if (is_admitted(call)) {
    eviction = admit_document(call, schema::eviction_kind(), *write, *std::move(eviction));
    if (!eviction) return tl::unexpected(eviction.error());
  }
  const json::object* given = schema::object_at(*eviction, {"deleteOptions"});
  StatusOr<DeleteOptions> options = read_delete_options(given == nullptr ? json::object() : *given);
  if (!options) return tl::unexpected(options.error());
  options->dry_run = options->dry_run || write->dry_run;

  const StatusOr<Target> pod = target_of(call);
  if (!pod) return tl::unexpected(pod.error());
  const StatusOr<Removal> removal = remove_object(call, *pod, *options);
  if (!removal) return tl::unexpected(removal.error());
  return answer_success(call, 201, removal->object->revision(), "");
}

Answer finalize_namespace(const Call& call) {
  StatusOr<json::object> body = read_subresource(call, call.kind());
  if (!body) return tl::unexpected(body.error());
  const StatusOr<Target> old = target_of(call);
  if (!old) return tl::unexpected(old.error());
  const StatusOr<void> checked =
      check_preconditions(call, *old, schema::text_at(*body, {"metadata", "uid"}),
                          schema::text_at(*body, {"metadata", "resourceVersion"}));
  if (!checked) return tl::unexpected(checked.error());

  const StatusOr<WriteOptions> options = parse_write_options(call.request, call.query);
  if (!options) return tl::unexpected(options.error());
  if (is_admitted(call)) {
    body = mutate(call, admission_of_update(call, *options, old->content), *std::move(body));
    if (!body) return tl::unexpected(body.error());
  }
  json::object changed = old->content;
  json::object& spec = schema::ensure_object(changed, {"spec"});
  const json::array* finalizers = schema::array_at(*body, {"spec", "finalizers"});
  if (finalizers == nullptr || finalizers->empty()) {
    spec.stable_erase("finalizers");
  } else {
    spec["finalizers"] = *finalizers;
  }
  return save(call,
              {.old = *old, .object = std::move(changed), .options = *options, .warnings = {}});
}

}  // namespace ebb::apiserver
