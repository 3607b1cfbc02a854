// PUT on an object or its status.
#include "apiserver/handlers/update.h"

#include <utility>

#include <fmt/format.h>

#include "apiserver/handlers/admission.h"
#include "apiserver/handlers/managed_fields_update.h"
#include "apiserver/handlers/write.h"
#include "apiserver/objects/kind_specifics.h"
#include "apiserver/objects/lifecycle.h"
#include "apiserver/request/call.h"
#include "schema/core/json.h"

namespace ebb::apiserver {

namespace json = boost::json;
using model::StatusOr;

namespace {

// Sent by clients that do not care which revision they replace.
constexpr std::string_view kAnyRevision = "0";

}  // namespace

StatusOr<void> check_preconditions(const Call& call, const Target& old, std::string_view uid,
                                   std::string_view resource_version) {
  const std::string_view actual = schema::text_at(old.content, {"metadata", "uid"});
  if (!uid.empty() && uid != actual) {
    return tl::unexpected(model::conflict(
        call.subject(old.object->name()),
        fmt::format("Precondition failed: UID in precondition: {}, UID in object meta: {}", uid,
                    actual)));
  }
  if (!resource_version.empty() && resource_version != kAnyRevision &&
      resource_version != fmt::to_string(old.object->revision())) {
    return tl::unexpected(model::conflict(
        call.subject(old.object->name()),
        "the object has been modified; please apply your changes to the latest version and try "
        "again"));
  }
  return {};
}

namespace {

// Completes the client's object, which is necessary to compute what it changed.
void complete(const Call& call, json::object& object) {
  if (call.route.subresource == "status") return;
  if (is_secret(call.kind())) fold_string_data(object);
  apply_defaults(*call.kind().schema, object);
}

StatusOr<json::object> mutate_changed(const Call& call, const Target& old,
                                      const WriteOptions& options, const ManagedFields& managed,
                                      json::object object) {
  update_managed_fields(object, managed, nullptr);
  EBB_ASSIGN_OR_RETURN(
      json::object mutated,
      mutate(call, admission_of_update(call, options, old.content), std::move(object)));
  // Validation reports a name that a webhook removed or changed.
  EBB_RETURN_IF_ERROR(fit_to_namespace(call, mutated));
  return mutated;
}

StatusOr<json::object> settle(const Call& call, const Target& old, json::object object,
                              const WriteOptions& options, const ManagedFields& managed) {
  if (is_admitted(call)) {
    EBB_ASSIGN_OR_RETURN(object, mutate_changed(call, old, options, managed, std::move(object)));
  }
  if (call.route.subresource == "status") {
    object = prepare_status_update(call.kind(), object, old.content);
  } else {
    prepare_update(call.kind(), object, old.content);
  }
  update_managed_fields(object, managed, &old.content);
  return object;
}

Answer save_settled(const Call& call, const Target& old, Decoded decoded,
                    const WriteOptions& options, const ManagedFields& managed) {
  EBB_ASSIGN_OR_RETURN(json::object object,
                       settle(call, old, std::move(decoded.object), options, managed));
  return save(call, {.old = old,
                     .object = std::move(object),
                     .options = options,
                     .warnings = std::move(decoded.warnings),
                     .of_status = call.route.subresource == "status"});
}

}  // namespace

Answer replace_object(const Call& call, const Target& old, Decoded decoded,
                      const WriteOptions& options) {
  complete(call, decoded.object);
  const ManagedFields managed =
      track_update(field_write(call, options), &old.content, decoded.object);
  return save_settled(call, old, std::move(decoded), options, managed);
}

Answer replace_object(const Call& call, const Target& old, Decoded decoded,
                      const WriteOptions& options, const ManagedFields& managed) {
  complete(call, decoded.object);
  return save_settled(call, old, std::move(decoded), options, managed);
}

Answer update(const Call& call) {
  EBB_ASSIGN_OR_RETURN(const WriteOptions options, parse_write_options(call.request, call.query));
  EBB_ASSIGN_OR_RETURN(Decoded decoded, read_body(call, call.kind(), options.validation));
  EBB_RETURN_IF_ERROR(fit_to_path(call, decoded.object));
  EBB_ASSIGN_OR_RETURN(const Target old, target_of(call));
  const std::string_view revision =
      schema::text_at(decoded.object, {"metadata", "resourceVersion"});
  if ((revision.empty() || revision == kAnyRevision) && call.kind().needs_revision_to_update) {
    // Here Kubernetes names the resource; elsewhere it names the kind.
    model::Subject subject = call.subject();
    subject.kind = subject.resource;
    return tl::unexpected(
        model::invalid(subject, {model::invalid_value("metadata.resourceVersion", "0",
                                                      "must be specified for an update")}));
  }
  EBB_RETURN_IF_ERROR(check_preconditions(
      call, old, schema::text_at(decoded.object, {"metadata", "uid"}), revision));
  return replace_object(call, old, std::move(decoded), options);
}

}  // namespace ebb::apiserver
