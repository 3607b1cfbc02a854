// The parts of an AdmissionReview other than the objects.
#include "apiserver/handlers/admission.h"

namespace ebb::apiserver {

namespace json = boost::json;

namespace {

json::object options_document(std::string_view kind) {
  return {{"kind", kind}, {"apiVersion", "meta.k8s.io/v1"}};
}

json::object write_options(std::string_view kind, const Call& call, const WriteOptions& options) {
  json::object document = options_document(kind);
  if (options.dry_run) document["dryRun"] = json::array{"All"};
  for (const std::string_view name : {"fieldManager", "fieldValidation"}) {
    const auto found = call.query.find(name);
    if (found != call.query.end() && !found->second.empty()) document[name] = found->second;
  }
  return document;
}

std::string_view text_of(Propagation propagation) {
  switch (propagation) {
    case Propagation::kBackground:
      return "Background";
    case Propagation::kForeground:
      return "Foreground";
    case Propagation::kOrphan:
      return "Orphan";
    case Propagation::kUnset:
      break;
  }
  return "";
}

json::object delete_options(const DeleteOptions& options) {
  json::object document = options_document("DeleteOptions");
  if (options.grace_seconds) document["gracePeriodSeconds"] = *options.grace_seconds;
  json::object preconditions;
  if (!options.uid.empty()) preconditions["uid"] = options.uid;
  if (!options.resource_version.empty()) {
    preconditions["resourceVersion"] = options.resource_version;
  }
  if (!preconditions.empty()) document["preconditions"] = std::move(preconditions);
  if (const std::string_view policy = text_of(options.propagation); !policy.empty()) {
    document["propagationPolicy"] = policy;
  }
  if (options.dry_run) document["dryRun"] = json::array{"All"};
  return document;
}

}  // namespace

Admission admission_of_create(const Call& call, const WriteOptions& options) {
  return {.operation = "CREATE",
          .name = call.route.name,
          .options = write_options("CreateOptions", call, options),
          .dry_run = options.dry_run};
}

Admission admission_of_update(const Call& call, const WriteOptions& options,
                              const json::object& old) {
  return {.operation = "UPDATE",
          .name = call.route.name,
          .old = &old,
          .options = write_options("UpdateOptions", call, options),
          .dry_run = options.dry_run};
}

Admission admission_of_delete(const Call& call, const Target& target,
                              const DeleteOptions& options) {
  return {.operation = "DELETE",
          .name = call.route.name,  // empty for a collection
          .old = &target.content,
          .options = delete_options(options),
          .dry_run = options.dry_run};
}

}  // namespace ebb::apiserver
