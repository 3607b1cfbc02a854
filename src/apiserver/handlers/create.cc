// POST on a collection.
#include "apiserver/handlers/create.h"

#include <utility>

#include <fmt/format.h>

#include "apiserver/handlers/admission.h"
#include "apiserver/handlers/managed_fields_update.h"
#include "apiserver/handlers/write.h"
#include "apiserver/objects/kind_specifics.h"
#include "apiserver/objects/lifecycle.h"
#include "apiserver/objects/name_generator.h"
#include "apiserver/request/call.h"
#include "apiserver/validation/validate.h"
#include "schema/core/json.h"

namespace ebb::apiserver {

namespace json = boost::json;
using model::StatusOr;

namespace {

// A namespaced object needs a namespace that exists and is not terminating.
std::optional<model::Status> check_namespace(const Call& call, std::string_view object_name) {
  if (!call.kind().namespaced) return std::nullopt;
  const schema::Kind& namespaces = *schema::find_kind("", "v1", "namespaces");
  const std::string& name = call.route.namespace_name;
  const ObjectPtr found = call.store().newest(namespaces, "", name);
  if (!found) {
    return model::not_found(
        {.group = "", .resource = "namespaces", .kind = "Namespace", .name = name});
  }
  if (!found->is_terminating()) return std::nullopt;
  model::Status status = model::forbidden(
      call.subject(object_name),
      fmt::format("unable to create new content in namespace {} because it is being terminated",
                  name));
  status.causes.push_back({"NamespaceTerminating",
                           fmt::format("namespace {} is being terminated", name),
                           "metadata.namespace"});
  return status;
}

ObjectPtr existing(const Call& call, std::string_view name) {
  return call.store().newest(call.kind(), call.route.namespace_name, name);
}

// Tries generated names until one is free.
StatusOr<std::string> choose_name(const Call& call, const json::object& metadata) {
  constexpr int kTries = 8;
  std::string name(schema::text_at(metadata, {"name"}));
  const std::string_view base = schema::text_at(metadata, {"generateName"});
  if (!name.empty() || base.empty()) return name;
  for (int i = 0; i < kTries; ++i) {
    name = generate_name(base, call.random());
    if (!existing(call, name)) return name;
  }
  model::Status status = model::already_exists(call.subject(name));
  status.message += ", the server was not able to generate a unique name for the object";
  status.retry_after_seconds = 1;
  return tl::unexpected(std::move(status));
}

// Calls the mutating webhooks on a new object. A generated name is not sent: the object gets it
// after the webhooks were called.
StatusOr<json::object> mutate_new(const Call& call, const WriteOptions& options,
                                  const ManagedFields& managed, bool is_named,
                                  json::object object) {
  const std::string name(schema::text_at(object, {"metadata", "name"}));
  if (!is_named) schema::object_at(object, {"metadata"})->stable_erase("name");
  update_managed_fields(object, managed, nullptr);
  Admission admission = admission_of_create(call, options);
  if (is_named) admission.name = name;
  EBB_ASSIGN_OR_RETURN(json::object mutated, mutate(call, admission, std::move(object)));
  json::object& metadata = schema::ensure_object(mutated, {"metadata"});
  if (!is_named && !name.empty() && schema::text_at(metadata, {"name"}).empty()) {
    metadata["name"] = name;
  }
  EBB_RETURN_IF_ERROR(fit_to_path(call, mutated));
  return mutated;
}

StatusOr<void> review_new(const Call& call, const WriteOptions& options, std::string_view name,
                          const json::object& object) {
  Admission admission = admission_of_create(call, options);
  admission.name = name;
  return review(call, admission, object);
}

// Turns a client's object, with name and defaults set, into the object to store.
StatusOr<json::object> complete_new(const Call& call, const WriteOptions& options, bool is_named,
                                    const ManagedFields* applied, json::object object) {
  if (is_secret(call.kind())) fold_string_data(object);
  apply_defaults(*call.kind().schema, object);
  const ManagedFields managed =
      applied != nullptr ? *applied : track_update(field_write(call, options), nullptr, object);
  if (is_admitted(call)) {
    EBB_ASSIGN_OR_RETURN(object, mutate_new(call, options, managed, is_named, std::move(object)));
  }
  prepare_create(call.kind(), object, generate_uid(call.random()), call.now);
  update_managed_fields(object, managed, nullptr);
  return object;
}

}  // namespace

Answer create_object(const Call& call, const WriteOptions& options, Decoded decoded,
                     const ManagedFields* applied) {
  EBB_RETURN_IF_ERROR(fit_to_path(call, decoded.object));
  json::object& metadata = *schema::object_at(decoded.object, {"metadata"});
  if (!schema::text_at(metadata, {"resourceVersion"}).empty()) {
    return tl::unexpected(
        model::bad_request("resourceVersion should not be set on objects to be created"));
  }
  const bool is_named = !schema::text_at(metadata, {"name"}).empty();
  if (auto wrong = check_namespace(call, schema::text_at(metadata, {"name"}))) {
    return tl::unexpected(*std::move(wrong));
  }
  EBB_ASSIGN_OR_RETURN(const std::string chosen, choose_name(call, metadata));
  if (!chosen.empty()) metadata["name"] = chosen;

  EBB_ASSIGN_OR_RETURN(json::object object,
                       complete_new(call, options, is_named, applied, std::move(decoded.object)));
  const std::string name(schema::text_at(object, {"metadata", "name"}));
  const std::vector<model::StatusCause> causes =
      validate(call.kind(), object, nullptr, call.state.gates);
  if (!causes.empty()) return tl::unexpected(model::invalid(call.subject(name), causes));
  if (is_admitted(call)) {
    EBB_RETURN_IF_ERROR(review_new(call, options, name, object));
  }
  if (const ObjectPtr present = existing(call, name)) {
    model::Status status = model::already_exists(call.subject(name));
    // Clients match this prefix and retry once the object is gone.
    if (present->is_terminating()) status.message.insert(0, "object is being deleted: ");
    return tl::unexpected(std::move(status));
  }

  const ObjectPtr stored = options.dry_run
                               ? std::make_shared<const Object>(call.kind(), std::move(object), 0)
                               : call.store().put(call.kind(), std::move(object), call.now);
  return answer_with(call, 201, stored, std::move(decoded.warnings));
}

Answer create(const Call& call) {
  EBB_ASSIGN_OR_RETURN(const WriteOptions options, parse_write_options(call.request, call.query));
  EBB_ASSIGN_OR_RETURN(Decoded decoded, read_body(call, call.kind(), options.validation));
  return create_object(call, options, std::move(decoded), nullptr);
}

}  // namespace ebb::apiserver
