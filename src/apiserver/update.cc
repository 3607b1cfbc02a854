// PUT on an object or its status.
#include "apiserver/update.h"

#include <utility>

#include <fmt/format.h>

#include "apiserver/admission.h"
#include "apiserver/call.h"
#include "apiserver/lifecycle.h"
#include "apiserver/particulars.h"
#include "apiserver/tracking.h"
#include "apiserver/write.h"
#include "schema/json.h"

namespace ebb::apiserver {

namespace json = boost::json;
using model::StatusOr;

namespace {

// Whoever sends this does not care which state it replaces.
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

// What a client sent, in full: only then can it be said what it changed.
void complete(const Call& call, json::object& object) {
  if (call.route.subresource == "status") return;
  if (is_secret(call.kind())) fold_string_data(object);
  apply_defaults(*call.kind().shape, object);
}

StatusOr<json::object> mutate_changed(const Call& call, const Target& old,
                                      const WriteOptions& options, const ManagedFields& managed,
                                      json::object object) {
  settle_managed_fields(object, managed, nullptr);
  StatusOr<json::object> mutated =
      mutate(call, admission_of_update(call, options, old.content), std::move(object));
  if (!mutated) return mutated;
  // A name that a webhook took away or changed is told by the checks.
  if (const StatusOr<void> fits = fit_to_namespace(call, *mutated); !fits) {
    return tl::unexpected(fits.error());
  }
  return mutated;
}

StatusOr<json::object> settle(const Call& call, const Target& old, json::object object,
                              const WriteOptions& options, const ManagedFields& managed) {
  if (is_admitted(call)) {
    StatusOr<json::object> mutated = mutate_changed(call, old, options, managed, std::move(object));
    if (!mutated) return mutated;
    object = *std::move(mutated);
  }
  if (call.route.subresource == "status") {
    object = prepare_status_update(call.kind(), object, old.content);
  } else {
    prepare_update(call.kind(), object, old.content);
  }
  settle_managed_fields(object, managed, &old.content);
  return object;
}

}  // namespace

StatusOr<json::object> next_state(const Call& call, const Target& old, json::object object,
                                  const WriteOptions& options) {
  complete(call, object);
  const ManagedFields managed = track_update(field_write(call, options), &old.content, object);
  return settle(call, old, std::move(object), options, managed);
}

StatusOr<json::object> next_state(const Call& call, const Target& old, json::object object,
                                  const WriteOptions& options, const ManagedFields& managed) {
  complete(call, object);
  return settle(call, old, std::move(object), options, managed);
}

Answer update(const Call& call) {
  const StatusOr<WriteOptions> options = parse_write_options(call.request, call.query);
  if (!options) return tl::unexpected(options.error());
  StatusOr<Decoded> decoded = read_body(call, call.kind(), options->validation);
  if (!decoded) return tl::unexpected(decoded.error());
  if (const StatusOr<void> fits = fit_to_path(call, decoded->object); !fits) {
    return tl::unexpected(fits.error());
  }
  const StatusOr<Target> old = target_of(call);
  if (!old) return tl::unexpected(old.error());
  const std::string_view revision =
      schema::text_at(decoded->object, {"metadata", "resourceVersion"});
  if ((revision.empty() || revision == kAnyRevision) && call.kind().needs_revision_to_update) {
    // Kubernetes names the resource here where it names the kind elsewhere.
    model::Subject subject = call.subject();
    subject.kind = subject.resource;
    return tl::unexpected(
        model::invalid(subject, {model::invalid_value("metadata.resourceVersion", "0",
                                                      "must be specified for an update")}));
  }
  const StatusOr<void> checked = check_preconditions(
      call, *old, schema::text_at(decoded->object, {"metadata", "uid"}), revision);
  if (!checked) return tl::unexpected(checked.error());

  StatusOr<json::object> object = next_state(call, *old, std::move(decoded->object), *options);
  if (!object) return tl::unexpected(object.error());
  return save(call, {.old = *old,
                     .object = *std::move(object),
                     .options = *options,
                     .warnings = std::move(decoded->warnings),
                     .of_status = call.route.subresource == "status"});
}

}  // namespace ebb::apiserver
